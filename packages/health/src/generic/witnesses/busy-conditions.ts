import type { Condition } from "../../condition.ts";
import { isBusy } from "../condition-list.ts";
import { meaningOf } from "../condition-meaning.ts";
import type { Evidence } from "../evidence.ts";
import { isStale, notSeen, reportedBy } from "../judge-condition.ts";
import type { Opinion } from "../opinion.ts";
import { splitWords } from "../split-words.ts";
import { isDoing } from "../tone.ts";
import { OVER_WORDS } from "../vocabulary/condition-words.ts";
import { wordList } from "../vocabulary/word-list.ts";

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
