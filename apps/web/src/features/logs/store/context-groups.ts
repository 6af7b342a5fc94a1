import type { LogRow } from "./log-row.ts";

/**
 * Finds where lines were left out between matches with their context, as `grep -C` separates groups. Lines have no numbers in the stream, so groups
 * are recognized by their length: two matches of a container with fewer than twice the context between them are in one group. With exactly twice the
 * context, none or many lines may have been left out; that counts as another group.
 */
export class ContextGroups {
  /** Ids of the rows before which lines of their container were left out. */
  readonly starts = new Set<number>();
  readonly #contextLines: number;
  /** Ids of the context rows since the last match, by source. */
  readonly #sinceMatch = new Map<number, number[]>();

  /** @param contextLines before and after each match; 0: lines are no groups */
  constructor(contextLines: number) {
    this.#contextLines = contextLines;
  }

  /** Takes the rows of each source in their order. */
  add(row: LogRow): void {
    if (this.#contextLines === 0) return;
    const since = this.#sinceMatch.get(row.source);
    // Missing lines have a row of their own.
    if (row.type === "gap") this.#sinceMatch.delete(row.source);
    else if (row.isContext) since?.push(row.id);
    else {
      const first = since !== undefined && since.length >= 2 * this.#contextLines ? since[this.#contextLines] : undefined;
      if (first !== undefined) this.starts.add(first);
      this.#sinceMatch.set(row.source, []);
    }
  }

  /** A stream begins: what the one before left out is not known. */
  beginStream(): void {
    this.#sinceMatch.clear();
  }

  /** Rows that have fallen off. */
  forget(row: LogRow): void {
    this.starts.delete(row.id);
  }
}
