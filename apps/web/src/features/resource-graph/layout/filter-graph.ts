import { forestOf } from "@binnacle/graph";
import { STATUS, type Around, type GraphFilter, type InputEdge, type InputNode } from "./graph-input.ts";
import { near, type Ends } from "./near.ts";

/** Whether a node itself passes; owners of those that pass are kept beside them. */
function passes(node: Pick<InputNode, "namespace" | "kind" | "status" | "presence">, filter: GraphFilter): boolean {
  if (filter.namespaces.length > 0 && !filter.namespaces.includes(node.namespace)) return false;
  if (filter.kinds.length > 0 && !filter.kinds.includes(node.kind)) return false;
  if (filter.statuses.length > 0 && !filter.statuses.includes(node.status)) return false;
  return !filter.onlyProblems || node.status >= STATUS.missing;
}

/** Of the nodes near another, if only those are asked for, the ones that pass, with their owners up to the root and, for a missing one, who refers to it. */
export function filterGraph(
  all: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge>,
  filter: GraphFilter,
): ReadonlyMap<string, InputNode> {
  const nodes = filter.around === undefined ? all : nodesNear(all, edges, filter.around);
  const plain = filter.namespaces.length + filter.kinds.length + filter.statuses.length === 0 && !filter.onlyProblems;
  if (plain) return nodes;
  const kept = new Map<string, InputNode>();
  const { rootOf } = forestOf(nodes);
  const keep = (start: InputNode): void => {
    for (let node: InputNode | undefined = start; node !== undefined && !kept.has(node.id); node = nodes.get(node.ownerId)) {
      kept.set(node.id, node);
      if (rootOf(node.id) === node.id) break;
    }
  };
  for (const node of nodes.values()) if (passes(node, filter)) keep(node);
  for (const edge of edges.values()) {
    const holder = nodes.get(edge.source);
    if (edge.style === "dangling" && holder !== undefined && kept.has(edge.target)) keep(holder);
  }
  return kept;
}

function nodesNear(
  nodes: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge>,
  { id, hops, styles }: Around,
): ReadonlyMap<string, InputNode> {
  const lines = [...edges.values()].flatMap(({ source, target, style }): readonly Ends[] =>
    styles.includes(style) ? [[source, target]] : [],
  );
  const found = near(lines, id, hops);
  return new Map([...nodes].filter(([each]) => found.has(each)));
}
