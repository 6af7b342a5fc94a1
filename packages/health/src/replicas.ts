import type { KubeObject } from "@binnacle/kube";

/** Replicas that are ready and that are wanted. */
export interface Replicas {
  readonly ready: number;
  readonly wanted: number;
}

/** Replicas of a workload; `null` when the kind has none. (Follows.) */
export function replicasOf(_resource: KubeObject): Replicas | null {
  return null;
}
