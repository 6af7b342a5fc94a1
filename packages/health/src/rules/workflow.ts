import { textAt } from "@binnacle/kube";

import { degraded, healthy, progressing, unknown, type RuleInput, type Verdict } from "../verdict.ts";

/** Argo Workflow: its phase. */
export function workflowHealth({ status }: RuleInput): Verdict {
  const phase = textAt(status, "phase");
  const message = textAt(status, "message");
  const since = textAt(status, "startedAt");
  if (phase === "" || phase === "Pending" || phase === "Running")
    return progressing(phase || "Pending", message || "The workflow runs", since);
  const end = textAt(status, "finishedAt");
  if (phase === "Succeeded") return healthy(phase, message || "The workflow has succeeded", end);
  if (phase === "Failed" || phase === "Error") return degraded(phase, message || "The workflow has failed", end);
  return unknown("UnknownPhase", message || `The phase ${phase} is not known`);
}
