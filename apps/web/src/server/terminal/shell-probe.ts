import type { Clock } from "@binnacle/rpc";

import type { ExecEnd } from "./exec.ts";

/** A program that is not there is known to be missing sooner; one that writes no prompt runs by then. */
const STARTED_MS = 1_000;
const MAX_WITHHELD_BYTES = 4 * 1024;

/** Codes of a shell for a program that it cannot run, which runtimes use for the first program, too (POSIX, "Exit Status for Commands"). */
const NOT_RUN = new Set([126, 127]);
/** What runtimes write about a program that the image lacks: runc and crun, through containerd and CRI-O. */
const MISSING = /no such file or directory|exec failed/i;

/** The callbacks of a probe, and its clock. */
export interface ShellProbeOptions {
  readonly clock: Clock;
  /** The program runs. Called at most once, before any output. */
  readonly started: () => void;
  readonly output: (bytes: Buffer) => void;
}

/**
 * Whether one program has started. There is no message for it: a program that the image lacks ends soon with a code of its own, and some runtimes
 * write to the terminal that it is missing. Such output is withheld until the program is known to run.
 */
export class ShellProbe {
  readonly #options: ShellProbeOptions;
  readonly #cancel: () => void;
  #withheld: Buffer[] = [];
  #hasStarted = false;
  #hasOutput = false;

  constructor(options: ShellProbeOptions) {
    this.#options = options;
    this.#cancel = options.clock.after(STARTED_MS, () => this.#start());
  }

  /** The program wrote something. */
  receive(bytes: Buffer): void {
    if (this.#hasStarted) return this.#pass(bytes);
    this.#withheld.push(bytes);
    const text = Buffer.concat(this.#withheld);
    if (text.length > MAX_WITHHELD_BYTES || !isMissing(text.toString("latin1"))) this.#start();
  }

  /**
   * The program has ended: no callback follows.
   *
   * @param hasInput whether something was typed
   * @returns whether the image lacks it
   */
  end({ exitCode, message }: Extract<ExecEnd, { kind: "ended" }>, hasInput: boolean): boolean {
    this.stop();
    const isLacking = !hasInput && !this.#hasOutput && ((exitCode !== undefined && NOT_RUN.has(exitCode)) || isMissing(message));
    if (!isLacking) this.#start();
    return isLacking;
  }

  /** No output is expected any more. */
  stop(): void {
    this.#cancel();
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#options.started();
    for (const bytes of this.#withheld.splice(0)) this.#pass(bytes);
  }

  #pass(bytes: Buffer): void {
    this.#hasOutput = true;
    this.#options.output(bytes);
  }
}

/** Whether a runtime reports that there is no such program. */
function isMissing(text: string): boolean {
  return MISSING.test(text) || (text.includes("executable file") && text.includes("not found"));
}
