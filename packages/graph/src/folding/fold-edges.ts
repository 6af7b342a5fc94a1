import { compareText } from "./compare-text.ts";

/** What folding looks at in an edge. */
export interface FoldEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Edges of one style between the same two merge: a class of edges, or how they are drawn. */
  readonly style: string;
}

/** Where an edge is drawn: ids of nodes that are shown, or of groups. */
export interface FoldEnds {
  readonly source: string;
  readonly target: string;
}

/** All edges of one style between the same two. */
export interface FoldedLine<E extends FoldEdge> extends FoldEnds {
  /** `source>target:style`. */
  readonly id: string;
  readonly style: E["style"];
  /** By id, never empty; their number is the weight of the line. */
  readonly edges: readonly E[];
}

/** Edges after folding. Every edge is in exactly one place. */
export interface FoldedEdges<E extends FoldEdge> {
  /** By id of the line. */
  readonly lines: ReadonlyMap<string, FoldedLine<E>>;
  /** Edges with both ends in the same place: not drawn, not lost. */
  readonly within: readonly E[];
  /** Edges with an end that is not among the nodes. */
  readonly beyond: readonly E[];
}

/**
 * Merges the edges between folded nodes.
 *
 * @param endsOf where an edge is drawn (see `endsIn`); `undefined` when one of its ends is not there
 */
export function foldEdges<E extends FoldEdge>(edges: Iterable<E>, endsOf: (edge: E) => FoldEnds | undefined): FoldedEdges<E> {
  const lines = new Map<string, FoldedLine<E> & { readonly edges: E[] }>();
  const within: E[] = [];
  const beyond: E[] = [];
  for (const edge of edges) {
    const ends = endsOf(edge);
    if (ends === undefined) beyond.push(edge);
    else if (ends.source === ends.target) within.push(edge);
    else {
      const id = `${ends.source}>${ends.target}:${edge.style}`;
      const line = lines.get(id);
      if (line === undefined) lines.set(id, { id, source: ends.source, target: ends.target, style: edge.style, edges: [edge] });
      else line.edges.push(edge);
    }
  }
  for (const { edges: merged } of lines.values()) if (merged.length > 1) merged.sort(byId);
  return { lines, within: within.sort(byId), beyond: beyond.sort(byId) };
}

/**
 * The plain way to draw edges: at the group of a folded node, else at the node itself.
 *
 * @param has whether a node is there
 */
export function endsIn(groupOf: ReadonlyMap<string, string>, has: (id: string) => boolean): (edge: FoldEdge) => FoldEnds | undefined {
  return ({ source, target }) => {
    if (!has(source) || !has(target)) return undefined;
    return { source: groupOf.get(source) ?? source, target: groupOf.get(target) ?? target };
  };
}

/** All edges that were folded, sorted by id: nothing more, nothing less. */
export function unfoldEdges<E extends FoldEdge>({ lines, within, beyond }: FoldedEdges<E>): E[] {
  return [...[...lines.values()].flatMap(({ edges }) => edges), ...within, ...beyond].sort(byId);
}

function byId(left: FoldEdge, right: FoldEdge): number {
  return compareText(left.id, right.id);
}
