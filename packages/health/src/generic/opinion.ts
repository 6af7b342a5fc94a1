import { words, type Words } from "@binnacle/words";

import type { HealthStatus } from "../health-status.ts";
import type { Verdict } from "../verdict.ts";

/** What one witness says, and what it has seen. */
export interface Opinion extends Verdict {
  /** The field or the condition, by path and value. */
  readonly because: Words;
}

/** Whose word wins, the best first: a witness that knows that something is wrong or on its way is believed before one that knows nothing. */
const WINS: readonly HealthStatus[] = ["Healthy", "Suspended", "Unknown", "Missing", "Progressing", "Degraded"];

/** Whether one status wins over another among witnesses. */
export function isWorse(one: HealthStatus, other: HealthStatus): boolean {
  return WINS.indexOf(one) > WINS.indexOf(other);
}

/** The worse of two; of two that are as bad the first. */
export function worseOf(one: Opinion | null, other: Opinion | null): Opinion | null {
  if (one === null || other === null) return one ?? other;
  return isWorse(other.status, one.status) ? other : one;
}

/** A field was seen: `status.components.db.status is ERROR`. */
export function fieldIs(path: string, value: string | number | boolean): Words {
  return words("because/field", { path, value: typeof value === "boolean" ? String(value) : value });
}
