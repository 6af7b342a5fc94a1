import { textAt } from "@binnacle/kube";

import { MOST_TIME_CHARS } from "./bounded-text.ts";
import type { Condition } from "./condition.ts";
import type { RuleInput } from "./verdict.ts";

/** One minute in milliseconds. */
export const MINUTE_MS = 60_000;

/** Whatever is on its way for longer than this does not look as if time alone would end it. */
export const STALE_MS = 10 * MINUTE_MS;

/** When a condition changed, else when the object was created; empty when neither is known. */
export function changedAt(condition: Condition | undefined, input: RuleInput): string {
  return condition !== undefined && condition.changedAt !== "" ? condition.changedAt : textAt(input.metadata, "creationTimestamp");
}

/** Milliseconds since the epoch of a time as written; `NaN` when it is none. No time is longer than 64 characters. */
export function timeOf(text: string): number {
  return text.length > MOST_TIME_CHARS ? Number.NaN : Date.parse(text);
}

/**
 * Whether `since` lies more than `ms` back. A time that is not known counts as long ago, because grace is only given to
 * what is known to be fresh; `undefined` when the current time is not known.
 */
export function isOlderThan(since: string, ms: number, now: number | undefined): boolean | undefined {
  if (now === undefined) return undefined;
  const at = timeOf(since);
  return Number.isNaN(at) || now - at > ms;
}
