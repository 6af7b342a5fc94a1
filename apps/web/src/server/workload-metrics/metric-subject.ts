import { MetricKind, type ResourceRef } from "@binnacle/proto/dashboard";

import { ALL_METRICS, metricsOfKind } from "../../features/metrics/measured-kinds.ts";

/** A metric, as agentk's catalogue names it. */
export type MetricName = "cpu" | "memory" | "restarts" | "requests";

/** Whose figures they are, as agentk's catalogue names it. */
export interface MetricSubject {
  readonly kind: string;
  readonly namespace: string;
  /** Empty: all pods of the namespace. */
  readonly name: string;
}

/** agentk's names of metrics. */
export const METRIC_NAMES: ReadonlyMap<MetricKind, MetricName> = new Map([
  [MetricKind.CPU, "cpu"],
  [MetricKind.MEMORY, "memory"],
  [MetricKind.RESTARTS, "restarts"],
  [MetricKind.REQUESTS, "requests"],
]);

/** agentk's names of kinds. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["pods", "pod"],
  ["deployments", "deployment"],
  ["statefulsets", "stateful_set"],
  ["daemonsets", "daemon_set"],
  ["replicasets", "replica_set"],
  ["jobs", "job"],
  ["ingresses", "ingress"],
]);

/**
 * Which metrics there are of a resource, or of namespaces, and how agentk calls what they are of.
 *
 * @param ref absent: namespaces
 * @returns `undefined` for a kind that nothing is measured of
 */
export function measuredOf(
  ref: Pick<ResourceRef, "group" | "resource"> | undefined,
): { readonly kind: string; readonly metrics: readonly MetricKind[] } | undefined {
  if (ref === undefined) return { kind: "namespace", metrics: ALL_METRICS };
  const metrics = metricsOfKind(ref);
  const kind = SUBJECTS.get(ref.resource);
  return kind === undefined || metrics.length === 0 ? undefined : { kind, metrics };
}
