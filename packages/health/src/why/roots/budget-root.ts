import { fieldsAt, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";

import { refOf } from "../../health-ref.ts";
import { isKind } from "../../relatives.ts";
import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, keyOfRivals } from "../root-key.ts";
import { explanationOf } from "../explanation.ts";
import { warningOf, type World } from "../world.ts";

/** The disruption controller writes it about pods. */
const SEVERAL_BUDGETS = new Set(["MultiplePodDisruptionBudgets"]);

/** At most so many other budgets are named. */
const MAX_NAMED = 5;

/** Why a PodDisruptionBudget is violated: too few of its pods are healthy, or another budget selects them too, and then none is counted well. */
export function budgetRoot(subject: Subject, world: World): Root {
  return severalBudgetsRoot(subject, world) ?? ownRoot(explainViolated(subject));
}

function explainViolated({ input, ref, reason }: Subject) {
  const counts = { current: numberAt(input.status, "currentHealthy") ?? 0, desired: numberAt(input.status, "desiredHealthy") ?? 0 };
  return explanationOf("autoscaling", "budget-violated", { reason, name: ref.name, ...counts });
}

function severalBudgetsRoot(subject: Subject, world: World): Root | null {
  const { input, ref } = subject;
  const pods = (world.related ?? []).filter((object) => isKind(object, "", "Pod") && isSelected(object, input.object));
  const others = (world.related ?? []).filter((object) => isBudget(object, ref.name) && pods.some((pod) => isSelected(pod, object)));
  const event = pods.map((pod) => warningOf(refOf(pod), SEVERAL_BUDGETS, world)).find((each) => each !== undefined);
  if (others.length === 0 && event === undefined) return null;
  const names = others
    .map((object) => refOf(object).name)
    .sort()
    .slice(0, MAX_NAMED);
  const facts = { name: ref.name, others: names.length === 0 ? undefined : names, said: names.length === 0 ? event?.message : "" };
  const explanation = explanationOf("autoscaling", "several-budgets", facts);
  const key = names.length === 0 ? undefined : keyOfRivals(ref.namespace, [ref.name, ...names].sort());
  return blaming(event === undefined ? ownRoot(explanation) : eventRoot(event, explanation, subject), key);
}

function isBudget(object: Fields, besides: string): boolean {
  return isKind(object, "policy", "PodDisruptionBudget") && refOf(object).name !== besides;
}

/** Whether a budget selects a pod by labels alone; what another selector means is not known here. */
function isSelected(pod: Fields, budget: Fields): boolean {
  const [podMeta, own] = [fieldsAt(pod, "metadata"), fieldsAt(budget, "metadata")];
  const selector = fieldsAt(fieldsAt(budget, "spec"), "selector");
  const wanted = Object.entries(fieldsAt(selector, "matchLabels"));
  if (textAt(podMeta, "namespace") !== textAt(own, "namespace") || listAt(selector, "matchExpressions").length > 0) return false;
  const labels = fieldsAt(podMeta, "labels");
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}
