import { textAt } from "@binnacle/kube";

import { MAX_TIME_CHARS } from "./bounded-text.ts";
import type { Condition } from "./condition.ts";
import type { RuleInput } from "./verdict.ts";

/** One minute in milliseconds. */
export const MINUTE_MS = 60_000;

/** One day in milliseconds. */
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Whatever is on its way for longer than this does not look as if time alone would end it. */
export const STALE_MS = 10 * MINUTE_MS;

/** The last that a Date can hold. */
const LAST_DAY_MS = 8.64e15;

/** When a condition changed, else when the object was created; empty when neither is known. */
export function changedAt(condition: Condition | undefined, input: RuleInput): string {
  return condition !== undefined && condition.changedAt !== "" ? condition.changedAt : textAt(input.metadata, "creationTimestamp");
}

/** Milliseconds since the epoch of a time as written; `NaN` when it is none. No time is longer than 64 characters. */
export function timeOf(text: string): number {
  return text.length > MAX_TIME_CHARS ? Number.NaN : Date.parse(text);
}

/** A time as Kubernetes writes it, to the second; empty when there is no such day. */
export function writtenTime(ms: number): string {
  const whole = Math.floor(ms / 1_000) * 1_000;
  return Math.abs(whole) <= LAST_DAY_MS ? new Date(whole).toISOString().replace(".000Z", "Z") : "";
}

/** A time as written, cut to now when it lies in the future: the clock that wrote it runs ahead. */
export function notAfterNow(since: string, now: number | undefined): string {
  return now !== undefined && timeOf(since) > now ? writtenTime(now) : since;
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
