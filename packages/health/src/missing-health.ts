import type { HealthResult } from "./health-result.ts";

/**
 * Health of a ghost: something that is referenced, not optional, and does not exist.
 *
 * @param referencedBy for people, for example "Pod web-0"
 */
export function missingHealth(kind: string, name: string, referencedBy: readonly string[] = []): HealthResult {
  const by = referencedBy.length === 0 ? "" : `; referenced by ${referencedBy.slice(0, 3).join(", ")}`;
  return { status: "Missing", reason: "NotFound", message: `${kind} ${name} does not exist${by}`, stale: false, causes: [] };
}
