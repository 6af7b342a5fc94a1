import { changedAt } from "../age.ts";
import { conditionOf, conditionsOf } from "../condition.ts";
import { quotedOr } from "../quoted-or.ts";
import { healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** APIService: Available, or on its way. */
export const rule: KindRule = { kinds: ["apiregistration.k8s.io/APIService"], generation: "before", judge: apiServiceHealth };

function apiServiceHealth(input: RuleInput): Verdict {
  const available = conditionOf(conditionsOf(input.status), "Available");
  const since = changedAt(available, input);
  if (available?.status === "true")
    return healthy(available.reason || "Available", quotedOr(available.message, "api-service/available"), since);
  return progressing(available?.reason || "Waiting", quotedOr(available?.message, "api-service/waiting"), since);
}
