import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readEndpoints, type Endpoints } from "./endpoints.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const READY_MS = 180_000;

/** What a sandbox is started with; flags are those of `npm start`. */
export interface SandboxOptions {
  readonly cluster: "embedded" | "real";
  readonly flags?: readonly string[];
}

/** A whole product on this machine: the very program `npm start` runs. */
export class Sandbox {
  readonly directory: string;
  readonly #child: ChildProcess;
  readonly #output: string[];

  private constructor(directory: string, child: ChildProcess, output: string[]) {
    this.directory = directory;
    this.#child = child;
    this.#output = output;
  }

  /** Starts one in a directory of its own. @throws with its output when it is not ready in time or ends */
  static async start(options: SandboxOptions): Promise<Sandbox> {
    const directory = mkdtempSync(join(tmpdir(), "binnacle-e2e-"));
    const { flags = [] } = options;
    const argv = [
      "apps/sandbox/src/main.ts",
      "--cluster",
      options.cluster,
      "--no-open",
      "--port",
      "0",
      "--dir",
      directory,
      // The second agent takes 0.7 s of each start and 110 MiB: a test that is about it asks for it.
      ...(flags.includes("--agents") ? [] : ["--agents", "1"]),
      ...flags,
    ];
    const child = spawn(process.execPath, argv, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    const output: string[] = [];
    const collect = (chunk: Buffer): void => void output.push(chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const sandbox = new Sandbox(directory, child, output);
    const deadline = Date.now() + READY_MS;
    while (!existsSync(sandbox.#endpointsFile)) {
      if (child.exitCode !== null) throw new Error(`the sandbox ended with ${child.exitCode}:\n${sandbox.output}`);
      if (Date.now() > deadline) {
        await sandbox.stop();
        throw new Error(`the sandbox was not ready after ${READY_MS / 1000} s:\n${sandbox.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return sandbox;
  }

  get #endpointsFile(): string {
    return join(this.directory, "endpoints.json");
  }

  /** Read anew each time: pids change when a process is started again. */
  get endpoints(): Endpoints {
    return readEndpoints(this.#endpointsFile);
  }

  /** Everything it and its processes have printed. */
  get output(): string {
    return this.#output.join("");
  }

  /** SIGTERM, and all that it started is gone; its directory too. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
      this.#child.kill("SIGTERM");
      const timer = setTimeout(() => this.#child.kill("SIGKILL"), 30_000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
