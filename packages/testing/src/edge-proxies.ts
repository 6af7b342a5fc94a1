import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventually } from "./eventually.ts";
import { freePort } from "./redis-server.ts";

/** A real proxy of PATH as a process of its own, on a free loopback port, with all of its files in one temporary folder. */
export interface EdgeProxy {
  readonly port: number;
  /** Everything it has printed. */
  readonly output: string;
  stop(): Promise<void>;
}

/** How one is started. */
interface Recipe {
  readonly program: string;
  /** @param file with the configuration, in a folder of its own */
  readonly args: (file: string, folder: string) => readonly string[];
  readonly configuration: (port: number, folder: string) => string;
}

const READY_MS = 20_000;
/** Another process may take a port between looking for it and listening on it. */
const MAX_STARTS = 3;

/**
 * nginx with its defaults.
 *
 * @param locations what stands in its one server
 */
export function startNginx(locations: string): Promise<EdgeProxy> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return startSomewhere({
    program: "nginx",
    args: (file, folder) => ["-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off;"],
    configuration: (port, folder) => `
      pid ${folder}/pid;
      error_log stderr warn;
      events {}
      http {
        access_log off;
        ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
        server { listen 127.0.0.1:${port}; ${locations} }
      }`,
  });
}

/** What HAProxy stands in front of. */
export interface HaproxyOptions {
  /** "host:port". */
  readonly backend: string;
  /** After so long it cuts what is silent. */
  readonly idleMs: number;
  /** Spoken on both sides; "h2" as in front of gRPC, with prior knowledge. */
  readonly protocol: "h2" | "h1";
}

/** HAProxy in HTTP mode. */
export function startHaproxy({ backend, idleMs, protocol }: HaproxyOptions): Promise<EdgeProxy> {
  return startSomewhere({
    program: "haproxy",
    args: (file) => ["-db", "-f", file],
    configuration: (port) => `
defaults
  mode http
  timeout connect 5s
  timeout client ${idleMs}ms
  timeout server ${idleMs}ms
  timeout tunnel ${idleMs}ms
frontend edge
  bind 127.0.0.1:${port} proto ${protocol}
  default_backend inside
backend inside
  server one ${backend} proto ${protocol}
`,
  });
}

/** tinyproxy, which accepts these credentials. */
export function startTinyproxy(user: string, password: string): Promise<EdgeProxy> {
  return startSomewhere({
    program: "tinyproxy",
    args: (file) => ["-d", "-c", file],
    configuration: (port, folder) => `
Port ${port}
Listen 127.0.0.1
Timeout 600
MaxClients 100
PidFile "${folder}/pid"
LogLevel Connect
Allow 127.0.0.1
BasicAuth ${user} ${password}
`,
  });
}

async function startSomewhere(recipe: Recipe, attempts = MAX_STARTS): Promise<EdgeProxy> {
  try {
    return await startOn(await freePort(), recipe);
  } catch (error) {
    if (attempts <= 1) throw error;
    return startSomewhere(recipe, attempts - 1);
  }
}

/** @throws Error when it is not on PATH or does not come up: integration tests never skip silently */
async function startOn(port: number, { program, args, configuration }: Recipe): Promise<EdgeProxy> {
  const folder = mkdtempSync(join(tmpdir(), `${program}-`));
  const file = join(folder, "configuration");
  writeFileSync(file, configuration(port, folder));
  // Debian keeps servers where only root looks for programs.
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` };
  const child = spawn(program, args(file, folder), { stdio: ["ignore", "pipe", "pipe"], env });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  let failure: Error | undefined;
  child.once("error", (cause) => (failure = new Error(`${program} cannot be started; is it on PATH?`, { cause })));
  child.once("exit", (code) => (failure ??= new Error(`${program} ended with ${code}: ${output.join("")}`)));
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(async () => {
      if (failure !== undefined) throw failure;
      return (await accepts(port)) ? undefined : `${program} does not listen: ${output.join("")}`;
    }, READY_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    get output() {
      return output.join("");
    },
    stop,
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    // Not the signal that cannot be heard: nginx ends its worker first.
    child.kill("SIGTERM");
  });
}
