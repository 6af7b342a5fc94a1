/** What the program ends with. Scripts depend on the numbers: they never change. */
export const EXIT = {
  /** Done; of `status`: healthy or suspended. */
  ok: 0,
  /** Degraded or missing; of `agent check`: a check failed. */
  bad: 1,
  /** Progressing. */
  progressing: 2,
  /** Unknown, partial, stale, no access, or not reachable. */
  unknown: 3,
  /** Wrong usage or configuration (sysexits.h, EX_USAGE). */
  usage: 64,
  /** Interrupted by Ctrl-C (128 + SIGINT). */
  interrupted: 130,
} as const;

/** The program cannot do what it was called for. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;
  /** What to do, on a line of its own; empty when it is not known. */
  readonly hint: string;

  constructor(message: string, { exitCode = EXIT.unknown, hint = "" }: { readonly exitCode?: number; readonly hint?: string } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** The program was called wrongly, or its configuration is wrong. */
export function usageFailure(message: string, hint = ""): CommandFailure {
  return new CommandFailure(message, { exitCode: EXIT.usage, hint });
}
