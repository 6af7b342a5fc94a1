import type { Condition } from "../condition.ts";
import { meaningOf } from "./condition-meaning.ts";
import type { ConditionList } from "./readings.ts";
import { splitWords } from "./split-words.ts";
import { toneOf } from "./tone.ts";
import { OVER_WORDS } from "./vocabulary/condition-words.ts";

/** So many conditions of one list are heard: no controller writes a tenth of it. */
export const MAX_HEARD = 100;

/** A list of conditions as witnesses hear it. */
export function conditionList(path: string, conditions: readonly Condition[]): ConditionList {
  const heard = conditions.length > MAX_HEARD ? conditions.slice(0, MAX_HEARD) : conditions;
  return { path, conditions: heard, busy: heard.find(isBusy) };
}

/** Whether a busy condition is True and its reason does not say that the work is over. */
export function isBusy({ type, status, reason }: Condition): boolean {
  if (status !== "true" || meaningOf(type) !== "busy") return false;
  return toneOf(reason).progress || !splitWords(reason).some((word) => OVER_WORDS.has(word));
}

/** Whether work is in progress beside a condition that is False, and is not a retry. */
export function isBeingDone({ busy }: ConditionList): boolean {
  return busy !== undefined && !toneOf(busy.reason).retry;
}
