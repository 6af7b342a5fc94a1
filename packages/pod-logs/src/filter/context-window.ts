/** A line that is sent. */
export interface ShownLine<T> {
  readonly line: T;
  readonly isContext: boolean;
}

/** Characters that are retained of lines before a match. */
const MAX_RETAINED_CHARS = 64 * 1024;

/** Decides which lines around matches are sent; a line is sent once. */
export class ContextWindow<T extends { readonly text: string }> {
  readonly #size: number;
  readonly #before: T[] = [];
  #retainedChars = 0;
  #after = 0;

  /** @param size lines before and after each match */
  constructor(size: number) {
    this.#size = size;
  }

  /** The lines to send now, in order. */
  push(line: T, isMatch: boolean): ShownLine<T>[] {
    if (isMatch) {
      const shown = [...this.#before.map((one) => ({ line: one, isContext: true })), { line, isContext: false }];
      this.#before.length = 0;
      this.#retainedChars = 0;
      this.#after = this.#size;
      return shown;
    }
    if (this.#after > 0) {
      this.#after -= 1;
      return [{ line, isContext: true }];
    }
    if (this.#size > 0) this.#retain(line);
    return [];
  }

  #retain(line: T): void {
    this.#before.push(line);
    this.#retainedChars += line.text.length;
    while (this.#before.length > this.#size || (this.#retainedChars > MAX_RETAINED_CHARS && this.#before.length > 0)) {
      this.#retainedChars -= this.#before.shift()?.text.length ?? 0;
    }
  }
}
