import { HealthStatus, Presence, type Node } from "@binnacle/proto/dashboard";
import type { StateLook } from "../../ui/state-glyph.tsx";

const LOOKS: readonly { readonly look: StateLook; readonly word: string }[] = [
  { look: "neutral", word: "No status" },
  { look: "healthy", word: "Healthy" },
  { look: "suspended", word: "Suspended" },
  { look: "progressing", word: "Progressing" },
  { look: "missing", word: "Missing" },
  { look: "degraded", word: "Degraded" },
  { look: "unknown", word: "Unknown" },
];

/** Statuses that have a rule behind them, worst first: the order of every list. */
export const WORST_FIRST: readonly HealthStatus[] = [
  HealthStatus.UNKNOWN,
  HealthStatus.DEGRADED,
  HealthStatus.MISSING,
  HealthStatus.PROGRESSING,
  HealthStatus.SUSPENDED,
  HealthStatus.HEALTHY,
];

/** Look of a status; a status of a newer server looks unknown, never healthy. */
export function lookOf(status: number): StateLook {
  return LOOKS[status]?.look ?? "unknown";
}

/** Word of a status: "Degraded". */
export function wordOf(status: number): string {
  return LOOKS[status]?.word ?? "Unknown";
}

/** Lower-case word for attributes and URLs: "degraded", "none" without an opinion. */
export function keyOfStatus(status: number): string {
  return status === HealthStatus.UNSPECIFIED ? "none" : wordOf(status).toLowerCase();
}

/** Own status of a node: a missing object is Missing, one that may not be seen has none. */
export function statusOf(node: Pick<Node, "presence" | "health">): HealthStatus {
  if (node.presence === Presence.MISSING) return HealthStatus.MISSING;
  if (node.presence === Presence.NOT_VISIBLE) return HealthStatus.UNSPECIFIED;
  return node.health?.status ?? HealthStatus.UNSPECIFIED;
}

/** Whether a status asks for a person: worse than Progressing. */
export function isProblem(status: number): boolean {
  return status >= HealthStatus.MISSING;
}
