import { conditionOf } from "../../condition.ts";
import type { Evidence } from "../evidence.ts";
import { judgeGood } from "../judge-condition.ts";
import { worseOf, type Opinion } from "../opinion.ts";

/** The Ready condition of the object, and those of what stands below it. */
export function ready(evidence: Evidence): Opinion | null {
  let worst: Opinion | null = null;
  for (const list of evidence.lists) {
    const condition = conditionOf(list.conditions, "Ready");
    if (condition !== undefined) worst = worseOf(worst, judgeGood({ condition, list, evidence }));
  }
  return worst;
}
