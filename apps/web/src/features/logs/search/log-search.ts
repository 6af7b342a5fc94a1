import { plainLine } from "../text/ansi.ts";
import type { LogRow } from "../store/log-row.ts";
import type { LineMatcher } from "./line-matcher.ts";

/** What a search has found so far. */
export interface FoundLines {
  /** Rows with a match. */
  readonly total: number;
  /** Every row was searched. */
  readonly isDone: boolean;
}

/** So long it searches rows before the page has its turn. */
const TURN_MS = 8;

/** Searches rows for a pattern, a little at a time, and caches which of them match. */
export class LogSearch {
  readonly matcher: LineMatcher;
  /** By the id of the row. */
  readonly #matches = new Map<number, boolean>();
  readonly #now: () => number;

  /** @param now milliseconds from anywhere */
  constructor(matcher: LineMatcher, now: () => number = () => performance.now()) {
    this.matcher = matcher;
    this.#now = now;
  }

  /** Searches rows that were not searched yet, the newest first, for some milliseconds. */
  advance(rows: readonly LogRow[]): FoundLines {
    if (this.#matches.size > 2 * rows.length + 1_000) this.#forget(rows);
    const until = this.#now() + TURN_MS;
    let [total, searched] = [0, 0];
    let isDone = true;
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      const row = rows[index];
      if (row === undefined) continue;
      let isMatch = this.#matches.get(row.id);
      if (isMatch === undefined && isDone) {
        isMatch = this.#search(row);
        searched += 1;
        if (searched % 64 === 0 && this.#now() > until) isDone = false;
      } else if (isMatch === undefined) isDone = false;
      if (isMatch === true) total += 1;
    }
    return { total, isDone };
  }

  /** Whether a row is known to match. */
  isMatch(row: LogRow): boolean {
    return this.#matches.get(row.id) === true;
  }

  /** Index of the next match, round at the ends; -1 without one. @param from index, itself not included */
  next(rows: readonly LogRow[], from: number, by: 1 | -1): number {
    for (let step = 1; step <= rows.length; step += 1) {
      const index = (((from + by * step) % rows.length) + rows.length) % rows.length;
      const row = rows[index];
      if (row !== undefined && this.isMatch(row)) return index;
    }
    return -1;
  }

  /** Which match a row is, from 1; 0 if it is none. */
  numberOf(rows: readonly LogRow[], id: number): number {
    let number = 0;
    for (const row of rows) {
      if (!this.isMatch(row)) continue;
      number += 1;
      if (row.id === id) return number;
    }
    return 0;
  }

  #search(row: LogRow): boolean {
    const isMatch = row.type === "line" && this.matcher.matches(plainLine(row.text).text);
    this.#matches.set(row.id, isMatch);
    return isMatch;
  }

  /** Results of rows that have fallen off are dropped. */
  #forget(rows: readonly LogRow[]): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#matches.keys()) if (!ids.has(id)) this.#matches.delete(id);
  }
}
