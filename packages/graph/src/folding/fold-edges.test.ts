import { expect, test } from "vitest";

import { endsIn, foldEdges, unfoldEdges, type FoldEdge } from "./fold-edges.ts";

/** `source>target`, or `source>target:style`. */
function edge(id: string, route: string): FoldEdge {
  const [source = "", target = "", style = "routes"] = route.split(/[>:]/);
  return { id, source, target, style };
}

const groupOf = new Map([
  ["pod-1", "pods"],
  ["pod-2", "pods"],
]);
const ends = endsIn(groupOf, (id) => id !== "gone");

test("edges of one style between the same two are one line, which weighs as many", () => {
  const edges = [edge("b", "service>pod-2"), edge("a", "service>pod-1"), edge("c", "service>pod-1:uses")];
  const { lines } = foldEdges(edges, ends);
  expect([...lines.values()].map(({ id, edges: merged }) => [id, merged.map((each) => each.id)])).toEqual([
    ["service>pods:routes", ["a", "b"]],
    ["service>pods:uses", ["c"]],
  ]);
});

test("edges inside a group, and those without a target, are no lines and are not lost", () => {
  const edges = [edge("a", "pod-1>pod-2"), edge("b", "service>gone"), edge("c", "gone>pod-1"), edge("d", "service>service")];
  const folded = foldEdges(edges, ends);
  expect(folded.lines.size).toBe(0);
  expect(folded.within.map(({ id }) => id)).toEqual(["a", "d"]);
  expect(folded.beyond.map(({ id }) => id)).toEqual(["b", "c"]);
  expect(unfoldEdges(folded)).toEqual(edges);
});
