import { textAt } from "@binnacle/kube";

import type { Condition } from "./condition.ts";
import type { RuleInput } from "./verdict.ts";

/** One minute in milliseconds. */
export const MINUTE_MS = 60_000;

/** When a condition changed, else when the object was created; empty when neither is known. */
export function changedAt(condition: Condition | undefined, input: RuleInput): string {
  return condition !== undefined && condition.changedAt !== "" ? condition.changedAt : textAt(input.metadata, "creationTimestamp");
}

/**
 * Whether `since` lies more than `ms` back. A time that is not known counts as long ago, because grace is only given to
 * what is known to be fresh; `undefined` when the current time is not known.
 */
export function isOlderThan(since: string, ms: number, now: number | undefined): boolean | undefined {
  if (now === undefined) return undefined;
  const at = Date.parse(since);
  return Number.isNaN(at) || now - at > ms;
}
