import type { Condition } from "@binnacle/proto/dashboard";
import type { StateLook } from "../../ui/state-glyph.tsx";

/** Types that are bad when they are True. */
const NEGATIVE = /(Failure|Failed|Failing|Error|Degraded|Stalled|Pressure|Conflict|Unavailable|Terminating|DisruptionTarget)$/;
/** Types whose False is neither good nor bad. */
const NEUTRAL_FALSE = /^(ScalingLimited|Suspended|Paused|Reconciling|Updating|FailureTarget|SuccessCriteriaMet|Complete)$/;

/** Glyph of a condition in the checklist. A look for reading only: health is decided by the server. */
export function conditionLook(condition: Pick<Condition, "type" | "status" | "reason">): StateLook {
  const status = condition.status.toLowerCase();
  if (status !== "true" && status !== "false") return "unknown";
  const isTrue = status === "true";
  if (NEGATIVE.test(condition.type)) return isTrue ? "degraded" : "healthy";
  if (NEUTRAL_FALSE.test(condition.type)) return isTrue ? "progressing" : "neutral";
  if (condition.type === "Progressing") {
    if (!isTrue) return "degraded";
    return condition.reason === "NewReplicaSetAvailable" ? "healthy" : "progressing";
  }
  return isTrue ? "healthy" : "degraded";
}
