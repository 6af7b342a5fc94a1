import type { CardEdge, Route, Slot } from "./card.ts";
import { trackOf, type Bundle, type Stretch } from "./gutter-tracks.ts";
import type { EdgeStyle } from "./graph-input.ts";
import { hopsOf, type Gutter, type Hop, type Occupied } from "./hops.ts";
import { LAST } from "./columns.ts";
import { LANE_COLUMNS } from "./lanes.ts";

/** Where a line leaves a card, as a part of its height: lines of another kind have a place of their own. */
const LEAVES: Readonly<Record<EdgeStyle, number>> = { owns: 0.5, routes: 0.5, binds: 0.35, uses: 0.7, dangling: 0.7, governs: 0.85 };
const DEPTHS: Readonly<Record<EdgeStyle, number>> = { owns: 0.5, routes: 0.5, binds: 0.64, uses: 0.36, dangling: 0.36, governs: 0.64 };
/** Where it enters, from the left, and from the right so that it does not meet those that leave; and what carries nothing has its own entry. */
const ENTERS = 0.5;
const ENTERS_RIGHT = 0.25;
const ENTERS_APART = 0.8;

interface Draft {
  readonly edge: CardEdge;
  readonly source: Slot;
  readonly target: Slot;
  readonly hops: readonly Hop[];
  readonly stretches: readonly Stretch[];
}

/**
 * Gives every line its way: out of the side of its card into the gutter beside the column, along gutters and the gaps between rows, into the
 * side of the other card. No card stands in a gutter or a gap, so that no line ever runs behind one; through a row it goes only where its
 * cells are free. Lines of one card, or to one card, share a track of a gutter. Linear but for sorting.
 *
 * @param slots place of every card
 */
export function routeEdges(edges: ReadonlyMap<string, CardEdge>, slots: ReadonlyMap<string, Slot>): ReadonlyMap<string, CardEdge> {
  const occupied = occupiedBy(slots);
  const bundles = new Bundles(edges.values());
  const drafts: Draft[] = [];
  for (const edge of edges.values()) {
    const source = slots.get(edge.source);
    const target = slots.get(edge.target);
    if (source === undefined || target === undefined || edge.source === edge.target) continue;
    const { style } = edge;
    const hops = hopsOf({ source, target, leaves: LEAVES[style], enters: entryOf(edge, source, target), depth: DEPTHS[style], occupied });
    drafts.push({ edge, source, target, hops, stretches: stretchesOf(edge, hops, bundles) });
  }
  const tracks = trackOf(drafts.flatMap((draft) => draft.stretches));
  const routed = new Map(edges);
  for (const draft of drafts) routed.set(draft.edge.id, { ...draft.edge, route: routeOf(draft, tracks) });
  return routed;
}

/** Lines of one kind that leave one card, or enter one, and how many they are. */
class Bundles {
  readonly #leaving = new Map<string, Bundle[]>();
  readonly #entering = new Map<string, Bundle[]>();

  constructor(edges: Iterable<CardEdge>) {
    for (const { source, target, style } of edges) {
      this.#of(this.#leaving, source, style).lines += 1;
      this.#of(this.#entering, target, style).lines += 1;
    }
  }

  leaving({ source, style }: CardEdge): Bundle {
    return this.#of(this.#leaving, source, style);
  }

  entering({ target, style }: CardEdge): Bundle {
    return this.#of(this.#entering, target, style);
  }

  #of(all: Map<string, Bundle[]>, card: string, style: EdgeStyle): Bundle {
    let list = all.get(card);
    if (list === undefined) all.set(card, (list = []));
    let found = list.find((each) => each.style === style);
    if (found === undefined) list.push((found = { card, style, lines: 0 }));
    return found;
  }
}

/** Where many enter one card they come together; else they part from where they come from. */
function stretchesOf(edge: CardEdge, hops: readonly Hop[], bundles: Bundles): readonly Stretch[] {
  if (hops.length < 2) return [];
  const [out, into] = [bundles.leaving(edge), bundles.entering(edge)];
  const together = hops.length === 2 && into.lines > out.lines;
  return hops.slice(1).map(({ from: gutter, y }, index) => {
    const [one, two] = [heightOf(hops[index]?.y ?? y), heightOf(y)];
    return { gutter, bundle: index === 0 && !together ? out : into, top: Math.min(one, two), bottom: Math.max(one, two) };
  });
}

function entryOf({ mark }: CardEdge, source: Slot, target: Slot): number {
  if (columnOf(source) >= columnOf(target)) return ENTERS_RIGHT;
  return mark !== undefined && mark !== "missing" ? ENTERS_APART : ENTERS;
}

function columnOf({ lane, column }: Slot): number {
  return lane * LANE_COLUMNS + column;
}

function routeOf({ source, target, hops, stretches }: Draft, tracks: (stretch: Stretch) => number): Route {
  const [from, to] = [columnOf(source), columnOf(target)];
  const first = hops[0]?.y ?? [source.row, ENTERS];
  const last = hops.at(-1)?.y ?? first;
  const route: number[] = [from, to > from ? 1 : from === to ? 1 : 0, ...first];
  for (const [index, stretch] of stretches.entries()) {
    const x = acrossOf(stretch.gutter, tracks(stretch));
    route.push(...x, ...(hops[index]?.y ?? first), ...x, ...(hops[index + 1]?.y ?? last));
  }
  return [...route, to, to > from ? 0 : 1, ...last];
}

/** A place in a gutter, from the column at its left; that before the first column has only the one at its right. */
function acrossOf({ lane, after }: Gutter, track: number): readonly [number, number] {
  const lanes = lane * LANE_COLUMNS;
  return after < 0 ? [lanes, track - 1] : [lanes + after, 1 + track];
}

function heightOf([row, below]: Hop["y"]): number {
  return below < 0 ? row - 0.05 : below > 1 ? row + 0.95 : row + below * 0.6;
}

function occupiedBy(slots: ReadonlyMap<string, Slot>): Occupied {
  const lanes = new Map<number, { readonly columns: readonly Set<number>[]; readonly rows: Set<number> }>();
  for (const { lane, column, row } of slots.values()) {
    let found = lanes.get(lane);
    if (found === undefined)
      lanes.set(lane, (found = { columns: Array.from({ length: LAST + 1 }, () => new Set<number>()), rows: new Set() }));
    found.columns[column]?.add(row);
    found.rows.add(row);
  }
  const sorted = new Map([...lanes].map(([lane, { rows }]) => [lane, [...rows].sort((one, two) => one - two)]));
  return { has: (lane, column, row) => lanes.get(lane)?.columns[column]?.has(row) === true, rowsOf: (lane) => sorted.get(lane) ?? [] };
}
