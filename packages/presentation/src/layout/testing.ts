import type { InputEdge, InputNode } from "./graph-input.ts";

/** A node of a test: kind and name make the id. */
export function node(kind: string, name: string, options: Partial<InputNode> = {}): InputNode {
  return {
    id: `${kind}/${name}`,
    group: "",
    kind,
    namespace: "shop",
    name,
    ownerId: "",
    presence: "present",
    status: 1,
    superseded: false,
    generated: false,
    ...options,
  };
}

/** An edge of a test, in the direction it is drawn. */
export function edge(source: string, target: string, style: InputEdge["style"]): InputEdge {
  return { id: `${source}>${target}:${style}`, source, target, style, kind: "test", paths: [`spec.${target}`] };
}

/** An application: Deployment, ReplicaSet, so many pods, Service, ConfigMap. */
export function application(name: string, pods: number): { readonly nodes: InputNode[]; readonly edges: InputEdge[] } {
  const deployment = `Deployment/${name}`;
  const replicaSet = `ReplicaSet/${name}-1`;
  const podNodes = Array.from({ length: pods }, (_, index) => node("Pod", `${name}-1-${index}`, { ownerId: replicaSet }));
  const nodes = [
    node("Deployment", name),
    node("ReplicaSet", `${name}-1`, { ownerId: deployment }),
    ...podNodes,
    node("Service", name),
    node("ConfigMap", `${name}-config`),
  ];
  const edges = [
    edge(deployment, replicaSet, "owns"),
    ...podNodes.map((pod) => edge(replicaSet, pod.id, "owns")),
    ...podNodes.map((pod) => edge(`Service/${name}`, pod.id, "routes")),
    edge(deployment, `ConfigMap/${name}-config`, "uses"),
    ...podNodes.map((pod) => edge(pod.id, `ConfigMap/${name}-config`, "uses")),
  ];
  return { nodes, edges };
}

/** By id. */
export function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
