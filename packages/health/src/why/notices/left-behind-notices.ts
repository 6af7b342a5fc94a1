import { fieldsAt, fieldsOf, listAt, textOf, type Fields } from "@binnacle/kube";

import { timeOf } from "../../age.ts";
import { conditionsOf, trueCondition } from "../../condition.ts";
import { ownedOf, podsBelow } from "../../relatives.ts";
import { podsOfSet } from "../../replaced-pods.ts";
import { ruleInputOf } from "../../rule-input.ts";
import { podHealth } from "../../rules/pod.ts";
import { wantedAt } from "../../rules/replica-set.ts";
import type { RuleInput } from "../../verdict.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** Reasons that are named; pods of one workload mostly ended for the same. */
const MAX_REASONS = 3;

/** Pods that have ended, were evicted mostly, and that their ReplicaSets have replaced: they lie there until somebody deletes them. */
export function leftBehindNotices({ input, ref }: Subject): Explanation[] {
  // Below a Deployment it is the Deployment that tells of all of them.
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
