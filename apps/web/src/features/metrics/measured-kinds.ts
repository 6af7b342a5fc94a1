import type { ResourceRef } from "@binnacle/proto/dashboard";
import { MetricKind } from "@binnacle/proto/dashboard-enums";

const { CPU, MEMORY, RESTARTS, REQUESTS } = MetricKind;
const OF_PODS = [CPU, MEMORY, RESTARTS] as const;

/** Of namespaces, and of what sends its requests through a mesh. */
export const ALL_METRICS = [...OF_PODS, REQUESTS] as const;

/** What there is, by "group/resource": other questions are refused. */
const MEASURED: ReadonlyMap<string, readonly MetricKind[]> = new Map<string, readonly MetricKind[]>([
  ["/pods", OF_PODS],
  ["apps/deployments", ALL_METRICS],
  ["apps/statefulsets", ALL_METRICS],
  ["apps/daemonsets", ALL_METRICS],
  ["apps/replicasets", OF_PODS],
  ["batch/jobs", OF_PODS],
  ["networking.k8s.io/ingresses", [REQUESTS]],
]);

/** Which metrics there are of a resource; none of a kind that nothing is measured of. */
export function metricsOfKind({ group, resource }: Pick<ResourceRef, "group" | "resource">): readonly MetricKind[] {
  return MEASURED.get(`${group}/${resource}`) ?? [];
}
