import { words, type Words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import type { Condition } from "../condition.ts";
import type { HealthStatus } from "../health-status.ts";
import { quotedOr } from "../quoted-or.ts";
import { isBeingDone } from "./condition-list.ts";
import { isEndType, isOutcome } from "./condition-meaning.ts";
import type { Evidence } from "./evidence.ts";
import type { Opinion } from "./opinion.ts";
import type { ConditionList } from "./readings.ts";
import { statusOfState } from "./state-meaning.ts";
import { toneOf } from "./tone.ts";

/** A condition in its list. */
export interface Heard {
  readonly condition: Condition;
  readonly list: ConditionList;
  readonly evidence: Evidence;
}

/** What a condition says, in its own words. */
export function reportedBy(heard: Heard, status: HealthStatus): Opinion {
  const { condition, evidence } = heard;
  return {
    status,
    reason: condition.reason || condition.type,
    message: status === "Healthy" && condition.type === "Ready" ? quotedOr(condition.message, "custom-resource/ready") : wordsOf(condition),
    since: changedAt(condition, evidence.input),
    because: becauseOf(heard),
  };
}

/** A condition that is of an older generation says nothing but that. */
export function notSeen(heard: Heard): Opinion {
  const { condition, evidence } = heard;
  const facts = { condition: condition.type, observed: condition.observedGeneration ?? 0 };
  return {
    status: "Progressing",
    reason: "NotObserved",
    message: words("condition/older-generation", facts),
    since: changedAt(condition, evidence.input),
    because: becauseOf(heard),
  };
}

/** Whether a condition is of an older generation of the object. */
export function isStale({ observedGeneration }: Condition, { generation }: Evidence): boolean {
  return observedGeneration !== undefined && generation !== undefined && observedGeneration < generation;
}

/** A good thing: True is well, Unknown takes time, False is a fault unless it says that it takes time. */
export function judgeGood(heard: Heard): Opinion | null {
  const { condition, evidence } = heard;
  if (condition.status === "") return null;
  if (isStale(condition, evidence)) return notSeen(heard);
  // "Complete", because "BatchFailed".
  if (condition.status === "true")
    return reportedBy(heard, isEndType(condition.type) && toneOf(condition.reason).errorLast ? "Degraded" : "Healthy");
  if (condition.status === "unknown") return judgeUnknown(heard);
  return reportedBy(heard, isFault(heard) ? "Degraded" : "Progressing");
}

/** Unknown takes time; after the end it says nothing any more. */
function judgeUnknown(heard: Heard): Opinion | null {
  return heard.evidence.readings.ended ? null : reportedBy(heard, "Progressing");
}

function isFault({ condition, list, evidence }: Heard): boolean {
  const { type, reason, message } = condition;
  const tone = toneOf(reason);
  if (tone.error) return !(tone.absent && isBeingDone(list));
  if (list.busy !== undefined) return !isBeingDone(list) && toneOf(message).error;
  if (tone.progress) return toneOf(message).errorFirst;
  if (tone.nothing || reason === type) return toneOf(message).error;
  return !isEndType(type) || toneOf(message).error || (evidence.readings.ended && isOutcome(type)) || statusOfState(reason) === "Degraded";
}

function becauseOf({ condition, list }: Heard): Words {
  return words("because/condition", { ...factsOf(condition), path: list.path });
}

function wordsOf(condition: Condition): Words {
  return quotedOr(condition.message, "condition/state", factsOf(condition));
}

function factsOf({ type, status, reason }: Condition): { condition: string; status: string; reason: string } {
  return { condition: type, status, reason };
}
