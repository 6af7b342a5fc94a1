import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import type { HealthStatus } from "../health-status.ts";

const HEALTHY = new Set(
  "ready running active healthy available bound succeeded success successful complete completed deployed ok online up synced insync established provisioned created enabled connected valid applied installed green accepted approved ready-to-use done finished normal operational reconciled configured serving attached inuse released resolved".split(
    " ",
  ),
);

const DEGRADED = new Set(
  "failed failure failing fail error errored degraded unhealthy crashed crashloopbackoff invalid lost red rejected denied aborted offline down broken unavailable fatal terminalerror stalled conflict unreachable".split(
    " ",
  ),
);

const SUSPENDED = new Set("suspended paused stopped hibernated hibernating halted shutdown poweredoff".split(" "));

/** The one word by which a custom resource names its state: `status.phase`, `state` or `health`; empty when there is none. */
export function phaseOf(status: Fields): string {
  for (const field of ["phase", "state", "health"]) {
    const word = textAt(status, field);
    if (word !== "") return word;
    const nested = fieldsAt(status, field);
    const inner = textAt(nested, "status") || textAt(nested, "state") || textAt(nested, "phase");
    if (inner !== "") return inner;
  }
  return "";
}

/** What the word means; a word that nobody knows means that it is on its way. */
export function statusOfPhase(phase: string): HealthStatus {
  const word = phase.toLowerCase().replaceAll(/[\s_-]/g, "");
  if (HEALTHY.has(word)) return "Healthy";
  if (SUSPENDED.has(word)) return "Suspended";
  if (DEGRADED.has(word) || /failed$|error$|failure$/.test(word)) return "Degraded";
  return "Progressing";
}
