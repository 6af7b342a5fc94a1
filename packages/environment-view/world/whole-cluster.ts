import { idOf, type ResourceGraph } from "@binnacle/graph";
import { health, type HealthResult } from "@binnacle/health";
import { fieldsAt, type KubeObject } from "@binnacle/kube";

/** Health of every object that has one, by uid, with all that the graph of the cluster relates to it. */
export function healthOfAll(graph: ResourceGraph, objects: readonly KubeObject[], now: Date): Map<string, HealthResult> {
  const results = new Map<string, HealthResult>();
  for (const object of objects) {
    const result = health(object, { now, related: graph.relatedOf(idOf(object)) });
    if (result) results.set(idOf(object), result);
  }
  return results;
}

/** Edges of a graph without their ids, as text: "Pod web-1 -pod-cm-> ConfigMap web-settings spec.containers[0].envFrom[0]…". */
export function edgeLines(graph: ResourceGraph): string[] {
  const title = (id: string): string => {
    const node = graph.node(id);
    return node ? `${node.kind} ${node.namespace === "" ? "" : `${node.namespace}/`}${node.name}` : id;
  };
  return graph
    .edges()
    .map(({ from, kind, to, fieldPaths }) => `${title(from)} -${kind}-> ${title(to)} ${fieldPaths.join(" ")}`)
    .toSorted();
}

/** What the scheduler and the volume controller write into `spec`: a decision, not a default. */
const DECISIONS = ["nodeName", "volumeName"];

/**
 * The object as its author wrote it, with the identity, the status and the bindings that it has in the cluster: everything that the
 * API server has filled into it is gone.
 */
export function asWritten(written: KubeObject, stored: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status } = stored;
  const decided = Object.entries(fieldsAt(stored, "spec")).filter(([field]) => DECISIONS.includes(field));
  const spec = { ...fieldsAt(written, "spec"), ...Object.fromEntries(decided) };
  return {
    ...written,
    apiVersion,
    kind,
    metadata,
    ...(written["spec"] === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}
