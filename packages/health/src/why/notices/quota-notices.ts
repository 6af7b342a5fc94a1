import { fieldsAt, quantityOf } from "@binnacle/kube";

import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

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
