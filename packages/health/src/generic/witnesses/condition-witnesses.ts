import { type Condition, conditionOf } from "../../condition.ts";
import { isBeingDone, isBusy } from "../condition-list.ts";
import { meaningOf } from "../condition-meaning.ts";
import type { Evidence } from "../evidence.ts";
import { isStale, reportedBy, judgeGood, notSeen } from "../judge-condition.ts";
import { type Opinion, worseOf } from "../opinion.ts";
import type { ConditionList } from "../readings.ts";
import { toneOf, isDoing } from "../tone.ts";
import { splitWords } from "../split-words.ts";
import { OVER_WORDS } from "../vocabulary/condition-words.ts";
import { wordList } from "../vocabulary/word-list.ts";

/** A condition that means ill and is True, or any that is False for a reason that names an error, or Unknown for one that ends in it. */
export function errorConditions(evidence: Evidence): Opinion | null {
  for (const list of evidence.lists) {
    for (const condition of list.conditions) {
      if (isError(condition, list) && !isStale(condition, evidence)) return reportedBy({ condition, list, evidence }, "Degraded");
    }
  }
  return null;
}

function isError({ type, status, reason }: Condition, list: ConditionList): boolean {
  const meaning = meaningOf(type);
  if (meaning === "bad") return status === "true";
  if (meaning === "pause") return false;
  if (status === "unknown") return toneOf(reason).errorLast;
  if (status !== "false") return false;
  const { error, absent } = toneOf(reason);
  // What is missing may be what is just being made.
  return error && !(absent && isBeingDone(list));
}

/** The Ready condition of the object, and those of what stands below it. */
export function ready(evidence: Evidence): Opinion | null {
  let worst: Opinion | null = null;
  for (const list of evidence.lists) {
    const condition = conditionOf(list.conditions, "Ready");
    if (condition !== undefined) worst = worseOf(worst, judgeGood({ condition, list, evidence }));
  }
  return worst;
}

/** A condition such as Updating that is True, unless its reason says that it is over; one such as Running that still waits for something. */
export function busyConditions(evidence: Evidence): Opinion | null {
  for (const list of evidence.lists) {
    for (const condition of list.conditions) {
      if (!isBusy(condition) && !runsAndWaits(condition)) continue;
      const heard = { condition, list, evidence };
      return isStale(condition, evidence) ? notSeen(heard) : reportedBy(heard, "Progressing");
    }
  }
  return null;
}

/** Running: True, "waiting for the queue", or "running reconciliation". */
function runsAndWaits({ type, status, reason, message }: Condition): boolean {
  if (status !== "true" || message === "" || meaningOf(type) !== "good") return false;
  if (splitWords(type).at(-1) !== "running") return false;
  // "Awaiting next reconciliation", for the reason Successful.
  if (splitWords(reason).some((word) => OVER_WORDS.has(word))) return false;
  const [first = "", second = ""] = splitWords(message);
  return first === "running" ? RUNNABLE.has(second) : isDoing(first);
}

/** What a controller runs, where it is not the object that runs. */
const RUNNABLE = wordList("reconciliation reconcile playbook playbooks tasks migration migrations upgrade update installation");

/** Other types that mean well, where there is no Ready that sums them up. */
export function knownConditions(evidence: Evidence): Opinion | null {
  let worst: Opinion | null = null;
  for (const list of evidence.lists) {
    if (conditionOf(list.conditions, "Ready") !== undefined) continue;
    for (const condition of list.conditions) {
      if (meaningOf(condition.type) === "good") worst = worseOf(worst, judgeGood({ condition, list, evidence }));
    }
  }
  return worst;
}

/** An object all of whose conditions mean ill or busy, and are False: its controller says in its own way that nothing is wrong. */
export function deniedConditions(evidence: Evidence): Opinion | null {
  const [list] = evidence.lists;
  if (list === undefined || list.path !== "") return null;
  const denied = list.conditions.every(({ type, status }) => status === "false" && DENIABLE.has(meaningOf(type)));
  const bad = list.conditions.find(({ type }) => meaningOf(type) === "bad");
  if (!denied || bad === undefined) return null;
  const stale = list.conditions.find((condition) => isStale(condition, evidence));
  return stale === undefined ? reportedBy({ condition: bad, list, evidence }, "Healthy") : notSeen({ condition: stale, list, evidence });
}

const DENIABLE: ReadonlySet<string> = new Set(["bad", "busy", "pause"]);
