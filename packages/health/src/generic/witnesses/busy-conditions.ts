import type { Condition } from "../../condition.ts";
import { isBusy } from "../condition-list.ts";
import { meaningOf } from "../condition-meaning.ts";
import type { Evidence } from "../evidence.ts";
import { isStale, notSeen, saidBy } from "../judge-condition.ts";
import type { Opinion } from "../opinion.ts";
import { splitWords } from "../split-words.ts";
import { isDoing } from "../tone.ts";

/** A condition such as Updating that is True, unless its reason says that it is over; one such as Running that still waits for something. */
export function busyConditions(evidence: Evidence): Opinion | null {
  for (const list of evidence.lists) {
    for (const condition of list.conditions) {
      if (!isBusy(condition) && !runsAndWaits(condition)) continue;
      const heard = { condition, list, evidence };
      return isStale(condition, evidence) ? notSeen(heard) : saidBy(heard, "Progressing");
    }
  }
  return null;
}

/** Running: True, "waiting for the queue". */
function runsAndWaits({ type, status, message }: Condition): boolean {
  if (status !== "true" || message === "" || meaningOf(type) !== "good") return false;
  if (splitWords(type).at(-1) !== "running") return false;
  const [first = ""] = splitWords(message);
  return first !== "running" && isDoing(first);
}
