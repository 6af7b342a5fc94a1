import { expect, test } from "vitest";

import { forestOf, type ForestNode } from "./forest.ts";

function nodesOf(...owners: readonly (readonly [id: string, ownerId: string])[]): ReadonlyMap<string, ForestNode> {
  return new Map(owners.map(([id, ownerId]) => [id, { id, kind: "Widget", name: id, ownerId }]));
}

const RING = [
  ["a", "b"],
  ["b", "c"],
  ["c", "a"],
] as const;

test.each([0, 1, 2])("a ring is cut at the child of its smallest id, also when %i of it come last", (last) => {
  const { parentOf, rootOf, depthOf } = forestOf(nodesOf(...RING.slice(last), ...RING.slice(0, last)));
  expect(["a", "b", "c"].map(parentOf)).toEqual(["b", "c", undefined]);
  expect(rootOf("a")).toBe("c");
  expect(depthOf("a")).toBe(2);
});

test("an owner that is not there, and one that is the child itself, make roots", () => {
  const { parentOf, childrenOf } = forestOf(nodesOf(["a", "gone"], ["b", "b"], ["d", "a"], ["c", "a"]));
  expect(["a", "b"].map(parentOf)).toEqual([undefined, undefined]);
  expect(childrenOf("a").map(({ id }) => id)).toEqual(["c", "d"]);
});
