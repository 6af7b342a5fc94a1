import { words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionOf, conditionsOf, trueCondition } from "../condition.ts";
import { quotedOr } from "../quoted-or.ts";
import { degraded, healthy, suspended, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** Node: ready, without pressure, and open for pods. */
export const rule: KindRule = { kinds: ["/Node"], generation: "before", judge: nodeHealth };

const PRESSURES = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];

function nodeHealth(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const ready = conditionOf(conditions, "Ready");
  if (ready?.status !== "true") {
    const message = quotedOr(ready?.message, "node/not-reported-ready");
    return degraded(ready?.reason || "NotReady", message, changedAt(ready, input));
  }
  for (const type of PRESSURES) {
    const pressure = trueCondition(conditions, type);
    if (pressure !== undefined) {
      const message = quotedOr(pressure.message, "node/reports", { condition: type });
      return degraded(type, message, changedAt(pressure, input));
    }
  }
  if (input.spec["unschedulable"] === true) return suspended("Cordoned", words("node/takes-no-pods"));
  return healthy("Ready", words("node/ready"), changedAt(ready, input));
}
