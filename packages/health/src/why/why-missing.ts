import type { HealthRef } from "../health-result.ts";
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
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const said = sayMissing(ghost, names.slice(0, MAX_NAMED).join(", ") + more);
  return { chain: [referenceLink(ghost, said)], reason: said.reason, message: said.message, nextStep: said.nextStep };
}
