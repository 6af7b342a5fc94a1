import { expect, test } from "vitest";

import { OwnerForest } from "./owner-forest.ts";

function forest(...wishes: [string, string][]): OwnerForest {
  const made = new OwnerForest();
  made.update(new Map(wishes));
  return made;
}

test("a ring is cut at the wish for its smallest id, and everything hangs below the cut", () => {
  const ring = forest(["a", "b"], ["b", "c"], ["c", "a"], ["leaf", "a"]);
  expect(ring.parentOf("c")).toBeUndefined();
  expect(ring.ancestorsOf("leaf")).toEqual(["a", "b", "c"]);
  expect(ring.descendantsOf("c")).toEqual(["b", "a", "leaf"]);
  expect(ring.rings()).toHaveLength(1);
});

test("a ring that ends gives the cut wish back, and says so", () => {
  const ring = forest(["a", "b"], ["b", "c"], ["c", "a"]);
  const touched = ring.update(new Map([["b", undefined]]));
  expect(touched).toEqual(new Set(["b", "c"]));
  expect(ring.parentOf("c")).toBe("a");
  expect(ring.rings()).toEqual([]);
  ring.update(new Map([["b", "c"]]));
  expect([ring.parentOf("a"), ring.parentOf("b"), ring.parentOf("c")]).toEqual(["b", "c", undefined]);
});

test("a wish that moves from one ring into another leaves both right", () => {
  const rings = forest(["a", "b"], ["b", "a"], ["x", "y"], ["y", "x"]);
  rings.update(new Map([["b", "x"]]));
  expect(rings.ancestorsOf("a")).toEqual(["b", "x", "y"]);
  expect(rings.rings()).toHaveLength(1);
});
