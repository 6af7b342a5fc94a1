import { numberAt } from "@binnacle/kube";

import { conditionOf, conditionsOf } from "../condition.ts";
import { phaseOf } from "../generic/phase-words.ts";
import type { RuleInput } from "../verdict.ts";

/** For any other kind: "2/3 ready", "Ready", "not ready · InvalidCredentials", or the phase. */
export function conditionFact(input: RuleInput): string {
  const wanted = numberAt(input.spec, "replicas");
  const replicas = numberAt(input.status, "readyReplicas");
  if (wanted !== undefined && replicas !== undefined) return `${replicas}/${wanted} ready`;
  const ready = conditionOf(conditionsOf(input.status), "Ready");
  if (ready?.status === "true") return "Ready";
  if (ready !== undefined) return ready.reason === "" ? "not ready" : `not ready · ${ready.reason}`;
  return phaseOf(input.status);
}
