import { changedAt } from "../age.ts";
import { conditionOf, conditionsOf, trueCondition } from "../condition.ts";
import { degraded, healthy, suspended, type RuleInput, type Verdict } from "../verdict.ts";

const PRESSURES = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];

/** Node: ready, without pressure, and open for pods. */
export function nodeHealth(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const ready = conditionOf(conditions, "Ready");
  if (ready?.status !== "true") {
    return degraded(ready?.reason || "NotReady", ready?.message || "The node does not report that it is ready", changedAt(ready, input));
  }
  for (const type of PRESSURES) {
    const pressure = trueCondition(conditions, type);
    if (pressure !== undefined) return degraded(type, pressure.message || `The node reports ${type}`, changedAt(pressure, input));
  }
  if (input.spec["unschedulable"] === true) return suspended("Cordoned", "The node is cordoned: it takes no new pods");
  return healthy("Ready", "The node is ready", changedAt(ready, input));
}
