import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import type { HealthStatus } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

/** Of a workload with thousands of pods, those that are not well tell the story, and a few of them tell all of it. */
const MOST_UNWELL = 20;

/**
 * What may explain the state of a node: what it owns and needs (`contextOf` of the graph, which takes only some of many pods),
 * those below it that are not well with their own surroundings, its owners with their other ReplicaSets, the autoscaler above
 * it, and what stands behind the Services it leads to.
 */
export function surroundingsOf(node: GraphNode, graph: ResourceGraph, statusOf: (id: string) => HealthStatus | undefined): KubeObject[] {
  const found = new Map<string, KubeObject>();
  const add = (id: string): void => {
    const object = graph.node(id)?.object;
    if (object !== undefined && id !== node.id) found.set(id, object);
  };
  const addContext = (id: string): void => {
    add(id);
    for (const object of graph.contextOf(id)) if (object.metadata.uid !== node.id) found.set(object.metadata.uid ?? nameOf(object), object);
  };
  addContext(node.id);
  const unwell = graph.descendantsOf(node.id).filter((id) => isUnwell(statusOf(id)));
  for (const id of unwell.slice(0, MOST_UNWELL)) addContext(id);
  const services = [...found].filter(([, object]) => object.kind === "Service" && object.apiVersion === "v1");
  for (const [id] of services) addContext(id);
  const ancestors = graph.ancestorsOf(node.id);
  for (const id of ancestors) add(id);
  for (const id of ancestors) {
    if (found.get(id)?.kind !== "Deployment") continue;
    for (const below of graph.descendantsOf(id)) if (graph.node(below)?.kind === "ReplicaSet") add(below);
  }
  for (const id of [node.id, ...ancestors]) for (const edge of graph.edgesOf(id)) if (edge.kind === "hpa" && edge.to === id) add(edge.from);
  return [...found.values()];
}

function isUnwell(status: HealthStatus | undefined): boolean {
  return status !== undefined && status !== "Healthy";
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion}/${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
}
