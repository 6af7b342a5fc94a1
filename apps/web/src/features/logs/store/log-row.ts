import type { LogLevel } from "@binnacle/proto/dashboard-logs";

/** A line of the log of one container. */
export interface LineRow {
  readonly type: "line";
  /** By arrival, from 1; never used again. */
  readonly id: number;
  /** `ShownSource.id`. */
  readonly source: number;
  /** What it is ordered by, nanoseconds since 1970: its time, but never before an earlier line of its source. */
  readonly atNanos: bigint;
  /** As the container runtime wrote it. */
  readonly timeNanos: bigint;
  readonly text: string;
  /** Bytes that were cut off its end. */
  readonly cutBytes: number;
  readonly level: LogLevel;
  /** Sent as the context of a match. */
  readonly isContext: boolean;
}

/** Lines that the source no longer has. */
export interface GapRow {
  readonly type: "gap";
  readonly id: number;
  readonly source: number;
  readonly atNanos: bigint;
  /** Time of the last line before the gap; absent: not known. */
  readonly afterNanos: bigint | undefined;
  /** Time of the first line after it; absent: there is none yet. */
  readonly beforeNanos: bigint | undefined;
}

/** What a log is made of. */
export type LogRow = LineRow | GapRow;

/** What a row takes beside its text, in bytes: its object, its times and its place in the list. */
const ROW_BYTES = 96;
const OTHER_THAN_LATIN_1 = /[\u0100-\uFFFF]/;

/** Bytes that a row takes in memory: browsers keep a text of Latin-1 with one byte for a character, any other with two. */
export function bytesOfRow(row: LogRow): number {
  if (row.type === "gap") return ROW_BYTES;
  return ROW_BYTES + row.text.length * (OTHER_THAN_LATIN_1.test(row.text) ? 2 : 1);
}

/**
 * Inserts a batch into rows that are ordered by `atNanos`; equal times keep the order in which they came.
 *
 * @param rows changed in place
 * @param batch in the order of arrival; ordered in place
 */
export function mergeRows(rows: LogRow[], batch: LogRow[]): void {
  batch.sort((one, other) => (one.atNanos < other.atNanos ? -1 : one.atNanos > other.atNanos ? 1 : 0));
  const [first] = batch;
  if (first === undefined) return;
  const later = rows.splice(indexAfter(rows, first.atNanos));
  let next = 0;
  for (const row of batch) {
    for (let other = later[next]; other !== undefined && other.atNanos <= row.atNanos; other = later[next]) {
      rows.push(other);
      next += 1;
    }
    rows.push(row);
  }
  for (; next < later.length; next += 1) {
    const row = later[next];
    if (row !== undefined) rows.push(row);
  }
}

/** Index of the first row that is later than a time. */
function indexAfter(rows: readonly LogRow[], atNanos: bigint): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && row.atNanos <= atNanos) low = middle + 1;
    else high = middle;
  }
  return low;
}
