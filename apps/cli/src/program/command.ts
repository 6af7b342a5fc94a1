import type { Terminal } from "./terminal.ts";

/** An option of a command, as help, completion and reference list it. */
export interface OptionSpec {
  readonly name: string;
  readonly short?: string;
  /** What its value is called, "DURATION"; absent: it has none. */
  readonly value?: string;
  /** All values that it may have. */
  readonly choices?: readonly string[];
  /** May be given more than once. */
  readonly repeats?: boolean;
  readonly help: string;
}

/** What follows the name of a command. */
export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Any number of them. */
  readonly repeats?: boolean;
}

/** One command. Help, completion and reference are made of it. */
export interface CommandSpec {
  /** One word, or two: "agent check". */
  readonly name: string;
  readonly summary: string;
  /** Paragraphs of the help and of the reference. */
  readonly details?: readonly string[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** @returns the exit code @throws CommandFailure */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** A call of a command whose arguments are those that it takes. */
export interface CommandCall {
  readonly terminal: Terminal;
  readonly arguments: readonly string[];
  readonly options: GivenOptions;
}

/** Values of options by their names. */
export class GivenOptions {
  readonly #values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

  constructor(values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>) {
    this.#values = values;
  }

  /** Whether an option without a value is there. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The value of an option; `undefined` where it is not given. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** All values of an option that may be repeated. */
  texts(name: string): readonly string[] {
    const value = this.#values[name];
    return typeof value === "object" ? value : [];
  }
}
