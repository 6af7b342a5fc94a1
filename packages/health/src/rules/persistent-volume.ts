import { textAt } from "@binnacle/kube";

import { changedAt } from "../age.ts";
import { degraded, healthy, type RuleInput, type Verdict } from "../verdict.ts";

/** PersistentVolume: only a failed reclaim is a fault. */
export function persistentVolumeHealth(input: RuleInput): Verdict {
  const phase = textAt(input.status, "phase");
  if (phase !== "Failed") return healthy(phase || "Available", `The volume is ${phase === "" ? "there" : phase.toLowerCase()}`);
  const said = textAt(input.status, "message");
  return degraded(textAt(input.status, "reason") || "Failed", said || "The volume could not be reclaimed", changedAt(undefined, input));
}
