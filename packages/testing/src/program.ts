import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { withoutProxies } from "@binnacle/rpc/outgoing-proxy";

import { eventually } from "./eventually.ts";

/** What is started. */
export interface ProgramOptions {
  /** TypeScript file that Node runs as it is. */
  readonly main: string;
  readonly args: readonly string[];
  /** For Node itself. */
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The program writes it when it serves. */
  readonly readyFile: string;
  /** Where it prints; default: what it prints is kept here. */
  readonly printsTo?: string;
}

/** Memory of a program after garbage collection, in bytes. */
export interface HeldMemory {
  readonly heapUsed: number;
  readonly external: number;
}

const READY_MS = 60_000;
const ANSWER_MS = 15_000;
const PROBE = fileURLToPath(new URL("memory-probe.ts", import.meta.url));

/** One of our programs as a process of its own. What it prints is kept; its memory can be read (memory-probe.ts). */
export class Program {
  readonly pid: number;
  /** Settles with the exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>;
  readonly #child: ChildProcess;
  readonly #output: string[] = [];
  #end: number | string | undefined;

  private constructor(options: ProgramOptions) {
    const output = options.printsTo === undefined ? "pipe" : openSync(options.printsTo, "a");
    this.#child = spawn(process.execPath, ["--expose-gc", ...(options.nodeFlags ?? []), "--import", PROBE, options.main, ...options.args], {
      stdio: ["ignore", output, output, "ipc"],
      // A proxy of the machine knows nothing of what tests start.
      env: { ...withoutProxies(process.env), NODE_ENV: "test", ...options.env },
    });
    if (typeof output === "number") closeSync(output);
    this.pid = this.#child.pid ?? 0;
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => this.#output.push(chunk.toString()));
    this.exited = new Promise((resolve) => {
      this.#child.once("exit", (code, signal) => resolve((this.#end = code ?? signal ?? "lost")));
    });
  }

  /** Settles when it serves. @throws with its output when it ends before */
  static async start(options: ProgramOptions): Promise<Program> {
    const program = new Program(options);
    try {
      await eventually(() => {
        if (program.#end !== undefined) throw new Error(`${options.main} ended with ${program.#end}:\n${program.output}`);
        return existsSync(options.readyFile) ? undefined : `${options.main} is not ready:\n${program.output}`;
      }, READY_MS);
    } catch (error) {
      await program.kill();
      throw error;
    }
    return program;
  }

  get alive(): boolean {
    return this.#end === undefined;
  }

  /** Everything it has printed. */
  get output(): string {
    return this.#output.join("");
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    if (this.alive) this.#child.kill("SIGKILL");
    await this.exited;
  }

  /** Collects garbage there, and says what is left. @throws when it does not answer */
  heldMemory(): Promise<HeldMemory> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        this.#child.off("message", answer);
        this.#child.off("exit", gone);
        if (error) reject(error);
      };
      // Only memory-probe.ts writes to this channel.
      const answer = (memory: HeldMemory): void => {
        settle();
        resolve(memory);
      };
      const gone = (): void => settle(new Error("the program has ended"));
      const timer = setTimeout(() => settle(new Error("the program does not say what memory it holds")), ANSWER_MS);
      this.#child.once("message", answer);
      this.#child.once("exit", gone);
      this.#child.send("memory", (error) => error && settle(error));
    });
  }

  /** How many descriptors it has open. */
  descriptors(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Resident memory now, and the highest since `forgetPeak`, in bytes. */
  resident(): { readonly now: number; readonly peak: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) * 1024;
    return { now: of("VmRSS"), peak: of("VmHWM") };
  }
}
