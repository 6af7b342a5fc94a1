import { compare } from "../graph/compare.ts";
import type { EdgeStyle } from "./graph-input.ts";
import type { Gutter } from "./hops.ts";

/** Lines that may lie on each other in a gutter: they are of one kind, and leave one card or enter one. */
export interface Bundle {
  readonly card: string;
  readonly style: EdgeStyle;
  lines: number;
}

/** An upright part of a line. */
export interface Stretch {
  readonly gutter: Gutter;
  readonly bundle: Bundle;
  readonly top: number;
  readonly bottom: number;
}

/** Places across a gutter, the middle ones first: beside them is room for arrows and marks. */
const TRACKS = [0.4, 0.48, 0.32, 0.56, 0.24, 0.64];
const MIDDLE = 0.4;

interface Reach {
  top: number;
  bottom: number;
  track: number;
}

/** Gives every bundle of a gutter a track that no other uses beside it, as long as there are any. The order of lines does not matter. */
export function trackOf(stretches: readonly Stretch[]): (stretch: Stretch) => number {
  const gutters = new Map<number, Map<Bundle, Reach>>();
  for (const { gutter, bundle, top, bottom } of stretches) {
    const key = keyOf(gutter);
    let reaches = gutters.get(key);
    if (reaches === undefined) gutters.set(key, (reaches = new Map()));
    const known = reaches.get(bundle);
    if (known === undefined) {
      reaches.set(bundle, { top, bottom, track: MIDDLE });
      continue;
    }
    known.top = Math.min(known.top, top);
    known.bottom = Math.max(known.bottom, bottom);
  }
  for (const reaches of gutters.values()) giveTracks(reaches);
  return ({ gutter, bundle }) => gutters.get(keyOf(gutter))?.get(bundle)?.track ?? MIDDLE;
}

function giveTracks(reaches: ReadonlyMap<Bundle, Reach>): void {
  const ends = TRACKS.map(() => -Infinity);
  const sorted = [...reaches].sort(
    ([one, a], [two, b]) => a.top - b.top || a.bottom - b.bottom || compare(one.card, two.card) || compare(one.style, two.style),
  );
  for (const [, reach] of sorted) {
    const free = ends.findIndex((end) => end < reach.top);
    const index = free < 0 ? ends.indexOf(Math.min(...ends)) : free;
    ends[index] = Math.max(reach.bottom, ends[index] ?? reach.bottom);
    reach.track = TRACKS[index] ?? MIDDLE;
  }
}

function keyOf({ lane, after }: Gutter): number {
  return lane * 8 + after + 1;
}
