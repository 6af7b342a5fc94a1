import type { CardEdge, Route, Slot } from "./card.ts";
import { trackOf, type Stretch } from "./gutter-tracks.ts";
import type { EdgeStyle } from "./graph-input.ts";
import { hopsOf, type Gutter, type Hop, type Occupied } from "./hops.ts";
import { LANE_COLUMNS } from "./lanes.ts";

/** Where a line leaves a card, as a part of its height: lines of another kind have a place of their own. */
const LEAVES: Readonly<Record<EdgeStyle, number>> = { owns: 0.5, routes: 0.5, binds: 0.35, uses: 0.7, dangling: 0.7, governs: 0.85 };
const DEPTHS: Readonly<Record<EdgeStyle, number>> = { owns: 0.5, routes: 0.5, binds: 0.72, uses: 0.28, dangling: 0.28, governs: 0.72 };
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
  const leaving = countBy(edges, ({ source, style }) => `${source}\n${style}`);
  const entering = countBy(edges, ({ target, style }) => `${target}\n${style}`);
  const drafts: Draft[] = [];
  for (const edge of edges.values()) {
    const source = slots.get(edge.source);
    const target = slots.get(edge.target);
    if (source === undefined || target === undefined || edge.source === edge.target) continue;
    const hops = hopsOf({
      source,
      target,
      leaves: LEAVES[edge.style],
      enters: entryOf(edge, source, target),
      depth: DEPTHS[edge.style],
      occupied,
    });
    drafts.push({ edge, source, target, hops, stretches: stretchesOf(edge, hops) });
  }
  const tracks = trackOf(drafts.flatMap((draft) => draft.stretches));
  const routed = new Map(edges);
  for (const draft of drafts) routed.set(draft.edge.id, { ...draft.edge, route: routeOf(draft, tracks) });
  return routed;

  /** Where many enter one card they come together; else they part from where they come from. */
  function stretchesOf({ source, target, style }: CardEdge, hops: readonly Hop[]): readonly Stretch[] {
    const [out, into] = [`${source}\n${style}`, `${target}\n${style}`];
    const together = (entering.get(into) ?? 0) > (leaving.get(out) ?? 0);
    return hops.slice(1).map((hop, index) => {
      const before = hops[index]?.y ?? hop.y;
      const bundle = index === 0 && !(together && hops.length === 2) ? `>${out}` : `<${into}`;
      return {
        gutter: hop.from,
        bundle,
        top: Math.min(heightOf(before), heightOf(hop.y)),
        bottom: Math.max(heightOf(before), heightOf(hop.y)),
      };
    });
  }
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
  const cells = new Set<string>();
  const rows = new Map<number, Set<number>>();
  for (const { lane, column, row } of slots.values()) {
    cells.add(`${lane}/${column}/${row}`);
    const list = rows.get(lane);
    if (list === undefined) rows.set(lane, new Set([row]));
    else list.add(row);
  }
  const sorted = new Map([...rows].map(([lane, list]) => [lane, [...list].sort((one, two) => one - two)]));
  return { has: (lane, column, row) => cells.has(`${lane}/${column}/${row}`), rowsOf: (lane) => sorted.get(lane) ?? [] };
}

function countBy(edges: ReadonlyMap<string, CardEdge>, keyOf: (edge: CardEdge) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const edge of edges.values()) counts.set(keyOf(edge), (counts.get(keyOf(edge)) ?? 0) + 1);
  return counts;
}
