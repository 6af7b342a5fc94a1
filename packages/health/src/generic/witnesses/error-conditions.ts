import type { Condition } from "../../condition.ts";
import { isBeingDone } from "../condition-list.ts";
import { meaningOf } from "../condition-meaning.ts";
import type { Evidence } from "../evidence.ts";
import { isStale, reportedBy } from "../judge-condition.ts";
import type { Opinion } from "../opinion.ts";
import type { ConditionList } from "../readings.ts";
import { toneOf } from "../tone.ts";

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
