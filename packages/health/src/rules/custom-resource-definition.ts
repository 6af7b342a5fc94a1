import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { conditionOf, conditionsOf, falseCondition, trueCondition, type Condition } from "../condition.ts";
import { degraded, healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** CustomResourceDefinition: served, or why not; a fresh one is given a minute. */
export function customResourceDefinitionHealth(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const ending = trueCondition(conditions, "Terminating");
  if (ending !== undefined)
    return progressing("Terminating", ending.message || "The definition is being removed", changedAt(ending, input));
  const names = falseCondition(conditions, "NamesAccepted");
  if (names !== undefined) return faultOf(names, input);
  const schema = trueCondition(conditions, "NonStructuralSchema");
  if (schema !== undefined) return faultOf(schema, input);
  const established = conditionOf(conditions, "Established");
  if (established?.status === "true")
    return healthy("Established", established.message || "The kind is served", changedAt(established, input));
  if (established?.status === "false" && established.reason !== "Installing") return faultOf(established, input);
  return progressing("Installing", established?.message || "The kind is not served yet", changedAt(established, input));
}

function faultOf(condition: Condition, input: RuleInput): Verdict {
  const since = changedAt(condition, input);
  const reason = condition.reason || condition.type;
  const message = condition.message || `${condition.type}: ${reason}`;
  const fresh = isOlderThan(since, MINUTE_MS, input.now) === false;
  return fresh ? progressing(reason, message, since) : degraded(reason, message, since);
}
