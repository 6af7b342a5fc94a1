import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

/** Pods of one ReplicaSet: those that say how it is, and those that have ended and were replaced. */
export interface PodsOfSet {
  readonly standing: readonly Fields[];
  readonly replaced: readonly Fields[];
}

/**
 * A ReplicaSet makes another pod for each that has failed for good, and lets the failed one lie: once it has as many as it wants, those
 * say nothing of it any more.
 *
 * @param wanted how many it wants
 */
export function podsOfSet(pods: readonly Fields[], wanted: number): PodsOfSet {
  const ended = pods.filter((pod) => phaseOf(pod) === "Failed");
  const active = pods.filter((pod) => !isLeaving(pod) && phaseOf(pod) !== "Failed" && phaseOf(pod) !== "Succeeded");
  if (ended.length === 0 || active.length < wanted) return { standing: pods, replaced: [] };
  return { standing: pods.filter((pod) => phaseOf(pod) !== "Failed"), replaced: ended.filter((pod) => !isLeaving(pod)) };
}

function phaseOf(pod: Fields): string {
  return textAt(fieldsAt(pod, "status"), "phase");
}

function isLeaving(pod: Fields): boolean {
  return textAt(fieldsAt(pod, "metadata"), "deletionTimestamp") !== "";
}
