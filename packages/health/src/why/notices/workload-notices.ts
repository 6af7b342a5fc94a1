import { fieldsAt, fieldsOf, listAt, textOf, type Fields, numberAt, textAt } from "@binnacle/kube";

import { timeOf } from "../../age.ts";
import { conditionsOf, trueCondition, type Condition } from "../../condition.ts";
import { ownedOf, podsBelow } from "../../relatives.ts";
import { podsOfSet } from "../../replaced-pods.ts";
import { ruleInputOf } from "../../rule-input.ts";
import { podHealth } from "../../rules/pod.ts";
import { wantedAt } from "../../rules/replica-set.ts";
import type { RuleInput } from "../../verdict.ts";
import { containersOf } from "../../container-state.ts";
import { terminationWords } from "../../container-words.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import { containerFacts } from "../roots/container-facts.ts";
import type { Row } from "../rows.ts";

/** Reasons that are named; pods of one workload mostly ended for the same. */
const MAX_REASONS = 3;

/** Pods that have ended, were evicted mostly, and that their ReplicaSets have replaced: they remain until a user deletes them. */
export function leftBehindNotices({ input, ref }: Subject): Explanation[] {
  // Below a Deployment the Deployment reports all of them.
  const isBelow = listAt(input.metadata, "ownerReferences").some((owner) => fieldsOf(owner)["controller"] === true);
  if (isBelow || input.related === undefined) return [];
  const sets = input.kind === "Deployment" ? ownedOf(input, "apps", "ReplicaSet") : [input.object];
  const replaced = sets.flatMap((set) => podsOfSet(podsBelow(set, input), wantedAt(set)).replaced);
  if (replaced.length === 0) return [];
  const ends = replaced.map((pod) => endOf(pod, input));
  const reasons = [...new Set(ends.map(({ reason }) => reason))].sort().slice(0, MAX_REASONS);
  const labels = Object.entries(fieldsAt(fieldsAt(input.spec, "selector"), "matchLabels")).map(([key, value]) => `${key}=${textOf(value)}`);
  const { kind, name, namespace } = ref;
  const facts = { kind, name, namespace, count: replaced.length, reasons, selector: labels.sort().join(",") };
  const [since = ""] = ends.flatMap(({ at }) => (Number.isNaN(timeOf(at)) ? [] : [at])).sort((left, right) => timeOf(left) - timeOf(right));
  return [{ ...explanationOf("lifecycle", "left-behind", facts), since }];
}

/** Why a pod ended, and when; the time may be empty. */
function endOf(pod: Fields, { now }: RuleInput): { readonly reason: string; readonly at: string } {
  const { reason, since = "" } = podHealth(ruleInputOf(pod, { now, related: undefined }));
  const target = trueCondition(conditionsOf(fieldsAt(pod, "status")), "DisruptionTarget");
  return { reason, at: target?.changedAt ?? since };
}

/** From this many restarts on, a container that is ready again is still worth a word. */
const MANY_RESTARTS = 5;

/** What is to be noticed about a pod: a resize that does not happen, restarts that it has come over. */
export function podNotices(pod: Subject): Explanation[] {
  return [...resizeNotices(pod), ...restartNotices(pod)];
}

/** A change of its resources in place that the kubelet has put off, or cannot make. Source: k8s.io/api core/v1, PodResizePending and PodResizeInProgress. */
function resizeNotices({ ref, input }: Subject): Explanation[] {
  const conditions = conditionsOf(input.status);
  const pending = trueCondition(conditions, "PodResizePending");
  const running = trueCondition(conditions, "PodResizeInProgress");
  const row = rowOfResize(pending, running);
  const condition = row === "resize-failed" ? running : pending;
  if (row === undefined || condition === undefined) return [];
  return [{ ...explanationOf("scheduling", row, { pod: ref.name, said: condition.message }), since: condition.changedAt }];
}

function rowOfResize(pending: Condition | undefined, running: Condition | undefined): Row<"scheduling"> | undefined {
  if (pending !== undefined) return pending.reason === "Infeasible" ? "resize-infeasible" : "resize-deferred";
  return running?.reason === "Error" ? "resize-failed" : undefined;
}

function restartNotices(pod: Subject): Explanation[] {
  if (pod.status !== "Healthy") return [];
  return containersOf(pod.input).flatMap((container) => {
    if (container.restarts < MANY_RESTARTS || container.last === undefined) return [];
    const facts = { ...containerFacts(container, pod), count: container.restarts, said: terminationWords(container.last) };
    return [explanationOf("resource", "restarts", facts)];
  });
}

/** At most so many labels of a selector are named. */
const MAX_NAMED = 10;

/** A StatefulSet that updates a pod only after it was deleted, and has pods of the old template. */
export function statefulSetNotices({ input, ref }: Subject): Explanation[] {
  const wanted = numberAt(input.spec, "replicas") ?? 1;
  // Without revisions it is unknown whether there is something to update.
  const [current, update] = [textAt(input.status, "currentRevision"), textAt(input.status, "updateRevision")];
  if (!isOnDelete(input) || current === update) return [];
  return onDeleteNotices(ref, numberAt(input.status, "updatedReplicas") ?? 0, wanted);
}

/** A DaemonSet that no node matches, or that updates a pod only after it was deleted. */
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
