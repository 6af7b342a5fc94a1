import type { Node } from "@binnacle/proto/dashboard";
import { HealthStatus, Presence } from "@binnacle/proto/dashboard-enums";
import { t } from "../text/messages.ts";

/** How a state looks: its glyph, and its colour. */
export type StateLook = "healthy" | "progressing" | "degraded" | "suspended" | "missing" | "unknown" | "locked" | "neutral";

const LOOKS = ["neutral", "healthy", "suspended", "progressing", "missing", "degraded", "unknown"] as const satisfies StateLook[];

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
  return LOOKS[status] ?? "unknown";
}

/** Word of a status: "Degraded". */
export function wordOf(status: number): string {
  return t(`status/${keyOfStatus(status)}`);
}

type StatusKey = Exclude<(typeof LOOKS)[number], "neutral"> | "none";

/** Word for attributes and URLs, the same in every language: "degraded", "none" without an opinion. */
export function keyOfStatus(status: number): StatusKey {
  const look = LOOKS[status] ?? "unknown";
  return look === "neutral" ? "none" : look;
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

/** The reason of a node, where it says more than its status, in whatever language: not "Suspended: Suspended". */
export function reasonBeside(node: Pick<Node, "presence" | "health">): string {
  const reason = node.health?.reason ?? "";
  return reason.toLowerCase() === keyOfStatus(statusOf(node)) ? "" : reason;
}
