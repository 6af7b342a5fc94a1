import { conditionOf } from "../../condition.ts";
import { meaningOf } from "../condition-meaning.ts";
import type { Evidence } from "../evidence.ts";
import { judgeGood } from "../judge-condition.ts";
import { worseOf, type Opinion } from "../opinion.ts";

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
