import { numberAt } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { progressing, type RuleInput, type Verdict } from "./verdict.ts";

/**
 * Progressing when the status speaks of an older spec. Compared with `<`, so that an object restored from a backup, whose
 * observedGeneration is ahead, is not stuck.
 *
 * @param absent what a missing observedGeneration means: nothing ("ignore"), or that no controller has looked yet ("zero")
 */
export function staleGeneration(input: RuleInput, absent: "ignore" | "zero"): Verdict | null {
  const observed = numberAt(input.status, "observedGeneration") ?? (absent === "zero" ? 0 : undefined);
  const generation = numberAt(input.metadata, "generation");
  if (observed === undefined || generation === undefined || observed >= generation) return null;
  return progressing("NotObserved", words("health/not-observed", { generation, observed }));
}
