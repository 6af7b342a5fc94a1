import { words, type FactValue } from "@binnacle/words";

import { boundedWords, IN_A_SENTENCE } from "./bounded-words.ts";
import type { HealthResult } from "./health-result.ts";

/** Holders of the reference that are named; the rest is counted. */
const MAX_NAMED = 3;

/**
 * Health of a ghost: something that is referenced, not optional, and does not exist.
 *
 * @param referencedBy for people, for example "Pod web-0"
 */
export function missingHealth(kind: string, name: string, referencedBy: readonly string[] = []): HealthResult {
  const message = words("health/missing", { kind, name, by: firstNames(referencedBy, MAX_NAMED) });
  return { status: "Missing", reason: "NotFound", message: boundedWords(message, IN_A_SENTENCE), stale: false, causes: [] };
}

/** A list of which only the first are named and the rest is counted. */
export function firstNames(names: readonly FactValue[], max: number): FactValue {
  if (names.length <= max) return names;
  return words("list/more", { names: names.slice(0, max), more: names.length - max });
}
