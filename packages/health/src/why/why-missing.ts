import { boundedWords, IN_A_SENTENCE } from "../bounded-words.ts";
import type { HealthRef } from "../health-result.ts";
import { firstNames } from "../missing-health.ts";
import { keyOfMissing, referenceLink, explainMissing } from "./roots/reference-root.ts";
import type { MissingRef, Why } from "./why.ts";

/** Holders of a reference that are named; the rest is counted. */
const MAX_NAMED = 3;

/**
 * Why a ghost is Missing: nobody has made it, and who needs it. The chain has one link, the reference itself, and goes on into what is to
 * make it where that is known.
 *
 * @param referencedBy what refers to it, in any order; may be empty
 */
export function whyMissing(ghost: MissingRef, referencedBy: readonly HealthRef[]): Why {
  const names = [...new Set(referencedBy.map(({ kind, name }) => `${kind} ${name}`))].sort();
  const { reason, ...explanation } = explainMissing(ghost, firstNames(names, MAX_NAMED));
  const [message, nextStep] = [boundedWords(explanation.message, IN_A_SENTENCE), boundedWords(explanation.nextStep, IN_A_SENTENCE)];
  const link = referenceLink(ghost, { reason, message });
  const why = ghost.madeBy?.why ?? null;
  if (why !== null) return { ...why, chain: [link, ...why.chain] };
  return { chain: [link], rootKey: keyOfMissing(ghost), reason, message, nextStep };
}
