import { textAt } from "@binnacle/kube";

import { quotedOr } from "../quoted-or.ts";
import { degraded, healthy, progressing, unknown, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** Argo Workflow: its phase. */
export const rule: KindRule = { kinds: ["argoproj.io/Workflow"], generation: "before", judge: workflowHealth };

function workflowHealth({ status }: RuleInput): Verdict {
  const phase = textAt(status, "phase");
  const message = textAt(status, "message");
  const since = textAt(status, "startedAt");
  if (phase === "" || phase === "Pending" || phase === "Running")
    return progressing(phase || "Pending", quotedOr(message, "workflow/runs"), since);
  const end = textAt(status, "finishedAt");
  if (phase === "Succeeded") return healthy(phase, quotedOr(message, "workflow/succeeded"), end);
  if (phase === "Failed" || phase === "Error") return degraded(phase, quotedOr(message, "workflow/failed"), end);
  return unknown("UnknownPhase", quotedOr(message, "health/phase-not-known", { phase }));
}
