import type { Slot } from "./card.ts";
import { LAST } from "./columns.ts";

/** The way between two columns of a lane: right of the one with this number, -1 for that left of the first. */
export interface Gutter {
  readonly lane: number;
  readonly after: number;
}

/** A height: a row, and a place in it: 0 to 1 along its card, below 0 in the gap above it, above 1 in the gap below. */
type Height = readonly [row: number, below: number];

/** A level part of a line; it was reached through the gutter `from`, but the first, which begins at the card. */
export interface Hop {
  readonly from: Gutter;
  readonly y: Height;
}

/** Where cards stand. */
export interface Occupied {
  has(lane: number, column: number, row: number): boolean;
  /** Rows of a lane that have a card, from top to bottom. */
  rowsOf(lane: number): readonly number[];
}

interface Ends {
  readonly source: Slot;
  readonly target: Slot;
  /** Where it leaves and enters, as parts of the height of a card. */
  readonly leaves: number;
  readonly enters: number;
  /** How deep in a gap it runs, as a part of it: lines of another kind run beside it. */
  readonly depth: number;
  readonly occupied: Occupied;
}

/** Columns of one lane that a line has to cross, and the gutter before them. */
interface Span {
  readonly gutter: Gutter;
  readonly lane: number;
  readonly columns: readonly number[];
}

/** The level parts of a line, from the height at which it leaves to that at which it enters. A gutter in which it does not change its height is left out. */
export function hopsOf(ends: Ends): readonly Hop[] {
  const { source, target, leaves, enters, depth, occupied } = ends;
  const out: Height = [source.row, leaves];
  const into: Height = [target.row, enters];
  const { spans, last } = spansOf(source, target);
  const heights: { readonly from: Gutter; readonly y: Height }[] = [{ from: spans[0]?.gutter ?? last, y: out }];
  let at = out;
  for (const [index, span] of spans.entries()) {
    const y = crossing(span, { first: index === 0 && span.lane === source.lane, at });
    if (!same(y, at)) heights.push({ from: span.gutter, y });
    at = y;
  }
  if (!same(into, at)) heights.push({ from: last, y: into });
  return heights;

  /** Straight through free cells if there are any, else in the gap beside the row that it comes from or goes to. */
  function crossing({ lane, columns }: Span, { first, at }: { readonly first: boolean; readonly at: Height }): Height {
    const isFree = (row: number): boolean => columns.every((column) => !occupied.has(lane, column, row));
    if (lane === target.lane) {
      if (isFree(target.row)) return into;
      if (first && isFree(source.row)) return out;
      return target.row >= source.row ? [target.row, -depth] : [target.row, 1 + depth];
    }
    if (columns.length === 0) return at;
    if (first) return isFree(source.row) ? out : [source.row, target.row > source.row ? 1 + depth : -depth];
    return nearestGap(occupied.rowsOf(lane), target.row, depth);
  }
}

/** What lies between two cards, in the order of the line, and the gutter beside the target. */
function spansOf(source: Slot, target: Slot): { readonly spans: readonly Span[]; readonly last: Gutter } {
  const toRight = target.lane > source.lane || (target.lane === source.lane && target.column > source.column);
  const last = { lane: target.lane, after: toRight ? target.column - 1 : target.column };
  const gutter = { lane: source.lane, after: source.column - (toRight || isSame(source, target) ? 0 : 1) };
  if (gutter.lane === last.lane && gutter.after === last.after) return { spans: [], last };
  const spans: Span[] = [];
  const step = toRight ? 1 : -1;
  for (let lane = source.lane; lane !== target.lane + step; lane += step) {
    const from = lane === source.lane ? source.column + step : toRight ? 0 : LAST;
    const to = lane === target.lane ? target.column - step : toRight ? LAST : 0;
    const before = lane === source.lane ? gutter : { lane, after: toRight ? -1 : LAST };
    spans.push({ gutter: before, lane, columns: columnsBetween(from, to, step) });
  }
  return { spans, last };
}

function columnsBetween(from: number, to: number, step: number): readonly number[] {
  const columns: number[] = [];
  for (let column = from; (to - column) * step >= 0; column += step) columns.push(column);
  return columns;
}

/** The gap above the first row at or below a height, else that below the last row. */
function nearestGap(rows: readonly number[], row: number, depth: number): Height {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  const found = rows[low];
  const end = rows.at(-1);
  return found !== undefined ? [found, -depth] : end === undefined ? [row, -depth] : [end, 1 + depth];
}

function isSame(source: Slot, target: Slot): boolean {
  return source.lane === target.lane && source.column === target.column;
}

function same(one: Height, two: Height): boolean {
  return one[0] === two[0] && one[1] === two[1];
}
