import type { Reference } from "./reference.ts";

/**
 * The list of one rule that a weighted reference stands in: "spec.rules[0].backendRefs" of "spec.rules[0].backendRefs[1]". Weights say
 * something only beside the others of their list.
 */
export function listOfWeights({ row, fieldPath }: Pick<Reference, "row" | "fieldPath">): string {
  const end = fieldPath.endsWith("]") ? fieldPath.lastIndexOf("[") : fieldPath.length;
  return `${row.kind}|${fieldPath.slice(0, end)}`;
}

/** References of one object; those with a weight know which part of the traffic of their list comes to them, 0 to 1. */
export function withShares(references: readonly Reference[]): readonly Reference[] {
  // Of ten thousand objects hardly any has a weight.
  if (!references.some(({ details }) => details.weight !== undefined)) return references;
  const sums = new Map<string, number>();
  for (const reference of references) {
    if (reference.details.weight === undefined) continue;
    const list = listOfWeights(reference);
    sums.set(list, (sums.get(list) ?? 0) + weightOf(reference));
  }
  return references.map((reference) => {
    if (reference.details.weight === undefined) return reference;
    const sum = sums.get(listOfWeights(reference)) ?? 0;
    return { ...reference, details: { ...reference.details, share: sum === 0 ? 0 : weightOf(reference) / sum } };
  });
}

/** Largest weight that counts: the Gateway API allows a million, and sums of these are exact. */
const MAX_WEIGHT = 1e9;

function weightOf({ details: { weight = 0 } }: Reference): number {
  return weight > 0 ? Math.min(weight, MAX_WEIGHT) : 0;
}
