import { numberAt } from "@binnacle/kube";

import { changedAt } from "../age.ts";
import type { Condition } from "../condition.ts";
import { degraded, healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";
import { isEndType, meaningOf } from "./condition-meaning.ts";
import { phaseOf, statusOfPhase } from "./phase-words.ts";
import { isErrorWord, isProgressWord, saysNothing } from "./reason-words.ts";

/** Verdict by the Ready condition, with the others as witnesses against a True. */
export function judgeReady(input: RuleInput, ready: Condition, others: readonly Condition[]): Verdict {
  if (isStale(ready, input)) return notSeen(ready, input);
  if (ready.status !== "true") return ready.status === "false" ? judgeFalse(input, ready) : waiting(ready, input);
  const bad = others.find((condition) => condition.status === "true" && /^(?:Degraded|Failed|Stalled)$/.test(condition.type));
  if (bad !== undefined) return fault(bad, input);
  const busy = others.find((condition) => condition.status === "true" && /^(?:Updating|Issuing|RollingUpdate)$/.test(condition.type));
  if (busy !== undefined) return waiting(busy, input);
  return healthy(ready.reason || "Ready", ready.message || "The resource is ready", changedAt(ready, input));
}

/** Verdict by types whose meaning is known; a fault wins over waiting, waiting over well. `null` when no type is known. */
export function judgeConditions(input: RuleInput, conditions: readonly Condition[]): Verdict | null {
  let busy: Verdict | null = null;
  let good: Verdict | null = null;
  for (const condition of conditions) {
    const verdict = judgeOne(input, condition);
    if (verdict === null) continue;
    if (verdict.status === "Degraded") return verdict;
    if (verdict.status === "Progressing") busy ??= verdict;
    else good ??= verdict;
  }
  return busy ?? good;
}

function judgeOne(input: RuleInput, condition: Condition): Verdict | null {
  const meaning = meaningOf(condition.type);
  if (meaning === "other" || condition.status === "") return null;
  if (isStale(condition, input)) return notSeen(condition, input);
  if (meaning === "bad") return condition.status === "true" ? fault(condition, input) : null;
  if (meaning === "busy") return condition.status === "true" && !isOver(condition) ? waiting(condition, input) : null;
  if (condition.status === "true") return healthy(condition.reason || condition.type, wordsOf(condition), changedAt(condition, input));
  return condition.status === "false" ? judgeFalse(input, condition) : waiting(condition, input);
}

/** A good thing that is not so: a fault, unless it says that it takes time. */
function judgeFalse(input: RuleInput, condition: Condition): Verdict {
  const { reason, message } = condition;
  if (isProgressWord(reason)) return waiting(condition, input);
  if (saysNothing(reason)) {
    if (isErrorWord(message)) return fault(condition, input);
    if (isProgressWord(message)) return waiting(condition, input);
    const phase = phaseOf(input.status);
    if (phase !== "" && statusOfPhase(phase) === "Progressing") return waiting(condition, input);
  }
  if (isEndType(condition.type) && !isErrorWord(reason) && !isErrorWord(message)) return waiting(condition, input);
  return fault(condition, input);
}

/** "Progressing: NewReplicaSetAvailable" and the like: True, and yet over. */
function isOver(condition: Condition): boolean {
  return /available|complete|succe|finish|done|ready$/i.test(condition.reason) && !isProgressWord(condition.reason);
}

function isStale(condition: Condition, input: RuleInput): boolean {
  const generation = numberAt(input.metadata, "generation");
  return condition.observedGeneration !== undefined && generation !== undefined && condition.observedGeneration < generation;
}

function notSeen(condition: Condition, input: RuleInput): Verdict {
  const seen = `it has seen ${condition.observedGeneration ?? 0}`;
  return progressing("NotObserved", `Condition ${condition.type} speaks of an older generation; ${seen}`, changedAt(condition, input));
}

function fault(condition: Condition, input: RuleInput): Verdict {
  return degraded(condition.reason || condition.type, wordsOf(condition), changedAt(condition, input));
}

function waiting(condition: Condition, input: RuleInput): Verdict {
  return progressing(condition.reason || condition.type, wordsOf(condition), changedAt(condition, input));
}

function wordsOf(condition: Condition): string {
  return condition.message || `${condition.type} is ${condition.status}${condition.reason === "" ? "" : ` (${condition.reason})`}`;
}
