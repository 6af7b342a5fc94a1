import type { Forest } from "@binnacle/graph";
import { compare } from "../graph/compare.ts";
import type { InputEdge, InputNode } from "./graph-input.ts";

const WORKLOAD_KINDS: ReadonlySet<string> = new Set([
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicationController",
  "ReplicaSet",
  "CronJob",
  "Job",
]);

/**
 * Which block every root of the forest belongs to. A workload is a block of its own; what refers to it, or what it refers to, joins the first
 * workload by namespace and name; the rest of a namespace shares one block. So a ConfigMap that all use does not glue everything together.
 *
 * @returns block of a root's id
 */
export function blocksOf(
  nodes: ReadonlyMap<string, InputNode>,
  forest: Forest<InputNode>,
  edges: Iterable<InputEdge>,
): ReadonlyMap<string, string> {
  const roots = [...nodes.values()].filter((node) => forest.rootOf(node.id) === node.id);
  const neighbours = neighboursOf(nodes, forest, edges);
  const blocks = new Map<string, string>();
  const queue: InputNode[] = [];
  for (const root of roots.filter((node) => isWorkload(node, forest)).sort(byNamespaceAndName)) {
    blocks.set(root.id, root.id);
    queue.push(root);
  }
  for (let index = 0; index < queue.length; index += 1) {
    const root = queue[index];
    const block = root === undefined ? undefined : blocks.get(root.id);
    if (root === undefined || block === undefined) break;
    for (const id of neighbours.get(root.id) ?? []) {
      const other = nodes.get(id);
      if (other === undefined || blocks.has(id)) continue;
      blocks.set(id, block);
      queue.push(other);
    }
  }
  for (const root of roots) if (!blocks.has(root.id)) blocks.set(root.id, `rest:${root.namespace}`);
  return blocks;
}

function isWorkload(root: InputNode, forest: Forest<InputNode>): boolean {
  if (root.superseded || root.kind === "Service") return false;
  return WORKLOAD_KINDS.has(root.kind) || forest.childrenOf(root.id).some((child) => child.kind !== "EndpointSlice");
}

function neighboursOf(
  nodes: ReadonlyMap<string, InputNode>,
  forest: Forest<InputNode>,
  edges: Iterable<InputEdge>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    const list = found.get(from);
    if (list === undefined) found.set(from, new Set([to]));
    else list.add(to);
  };
  for (const edge of edges) {
    if (!nodes.has(edge.source) || !nodes.has(edge.target)) continue;
    const source = forest.rootOf(edge.source);
    const target = forest.rootOf(edge.target);
    if (source === target) continue;
    add(source, target);
    add(target, source);
  }
  return found;
}

function byNamespaceAndName(left: InputNode, right: InputNode): number {
  return compare(left.namespace, right.namespace) || compare(left.name, right.name) || compare(left.id, right.id);
}
