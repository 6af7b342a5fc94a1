import type { Clock } from "@binnacle/rpc";

/** Everything outside of the program that a command uses; a test passes its own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborts on Ctrl-C, and when the reader of the output has closed it. */
  readonly signal: AbortSignal;
  /** Whether Ctrl-C was pressed. */
  readonly isInterrupted: () => boolean;
  readonly isOutputTerminal: boolean;
  readonly isErrorTerminal: boolean;
  readonly isInputTerminal: boolean;
  /** Width of the terminal in columns; 80 where it is not known. */
  readonly columns: number;
  /** Results: standard output. */
  readonly write: (text: string) => void;
  /** Progress, warnings and failures: standard error. */
  readonly note: (text: string) => void;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** A line from the terminal that is not shown while it is typed. */
  readonly readSecret: (prompt: string) => Promise<string>;
}
