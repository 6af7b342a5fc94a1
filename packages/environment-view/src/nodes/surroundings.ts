import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import type { HealthStatus } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

/** Of a workload with thousands of pods, those that are not well tell the story, and a few of them tell all of it. */
const MAX_UNWELL = 20;

/** Maximum number of pods of one budget whose other budgets are read. */
const MAX_BUDGETED = 20;

/**
 * What may explain the state of a node: what it owns and needs (`contextOf` of the graph, which takes only some of many pods),
 * those below it that are not well with their own surroundings, its owners with their other ReplicaSets, the autoscaler above
 * it, what stands behind the Services it leads to, and the other budgets of the pods of a disruption budget.
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
  for (const id of unwell.slice(0, MAX_UNWELL)) addContext(id);
  const services = [...found].filter(([, object]) => object.kind === "Service" && object.apiVersion === "v1");
  for (const [id] of services) addContext(id);
  for (const id of budgetedBeside(node, graph)) add(id);
  for (const object of aboveOf(node, graph)) found.set(object.metadata.uid ?? nameOf(object), object);
  return [...found.values()];
}

/** Pods of a disruption budget, and the other budgets of those: a few of them tell which. */
function budgetedBeside({ id, group, kind }: GraphNode, graph: ResourceGraph): string[] {
  if (group !== "policy" || kind !== "PodDisruptionBudget") return [];
  const selected = graph.edgesOf(id).flatMap((edge) => (edge.kind === "pdb-pod" && edge.from === id ? [edge.to] : []));
  const pods = selected.toSorted().slice(0, MAX_BUDGETED);
  const budgets = pods.flatMap((pod) =>
    graph.edgesOf(pod).flatMap((edge) => (edge.kind === "pdb-pod" && edge.to === pod ? [edge.from] : [])),
  );
  return [...pods, ...new Set(budgets)];
}

/** Its owners, their other ReplicaSets, and what scales them. Only owners with few edges are read: the pods are attached to the others. */
function aboveOf(node: GraphNode, graph: ResourceGraph): KubeObject[] {
  const top = graph.ancestorsOf(node.id).at(-1) ?? node.id;
  const lines = graph.node(top)?.kind === "Deployment" || top === node.id ? graph.edgesOf(top) : [];
  const isBeside = (kind: string): boolean => kind === "hpa" || (kind === "owner" && top !== node.id);
  const beside = lines.filter((edge) => edge.to === top && isBeside(edge.kind)).map((edge) => edge.from);
  return [...graph.ancestorsOf(node.id), ...beside].flatMap((id) => (id === node.id ? [] : (graph.node(id)?.object ?? [])));
}

function isUnwell(status: HealthStatus | undefined): boolean {
  return status !== undefined && status !== "Healthy";
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion}/${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
}
