import { fieldsAt, listOf, numberAt, textAt } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { conditionsOf, falseCondition, parseConditions, trueCondition, type Condition } from "../condition.ts";
import { quotedOr } from "../quoted-or.ts";
import { degraded, healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/**
 * HorizontalPodAutoscaler: failures are looked for first, so that the order of conditions does not matter. The first version of its API
 * has no conditions and not always the annotation with them: one that works has then no opinion, also during a long watch.
 */
export const rule: KindRule = {
  kinds: ["autoscaling/HorizontalPodAutoscaler"],
  generation: "before",
  judge: horizontalPodAutoscalerHealth,
};

const METRIC_GRACE_MS = 5 * MINUTE_MS;

/** A controller that writes conditions writes them within seconds. */
const SILENCE_MS = 10 * MINUTE_MS;

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

function horizontalPodAutoscalerHealth(input: RuleInput): Verdict | null {
  const conditions = allConditions(input);
  if (conditions.length === 0 && isSilent(input)) return null;
  const broken = conditions.find(isBroken);
  if (broken !== undefined) return degraded(broken.reason, quoted(broken.message || broken.reason), changedAt(broken, input));
  const blind = conditions.find(({ type, reason }) => type === "ScalingActive" && METRIC_FAILURES.has(reason));
  if (blind !== undefined) {
    const since = changedAt(blind, input);
    const fresh = isOlderThan(since, METRIC_GRACE_MS, input.now) === false;
    const detail = quoted(blind.message || blind.reason);
    if (!fresh) return degraded(blind.reason, detail, since);
    return progressing(blind.reason, words("horizontal-pod-autoscaler/metrics-missing", { said: detail }), since);
  }
  const disabled = conditions.find(({ type, reason }) => type === "ScalingActive" && reason === "ScalingDisabled");
  if (disabled !== undefined)
    return healthy("ScalingDisabled", quotedOr(disabled.message, "horizontal-pod-autoscaler/disabled"), changedAt(disabled, input));
  const unable = falseCondition(conditions, "AbleToScale") !== undefined;
  const able = trueCondition(conditions, "AbleToScale") ?? (unable ? undefined : trueCondition(conditions, "ScalingLimited"));
  if (able !== undefined)
    return healthy(able.reason || "AbleToScale", quotedOr(able.message, "horizontal-pod-autoscaler/works"), changedAt(able, input));
  return progressing("WaitingToAutoscale", words("horizontal-pod-autoscaler/waiting"), changedAt(undefined, input));
}

/** Whether it cannot read or change the scale, or does not scale at all; missing metrics are looked at for themselves. */
function isBroken({ type, status, reason }: Condition): boolean {
  if (type === "AbleToScale") return SCALE_FAILURES.has(reason);
  return type === "ScalingActive" && status === "false" && reason !== "ScalingDisabled" && !METRIC_FAILURES.has(reason);
}

/** Whether it has counted pods for long, and has never reported more. */
function isSilent(input: RuleInput): boolean {
  if (input.version !== "v1" || input.scope === undefined || (numberAt(input.status, "currentReplicas") ?? 0) === 0) return false;
  return isOlderThan(changedAt(undefined, input), SILENCE_MS, input.now) === true;
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
    // The annotation may be of another writer: without valid JSON nothing is known.
    return conditions;
  }
}
