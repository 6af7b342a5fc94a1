import { MetricKind, type ResourceRef } from "@binnacle/proto/dashboard";

/** A metric, as agentk's catalogue names it. */
export type MetricName = "cpu" | "memory" | "restarts" | "requests";

/** Whose figures they are, as agentk's catalogue names it. */
export interface MetricSubject {
  readonly kind: string;
  readonly namespace: string;
  /** Empty: all pods of the namespace. */
  readonly name: string;
}

/** In the order in which they are shown. */
export const METRIC_NAMES: ReadonlyMap<MetricKind, MetricName> = new Map([
  [MetricKind.CPU, "cpu"],
  [MetricKind.MEMORY, "memory"],
  [MetricKind.RESTARTS, "restarts"],
  [MetricKind.REQUESTS, "requests"],
]);

const { CPU, MEMORY, RESTARTS, REQUESTS } = MetricKind;
const OF_PODS = [CPU, MEMORY, RESTARTS];
const ALL = [...OF_PODS, REQUESTS];

/** What the catalogue has, by "group/resource": other questions agentk refuses. */
const SUBJECTS: ReadonlyMap<string, { readonly kind: string; readonly metrics: readonly MetricKind[] }> = new Map([
  ["/pods", { kind: "pod", metrics: OF_PODS }],
  ["apps/deployments", { kind: "deployment", metrics: ALL }],
  ["apps/statefulsets", { kind: "stateful_set", metrics: ALL }],
  ["apps/daemonsets", { kind: "daemon_set", metrics: ALL }],
  ["apps/replicasets", { kind: "replica_set", metrics: OF_PODS }],
  ["batch/jobs", { kind: "job", metrics: OF_PODS }],
  ["networking.k8s.io/ingresses", { kind: "ingress", metrics: [REQUESTS] }],
]);
const NAMESPACE = { kind: "namespace", metrics: ALL };

/**
 * Which metrics there are of a resource, or of namespaces, and how agentk calls what they are of.
 *
 * @param ref absent: namespaces
 * @returns `undefined` for a kind that nothing is measured of
 */
export function measuredOf(
  ref: Pick<ResourceRef, "group" | "resource"> | undefined,
): { readonly kind: string; readonly metrics: readonly MetricKind[] } | undefined {
  return ref === undefined ? NAMESPACE : SUBJECTS.get(`${ref.group}/${ref.resource}`);
}
