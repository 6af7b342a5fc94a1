import { textAt, fieldsAt, quantityOf, numberAt } from "@binnacle/kube";

import { conditionsOf, trueCondition, type Condition, falseCondition } from "../../condition.ts";
import type { Row } from "../rows.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** Conditions of a claim that serves on while something else about it does not work. Source: k8s.io/api core/v1, PersistentVolumeClaimConditionType. */
const CONDITIONS: readonly (readonly [string, Row<"storage">])[] = [
  ["ControllerResizeError", "resize-failed"],
  ["NodeResizeError", "resize-failed"],
  ["ModifyVolumeError", "modify-failed"],
  ["FileSystemResizePending", "resize-waits-for-pod"],
];

/** What keeps a claim from its new size or its new class, though it is bound. */
export function claimNotices(subject: Subject): Explanation[] {
  const { name } = subject.ref;
  const created = textAt(subject.input.metadata, "creationTimestamp");
  if (subject.reason === "WaitForFirstConsumer") return [{ ...explanationOf("storage", "waits-for-consumer", { name }), since: created }];
  const conditions = conditionsOf(subject.input.status);
  const rows = CONDITIONS.flatMap(([type, row]): [Row<"storage">, Condition][] => {
    const condition = trueCondition(conditions, type);
    return condition === undefined ? [] : [[row, condition]];
  });
  // Controller and node may both fail at one and the same resize.
  const once = rows.filter(([row], index) => rows.findIndex(([each]) => each === row) === index);
  return once.map(([row, { message, changedAt }]) => ({ ...explanationOf("storage", row, { name, said: message }), since: changedAt }));
}

/** From this part of a limit on it is worth a word: one more rollout may reach it. */
const NEAR_LIMIT = 0.9;

/** Resources of one quota that are looked at; Kubernetes has some dozens. */
const MAX_RESOURCES = 200;

interface Usage {
  readonly resource: string;
  readonly used: string;
  readonly hard: string;
  readonly part: number;
}

/** A ResourceQuota of which at least nine tenths are used; the fullest resource is named. */
export function quotaNotices({ input, ref }: Subject): Explanation[] {
  const hard = fieldsAt(input.status, "hard");
  const used = fieldsAt(input.status, "used");
  const near = Object.entries(hard)
    .slice(0, MAX_RESOURCES)
    .map(([resource, limit]): Usage => ({ resource, used: shown(used[resource]), hard: shown(limit), part: partOf(used[resource], limit) }))
    .filter(({ part }) => part >= NEAR_LIMIT)
    .sort((left, right) => right.part - left.part || (left.resource < right.resource ? -1 : 1));
  const [first] = near;
  if (first === undefined) return [];
  const { resource, part } = first;
  const more = near.length === 1 ? undefined : near.length - 1;
  // Nine hundred and ninety-nine of a thousand is not all of it.
  const percent = Math.floor(part * 100);
  return [explanationOf("creation", "quota-near", { name: ref.name, resource, used: first.used, hard: first.hard, percent, more })];
}

/** Nothing is near a limit of zero: it forbids the resource, and is kept. */
function partOf(used: unknown, limit: unknown): number {
  const [a, b] = [quantityOf(used), quantityOf(limit)];
  return a === undefined || b === undefined || b <= 0 ? 0 : a / b;
}

function shown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "0";
}

/** A budget that its controller cannot work out, or that allows no disruption now. */
export function budgetNotices({ input, ref, status }: Subject): Explanation[] {
  const failed = falseCondition(conditionsOf(input.status), "DisruptionAllowed");
  const since = failed?.changedAt ?? "";
  if (failed?.reason === "SyncFailed")
    return [{ ...explanationOf("autoscaling", "budget-sync-failed", { name: ref.name, said: failed.message }), since }];
  const blocks = numberAt(input.status, "disruptionsAllowed") === 0 && (numberAt(input.status, "expectedPods") ?? 0) > 0;
  return blocks && status === "Healthy" ? [{ ...explanationOf("autoscaling", "no-disruption", { name: ref.name }), since }] : [];
}

/** An autoscaler that wants more than it may. */
export function maximumNotices({ input, ref }: Subject): Explanation[] {
  const limited = trueCondition(conditionsOf(input.status), "ScalingLimited");
  if (limited?.reason !== "TooManyReplicas") return [];
  const explanation = explanationOf("autoscaling", "at-maximum", { name: ref.name, max: numberAt(input.spec, "maxReplicas") });
  return [{ ...explanation, since: limited.changedAt }];
}
