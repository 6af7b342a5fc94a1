import { foldEdges, type FoldEnds } from "@binnacle/graph";
import type { CardEdge } from "./card.ts";
import type { FoldedGraph } from "./fold-graph.ts";
import { LINE_MARKS, type InputEdge, type InputNode, type LineMark } from "./graph-input.ts";

const MAX_PATHS = 5;

/**
 * The lines between cards. A line to a folded pod ends at its workload instead; what a whole workload uses is drawn once, from the workload; and the
 * pods of an EndpointSlice are reached from its Service.
 */
export function cardEdgesOf(
  folded: FoldedGraph,
  nodes: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge>,
): ReadonlyMap<string, CardEdge> {
  const { cardOf, forest, cards } = folded;
  const usedByRoot = new Set<string>();
  for (const edge of edges.values()) {
    if (isReference(edge) && forest.rootOf(edge.source) === edge.source) usedByRoot.add(`${edge.source}\n${edge.target}`);
  }
  const lines = new Map<string, CardEdge>();
  for (const { id, source, target, style, edges: merged } of foldEdges(edges.values(), endsOf).lines.values()) {
    const mark = markOf(merged);
    lines.set(id, { id, source, target, style, count: merged.length, paths: pathsOf(merged), route: [], ...(mark && { mark }) });
  }
  return lines;

  function endsOf(edge: InputEdge): FoldEnds | undefined {
    if (!nodes.has(edge.source) || !nodes.has(edge.target)) return undefined;
    const source = sourceOf(edge);
    const target = targetOf(edge, source);
    return source === undefined || target === undefined ? undefined : { source, target };
  }

  function sourceOf(edge: InputEdge): string | undefined {
    const root = forest.rootOf(edge.source);
    if (isReference(edge) && usedByRoot.has(`${root}\n${edge.target}`)) return cardOf.get(root);
    const source = nodes.get(edge.source);
    const isSlice = source?.kind === "EndpointSlice" && edge.style === "routes" && nodes.get(source.ownerId)?.kind === "Service";
    return cardOf.get(isSlice ? source.ownerId : edge.source);
  }

  function targetOf(edge: InputEdge, source: string | undefined): string | undefined {
    const target = cardOf.get(edge.target);
    const isFoldedPod = target !== undefined && cards.get(target)?.type === "fold" && nodes.get(edge.target)?.kind === "Pod";
    if (edge.style === "owns" || !isFoldedPod) return target;
    const root = cardOf.get(forest.rootOf(edge.target));
    return root === source ? target : root;
  }
}

/** Whether two lines of one id are drawn the same. */
export function sameCardEdge(left: CardEdge | undefined, right: CardEdge): boolean {
  return (
    left !== undefined &&
    left.style === right.style &&
    left.count === right.count &&
    left.mark === right.mark &&
    left.route.length === right.route.length &&
    left.route.every((part, index) => part === right.route[index]) &&
    String(left.paths) === String(right.paths)
  );
}

/** A line that some traffic takes is not idle, whatever else it stands for. */
function markOf(edges: readonly InputEdge[]): LineMark | undefined {
  const marks = new Set(edges.map(({ mark }) => mark));
  return LINE_MARKS.find((mark) => marks.has(mark) && !(mark === "idle" && marks.has("flows")));
}

function pathsOf(edges: readonly InputEdge[]): readonly string[] {
  const paths = new Set<string>();
  for (const edge of edges) {
    for (const path of edge.paths) {
      paths.add(path);
      if (paths.size === MAX_PATHS) return [...paths];
    }
  }
  return [...paths];
}

function isReference(edge: InputEdge): boolean {
  return edge.style === "uses" || edge.style === "dangling";
}
