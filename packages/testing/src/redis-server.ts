import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";

/** A real redis-server of one test file. */
export interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
}

/**
 * Starts the redis-server of PATH on a free loopback port, without files.
 *
 * @param options more of its command line; "{port}" is the port
 * @throws Error when there is none: integration tests never skip silently
 */
export async function startRedisServer(options: readonly string[] = []): Promise<RedisServer> {
  const { port, child: first } = await startSomewhere(MAX_STARTS, options);
  let child = first;
  return {
    port,
    stop: () => end(child),
    async restart() {
      child = await spawnRedis(port, options);
    },
  };
}

/** Another process may take a port between looking for it and listening on it. */
const MAX_STARTS = 3;

async function startSomewhere(
  attempts: number,
  options: readonly string[],
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const port = await freePort();
  try {
    return { port, child: await spawnRedis(port, options) };
  } catch (error) {
    if (attempts <= 1) throw error;
    return startSomewhere(attempts - 1, options);
  }
}

function spawnRedis(port: number, options: readonly string[]): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const base = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const child = spawn("redis-server", [...base, ...options.map((option) => option.replaceAll("{port}", String(port)))], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.once("error", (cause) => reject(new Error("redis-server cannot be started; is it on PATH?", { cause })));
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
    let output = "";
    child.stdout?.on("data", (text: Buffer) => {
      output += text.toString();
      if (output.includes("Ready to accept connections")) resolve(child);
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** A loopback port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      // A TCP server has an address of this shape.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
