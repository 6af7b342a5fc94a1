import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const READY_MS = 120_000;

/** The pages as they are being written, over a made-up world: what `npm run dev` runs. */
export class DevServer {
  /** "http://127.0.0.1:40123". */
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #output: () => string;

  private constructor(address: string, child: ChildProcess, output: () => string) {
    this.address = address;
    this.#child = child;
    this.#output = output;
  }

  /** Its output so far. */
  get output(): string {
    return this.#output();
  }

  /**
   * Starts it on a free port.
   *
   * @param flags of its own, such as `--dir` with another copy of apps/web
   * @throws with its output when it ends, or is not ready in time
   */
  static start(flags: readonly string[] = []): Promise<DevServer> {
    const child = spawn("npm", ["run", "--silent", "dev", "--", "--port", "0", ...flags], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_OPTIONS: "" },
      // npm is the head of a group, so that all it started can be ended.
      detached: true,
    });
    let output = "";
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        clearTimeout(timer);
        endGroup(child);
        reject(new Error(`npm run dev ${why}:\n${output}`));
      };
      const timer = setTimeout(() => fail(`was not ready after ${READY_MS / 1000} s`), READY_MS);
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        const address = /made-up world: (http:\/\/\S+)/.exec(output)?.[1];
        if (address === undefined) return;
        clearTimeout(timer);
        child.off("exit", ended);
        resolve(new DevServer(address, child, () => output));
      };
      const ended = (code: number | null): void => fail(`ended with ${code}`);
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", ended);
    });
  }

  /** Ends it and all it started. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    endGroup(this.#child);
    await ended;
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}
