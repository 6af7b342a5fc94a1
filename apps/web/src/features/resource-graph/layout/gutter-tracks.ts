import type { Gutter } from "./hops.ts";

/** An upright part of a line. Those of one bundle may lie on each other: they go the same way. */
export interface Stretch {
  readonly gutter: Gutter;
  readonly bundle: string;
  readonly top: number;
  readonly bottom: number;
}

/** Places across a gutter, the middle ones first: beside them is room for arrows and marks. */
const TRACKS = [0.4, 0.48, 0.32, 0.56, 0.24, 0.64];

interface Bundle {
  readonly name: string;
  top: number;
  bottom: number;
}

/** Gives every bundle of a gutter a track that no other uses beside it, as long as there are any. The order of lines does not matter. */
export function trackOf(stretches: readonly Stretch[]): (stretch: Stretch) => number {
  const gutters = new Map<string, Map<string, Bundle>>();
  for (const { gutter, bundle, top, bottom } of stretches) {
    const key = keyOf(gutter);
    const bundles = gutters.get(key) ?? new Map<string, Bundle>();
    gutters.set(key, bundles);
    const known = bundles.get(bundle);
    if (known === undefined) {
      bundles.set(bundle, { name: bundle, top, bottom });
      continue;
    }
    known.top = Math.min(known.top, top);
    known.bottom = Math.max(known.bottom, bottom);
  }
  const tracks = new Map<string, ReadonlyMap<string, number>>();
  for (const [key, bundles] of gutters) tracks.set(key, tracksOf([...bundles.values()]));
  return ({ gutter, bundle }) => tracks.get(keyOf(gutter))?.get(bundle) ?? 0.4;
}

function tracksOf(bundles: readonly Bundle[]): ReadonlyMap<string, number> {
  const tracks = new Map<string, number>();
  const ends = TRACKS.map(() => -Infinity);
  for (const bundle of [...bundles].sort((one, two) => one.top - two.top || (one.name < two.name ? -1 : 1))) {
    const free = ends.findIndex((end) => end < bundle.top);
    const index = free < 0 ? ends.indexOf(Math.min(...ends)) : free;
    ends[index] = Math.max(bundle.bottom, ends[index] ?? bundle.bottom);
    tracks.set(bundle.name, TRACKS[index] ?? 0.4);
  }
  return tracks;
}

function keyOf({ lane, after }: Gutter): string {
  return `${lane}/${after}`;
}
