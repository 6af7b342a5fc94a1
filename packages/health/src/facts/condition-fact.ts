import { numberAt } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { conditionOf, conditionsOf } from "../condition.ts";
import type { RuleInput } from "../verdict.ts";
import { named } from "./named.ts";
import { phaseOf } from "./phase-of.ts";

/** For any other kind: "2/3 ready", "Ready", "not ready · InvalidCredentials", or the phase. */
export function conditionFact(input: RuleInput): Words | undefined {
  const wanted = numberAt(input.spec, "replicas");
  const replicas = numberAt(input.status, "readyReplicas");
  if (wanted !== undefined && replicas !== undefined) return words("fact/ready", { count: `${replicas}/${wanted}` });
  const ready = conditionOf(conditionsOf(input.status), "Ready");
  if (ready?.status === "true") return words("fact/is-ready");
  if (ready !== undefined) return words("fact/not-ready", { why: ready.reason });
  return named(phaseOf(input.status));
}
