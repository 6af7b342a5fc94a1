import { fieldsAt, numberAt, textAt, textOf } from "@binnacle/kube";

import type { RuleInput } from "../../verdict.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** At most so many labels of a selector are named. */
const MAX_NAMED = 10;

/** A StatefulSet that updates a pod only when somebody deletes it, and has pods of the old template. */
export function statefulSetNotices({ input, ref }: Subject): Explanation[] {
  const wanted = numberAt(input.spec, "replicas") ?? 1;
  // Without revisions nobody knows whether there is something to update.
  const [current, update] = [textAt(input.status, "currentRevision"), textAt(input.status, "updateRevision")];
  if (!isOnDelete(input) || current === update) return [];
  return onDeleteNotices(ref, numberAt(input.status, "updatedReplicas") ?? 0, wanted);
}

/** A DaemonSet that no node matches, or that updates a pod only when somebody deletes it. */
export function daemonSetNotices({ input, ref }: Subject): Explanation[] {
  const wanted = numberAt(input.status, "desiredNumberScheduled");
  if (wanted === undefined) return [];
  if (wanted > 0) return isOnDelete(input) ? onDeleteNotices(ref, numberAt(input.status, "updatedNumberScheduled") ?? 0, wanted) : [];
  const selector = Object.entries(fieldsAt(fieldsAt(fieldsAt(input.spec, "template"), "spec"), "nodeSelector")).slice(0, MAX_NAMED);
  const labels = selector.map(([label, value]) => `${label}=${textOf(value)}`).sort();
  return [explanationOf("rollout", "no-nodes", { kind: ref.kind, name: ref.name, labels: labels.length === 0 ? undefined : labels })];
}

function onDeleteNotices({ kind, name }: Subject["ref"], updated: number, wanted: number): Explanation[] {
  return updated >= wanted ? [] : [explanationOf("rollout", "on-delete", { kind, name, updated, wanted })];
}

function isOnDelete({ spec }: RuleInput): boolean {
  return textAt(fieldsAt(spec, "updateStrategy"), "type") === "OnDelete";
}
