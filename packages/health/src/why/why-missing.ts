import { boundedWords, IN_A_SENTENCE } from "../bounded-words.ts";
import type { HealthRef } from "../health-result.ts";
import { firstNames } from "../missing-health.ts";
import { keyOfObject, MISSING } from "./root-key.ts";
import { referenceLink, sayMissing } from "./roots/reference-root.ts";
import type { Why } from "./why.ts";

/** Holders of a reference that are named; the rest is counted. */
const MAX_NAMED = 3;

/**
 * Why a ghost is Missing: nobody has made it, and who needs it. The chain has one link, the reference itself.
 *
 * @param referencedBy what refers to it, in any order; may be empty
 */
export function whyMissing(ghost: HealthRef, referencedBy: readonly HealthRef[]): Why {
  const names = [...new Set(referencedBy.map(({ kind, name }) => `${kind} ${name}`))].sort();
  const { reason, ...said } = sayMissing(ghost, firstNames(names, MAX_NAMED));
  const [message, nextStep] = [boundedWords(said.message, IN_A_SENTENCE), boundedWords(said.nextStep, IN_A_SENTENCE)];
  return { chain: [referenceLink(ghost, { reason, message })], rootKey: keyOfObject(ghost, MISSING), reason, message, nextStep };
}
