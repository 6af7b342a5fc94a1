import type { KubeObject } from "@binnacle/kube";

import type { CustomEdgeRule } from "./custom-edge-rule.ts";
import type { KindAccessEntry } from "./graph-model.ts";
import { ResourceGraph } from "./resource-graph.ts";

/** The graph of a set of objects, built at once. Time and memory are linear in objects and edges. */
export function buildGraph(
  objects: Iterable<KubeObject>,
  access: Iterable<KindAccessEntry> = [],
  customEdges: readonly CustomEdgeRule[] = [],
): ResourceGraph {
  const graph = new ResourceGraph({ customEdges });
  for (const entry of access) graph.setKindAccess(entry);
  for (const object of objects) graph.upsert(object);
  return graph;
}
