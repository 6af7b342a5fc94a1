import { fieldsAt, listOf, textAt } from "@binnacle/kube";

import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { conditionsOf, parseConditions, trueCondition, type Condition } from "../condition.ts";
import { degraded, healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

const METRIC_GRACE_MS = 5 * MINUTE_MS;

const SCALE_FAILURES = new Set(["FailedGetScale", "FailedUpdateScale"]);

/** New pods have no metrics yet: these are failures only when they last. */
const METRIC_FAILURES = new Set([
  "FailedGetResourceMetric",
  "FailedGetContainerResourceMetric",
  "FailedGetObjectMetric",
  "FailedGetPodsMetric",
  "FailedGetExternalMetric",
  "FailedComputeMetricsReplicas",
]);

/** HorizontalPodAutoscaler: failures are looked for first, so that the order of conditions does not matter. */
export function horizontalPodAutoscalerHealth(input: RuleInput): Verdict {
  const conditions = allConditions(input);
  const broken = conditions.find(
    ({ type, reason }) =>
      (type === "AbleToScale" && SCALE_FAILURES.has(reason)) || (type === "ScalingActive" && reason === "InvalidSelector"),
  );
  if (broken !== undefined) return degraded(broken.reason, broken.message || broken.reason, changedAt(broken, input));
  const blind = conditions.find(({ type, reason }) => type === "ScalingActive" && METRIC_FAILURES.has(reason));
  if (blind !== undefined) {
    const since = changedAt(blind, input);
    const fresh = isOlderThan(since, METRIC_GRACE_MS, input.now) === false;
    const message = blind.message || blind.reason;
    return fresh ? progressing(blind.reason, `Metrics are missing: ${message}`, since) : degraded(blind.reason, message, since);
  }
  const disabled = conditions.find(({ type, reason }) => type === "ScalingActive" && reason === "ScalingDisabled");
  if (disabled !== undefined) return healthy("ScalingDisabled", disabled.message || "Scaling is disabled", changedAt(disabled, input));
  const able = trueCondition(conditions, "AbleToScale") ?? trueCondition(conditions, "ScalingLimited");
  if (able !== undefined) return healthy(able.reason || "AbleToScale", able.message || "The autoscaler works", changedAt(able, input));
  return progressing("WaitingToAutoscale", "Waiting to autoscale", changedAt(undefined, input));
}

/** v2 has them in the status, v1 as JSON in an annotation. */
function allConditions(input: RuleInput): readonly Condition[] {
  const conditions = conditionsOf(input.status);
  if (conditions.length > 0) return conditions;
  const annotation = textAt(fieldsAt(input.metadata, "annotations"), "autoscaling.alpha.kubernetes.io/conditions");
  if (annotation === "") return conditions;
  try {
    const parsed: unknown = JSON.parse(annotation);
    return parseConditions(listOf(parsed));
  } catch {
    // Somebody else's annotation: not JSON means nothing is known.
    return conditions;
  }
}
