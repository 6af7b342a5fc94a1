import { textAt } from "@binnacle/kube";

import { changedAt } from "../age.ts";
import { conditionsOf } from "../condition.ts";
import { healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** Namespace: there, or going. */
export function namespaceHealth(input: RuleInput): Verdict {
  if (textAt(input.status, "phase") !== "Terminating") return healthy("Active", "The namespace is active");
  const blocked = conditionsOf(input.status).find((condition) => condition.status === "true" && condition.message !== "");
  return progressing("Terminating", blocked?.message ?? "The namespace is being removed", changedAt(blocked, input));
}
