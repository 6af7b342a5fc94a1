import type { Expressions } from "@binnacle/pod-logs/expressions";
import { LogFilterError, openFilter, type LineFilter, type LogFilterInit } from "@binnacle/pod-logs/filter";
import type { LineRow, LogRow } from "../store/log-row.ts";
import { LineRanges } from "./line-ranges.ts";

/** What a search has found so far. */
export interface FoundLines {
  /** Rows with a match. */
  readonly total: number;
  /** Every row was searched. */
  readonly isDone: boolean;
  /** Why the expression cannot be used; empty if it can. */
  readonly problem: string;
}

export const NOTHING_FOUND: FoundLines = { total: 0, isDone: true, problem: "" };

/** So long it searches rows before the page has its turn. */
const TURN_MS = 8;
/** Rows that are searched between two looks at the clock. */
const ROWS_AT_ONCE = 64;
/** What goes to the thread of expressions at once. */
const MAX_SENT = { rows: 4_000, characters: 256 * 1024 };

/** Prepares a search; it finds in a line what the server finds in it. @returns why the pattern cannot be used, where that is known at once */
export function openLogSearch(init: LogFilterInit, expressions: Expressions): LogSearch | { readonly problem: string } {
  try {
    return new LogSearch(openFilter(init, expressions));
  } catch (error) {
    if (error instanceof LogFilterError) return { problem: error.message };
    throw error;
  }
}

/** Searches rows for a pattern, text a little at a time and expressions in their thread, and caches which of them match. */
export class LogSearch {
  /** Of the lines that are shown. */
  readonly ranges: LineRanges;
  readonly #filter: LineFilter;
  /** By the id of the row. */
  readonly #matches = new Map<number, boolean>();
  readonly #now: () => number;
  #stop = new AbortController();
  /** Rows are with the thread. */
  #later: Promise<void> | undefined;
  #hasSearched = false;
  #problem = "";

  /** @param now milliseconds from anywhere */
  constructor(filter: LineFilter, now: () => number = () => performance.now()) {
    this.ranges = new LineRanges(filter, () => this.#stop.signal);
    this.#filter = filter;
    this.#now = now;
  }

  /** Searches rows that were not searched yet, the newest first, for some milliseconds. When `later` has resolved, more is known. */
  advance(rows: readonly LogRow[]): FoundLines & { readonly later: Promise<void> | undefined } {
    if (this.#matches.size > 2 * rows.length + 1_000) this.#forget(rows);
    const untilMs = this.#now() + TURN_MS;
    let [total, isDone] = [0, true];
    let batch: LineRow[] = [];
    let characters = 0;
    let isOpen = this.#later === undefined && this.#problem === "";
    const search = (): void => {
      total += this.#search(batch);
      [batch, characters] = [[], 0];
      if (this.#later !== undefined || this.#now() > untilMs) isOpen = false;
    };
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      const row = rows[index];
      // Context of a match is none, also where a filter of levels has left out its own match.
      if (row?.type !== "line" || row.isContext) continue;
      const isMatch = this.#matches.get(row.id);
      if (isMatch === true) total += 1;
      if (isMatch !== undefined) continue;
      if (!isOpen) {
        isDone = false;
        continue;
      }
      batch.push(row);
      characters += row.text.length;
      const isFull = this.#filter.isInThread
        ? batch.length >= MAX_SENT.rows || characters >= MAX_SENT.characters
        : batch.length >= ROWS_AT_ONCE;
      if (isFull) search();
    }
    // Without rows, too: the thread says whether the expression can be used.
    if (isOpen && (batch.length > 0 || !this.#hasSearched)) search();
    return { total, isDone: this.#problem !== "" || (isDone && this.#later === undefined), problem: this.#problem, later: this.#later };
  }

  /** Ends what is under way; another call of `advance` goes on. */
  cancel(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
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

  /** @returns how many match, as far as it is known at once */
  #search(batch: readonly LineRow[]): number {
    this.#hasSearched = true;
    const lines = batch.map(({ text }) => text);
    const { signal } = this.#stop;
    const matches = this.#filter.matches(lines, signal);
    if (!(matches instanceof Promise)) return this.#record(batch, matches);
    this.#later = matches
      .then(
        (found) => void this.#record(batch, found),
        (error: unknown) => {
          if (!signal.aborted) this.#problem = error instanceof Error ? error.message : String(error);
        },
      )
      .finally(() => (this.#later = undefined));
    return 0;
  }

  #record(batch: readonly LineRow[], matches: Uint8Array): number {
    let total = 0;
    for (const [index, { id }] of batch.entries()) {
      const isMatch = matches[index] === 1;
      this.#matches.set(id, isMatch);
      if (isMatch) total += 1;
    }
    return total;
  }

  /** Results of rows that have fallen off are dropped. */
  #forget(rows: readonly LogRow[]): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#matches.keys()) if (!ids.has(id)) this.#matches.delete(id);
  }
}
