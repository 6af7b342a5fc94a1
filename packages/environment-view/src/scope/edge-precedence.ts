import type { CustomEdgeRule } from "@binnacle/graph";

/**
 * Edges that win, then those that they leave in force: of one id the first counts. Packs share their ids, "service" and "secret" above all: a rule
 * of a pack gives way only to one about the same kind.
 */
export function edgesBefore(first: readonly CustomEdgeRule[], second: readonly CustomEdgeRule[]): readonly CustomEdgeRule[] {
  if (first.length === 0) return second;
  const ids = new Set(first.map(({ id }) => id));
  const places = new Set(first.map(placeOf));
  return [...first, ...second.filter((rule) => !(rule.pack === undefined ? ids.has(rule.id) : places.has(placeOf(rule))))];
}

function placeOf({ id, from }: CustomEdgeRule): string {
  return `${from.group}/${from.kind} ${id}`;
}
