import type { CustomEdgeRule } from "@binnacle/graph";
import { expect, test } from "vitest";

import { edgesBefore } from "./edge-precedence.ts";

function edge(id: string, kind: string, pack?: string): CustomEdgeRule {
  const rule = { id, from: { group: "g", kind }, class: "target", path: "$.spec.x", to: { group: "", kind: "Pod" } } as const;
  return pack === undefined ? rule : { ...rule, pack };
}

test("of one id the first counts, whatever kind it is about", () => {
  const [own, other, stays] = [edge("a", "X"), edge("a", "Y"), edge("b", "Y")];
  expect(edgesBefore([own], [other, stays])).toEqual([own, stays]);
});

test("a rule of a pack gives way only to one about the same kind: packs share their ids", () => {
  const [own, same, another] = [edge("service", "X"), edge("service", "X", "p"), edge("service", "Y", "q")];
  expect(edgesBefore([own], [same, another])).toEqual([own, another]);
});

test("without a first, all stay as they were", () => {
  const second = [edge("a", "X"), edge("a", "X", "p")];
  expect(edgesBefore([], second)).toBe(second);
});
