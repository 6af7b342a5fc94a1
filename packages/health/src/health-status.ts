/** How well a resource is. `null` in place of a status is "no opinion": neutral, never painted green. */
export type HealthStatus = "Healthy" | "Suspended" | "Progressing" | "Missing" | "Degraded" | "Unknown";

/** Every status, best first, worst last. */
export const HEALTH_ORDER: readonly HealthStatus[] = ["Healthy", "Suspended", "Progressing", "Missing", "Degraded", "Unknown"];

/** Position in HEALTH_ORDER: higher is worse. */
export function rankOf(status: HealthStatus): number {
  return HEALTH_ORDER.indexOf(status);
}

/** The worst status; "no opinion" (null, undefined) never wins. `null` when there is none. */
export function worstOf(statuses: Iterable<HealthStatus | null | undefined>): HealthStatus | null {
  let worst: HealthStatus | null = null;
  for (const status of statuses) {
    if (status === null || status === undefined) continue;
    if (worst === null || rankOf(status) > rankOf(worst)) worst = status;
  }
  return worst;
}
