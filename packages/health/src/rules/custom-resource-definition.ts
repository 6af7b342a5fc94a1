import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { conditionOf, conditionsOf, falseCondition, trueCondition, type Condition } from "../condition.ts";
import { quotedOr } from "../quoted-or.ts";
import { degraded, healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** CustomResourceDefinition: served, or why not; a fresh one is given a minute. */
export const rule: KindRule = {
  kinds: ["apiextensions.k8s.io/CustomResourceDefinition"],
  generation: "before",
  judge: customResourceDefinitionHealth,
};

function customResourceDefinitionHealth(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const ending = trueCondition(conditions, "Terminating");
  if (ending !== undefined)
    return progressing("Terminating", quotedOr(ending.message, "custom-resource-definition/terminating"), changedAt(ending, input));
  const names = falseCondition(conditions, "NamesAccepted");
  if (names !== undefined) return faultOf(names, input);
  const schema = trueCondition(conditions, "NonStructuralSchema");
  if (schema !== undefined) return faultOf(schema, input);
  const established = conditionOf(conditions, "Established");
  if (established?.status === "true")
    return healthy("Established", quotedOr(established.message, "custom-resource-definition/established"), changedAt(established, input));
  if (established?.status === "false" && established.reason !== "Installing") return faultOf(established, input);
  return progressing("Installing", quotedOr(established?.message, "custom-resource-definition/installing"), changedAt(established, input));
}

function faultOf(condition: Condition, input: RuleInput): Verdict {
  const since = changedAt(condition, input);
  const reason = condition.reason || condition.type;
  const message = quotedOr(condition.message, "condition/reason", { condition: condition.type, reason });
  const fresh = isOlderThan(since, MINUTE_MS, input.now) === false;
  return fresh ? progressing(reason, message, since) : degraded(reason, message, since);
}
