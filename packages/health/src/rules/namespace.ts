import { textAt } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionsOf } from "../condition.ts";
import { quotedOr } from "../quoted-or.ts";
import { healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** Namespace: there, or going. */
export const rule: KindRule = { kinds: ["/Namespace"], generation: "before", judge: namespaceHealth };

function namespaceHealth(input: RuleInput): Verdict {
  if (textAt(input.status, "phase") !== "Terminating") return healthy("Active", words("namespace/active"));
  const blocked = conditionsOf(input.status).find((condition) => condition.status === "true" && condition.message !== "");
  return progressing("Terminating", quotedOr(blocked?.message, "namespace/terminating"), changedAt(blocked, input));
}
