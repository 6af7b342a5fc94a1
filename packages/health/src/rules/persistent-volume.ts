import { textAt } from "@binnacle/kube";
import { words, type Words, type WordsId } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { quotedOr } from "../quoted-or.ts";
import { degraded, healthy, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** PersistentVolume: only a failed reclaim is a fault. */
export const rule: KindRule = { kinds: ["/PersistentVolume"], generation: "before", judge: persistentVolumeHealth };

/** Messages of the phases that Kubernetes defines. */
const PHASES: ReadonlyMap<string, WordsId> = new Map<string, WordsId>([
  ["", "persistent-volume/there"],
  ["Pending", "persistent-volume/pending"],
  ["Available", "persistent-volume/available"],
  ["Bound", "persistent-volume/bound"],
  ["Released", "persistent-volume/released"],
]);

function persistentVolumeHealth(input: RuleInput): Verdict {
  const phase = textAt(input.status, "phase");
  if (phase !== "Failed") return healthy(phase || "Available", explainPhase(phase));
  const message = quotedOr(textAt(input.status, "message"), "persistent-volume/failed");
  return degraded(textAt(input.status, "reason") || "Failed", message, changedAt(undefined, input));
}

function explainPhase(phase: string): Words {
  const known = PHASES.get(phase);
  return known === undefined ? words("persistent-volume/phase", { phase: phase.toLowerCase() }) : words(known);
}
