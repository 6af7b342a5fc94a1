import type { Terminal } from "../program/terminal.ts";

const CLEAR_LINE = "\r\u001B[2K";

/** What goes on, on standard error: one line that changes on a terminal, a line for each change elsewhere. */
export class Progress {
  readonly #terminal: Pick<Terminal, "note" | "isErrorTerminal" | "columns">;
  readonly #quiet: boolean;
  #shown = "";

  constructor(terminal: Pick<Terminal, "note" | "isErrorTerminal" | "columns">, quiet: boolean) {
    this.#terminal = terminal;
    this.#quiet = quiet;
  }

  /** @param text without what changes with time alone @param beside that, for terminals: "42 s" */
  show(text: string, beside = ""): void {
    if (this.#quiet) return;
    const { isErrorTerminal, columns, note } = this.#terminal;
    if (isErrorTerminal) {
      const line = beside === "" ? text : `${text} (${beside})`;
      note(`${CLEAR_LINE}${line.slice(0, columns - 1)}`);
      this.#shown = line;
    } else if (text !== this.#shown) {
      note(`${text}\n`);
      this.#shown = text;
    }
  }

  /** Takes the line away before something else is written. */
  done(): void {
    if (this.#terminal.isErrorTerminal && this.#shown !== "") this.#terminal.note(CLEAR_LINE);
    this.#shown = "";
  }
}
