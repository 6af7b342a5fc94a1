import { expect, test } from "vitest";

import { ancestorsOf, descendantsOf, OwnerForest, parentOf } from "./owner-forest.ts";
import { Vertex } from "./vertex.ts";

/** A forest whose nodes are called by their ids. */
function forest(...edges: [string, string][]) {
  const made = new OwnerForest();
  const vertices = new Map<string, Vertex>();
  const vertex = (id: string): Vertex => {
    const found = vertices.get(id) ?? new Vertex(id);
    vertices.set(id, found);
    return found;
  };
  const ids = (found: Iterable<Vertex>): string[] => [...found].map(({ id }) => id);
  const update = (...changes: [string, string | undefined][]): string[] =>
    ids(made.update(changes.map(([node, parent]) => [vertex(node), parent === undefined ? undefined : vertex(parent)] as const)));
  update(...edges);
  return {
    update,
    parentOf: (id: string) => parentOf(vertex(id))?.id,
    ancestorsOf: (id: string) => ids(ancestorsOf(vertex(id))),
    descendantsOf: (id: string) => ids(descendantsOf(vertex(id))),
    rings: () => made.rings().map(({ members }) => ids(members)),
  };
}

test("a ring is cut at the edge to its smallest id, and everything hangs below the cut", () => {
  const ring = forest(["a", "b"], ["b", "c"], ["c", "a"], ["leaf", "a"]);
  expect(ring.parentOf("c")).toBeUndefined();
  expect(ring.ancestorsOf("leaf")).toEqual(["a", "b", "c"]);
  expect(ring.descendantsOf("c")).toEqual(["b", "a", "leaf"]);
  expect(ring.rings()).toHaveLength(1);
});

test("a ring that ends restores the cut edge, and reports the change", () => {
  const ring = forest(["a", "b"], ["b", "c"], ["c", "a"]);
  expect(ring.update(["b", undefined]).toSorted()).toEqual(["b", "c"]);
  expect(ring.parentOf("c")).toBe("a");
  expect(ring.rings()).toEqual([]);
  ring.update(["b", "c"]);
  expect([ring.parentOf("a"), ring.parentOf("b"), ring.parentOf("c")]).toEqual(["b", "c", undefined]);
});

test("a preferred owner that moves from one ring into another leaves both right", () => {
  const rings = forest(["a", "b"], ["b", "a"], ["x", "y"], ["y", "x"]);
  rings.update(["b", "x"]);
  expect(rings.ancestorsOf("a")).toEqual(["b", "x", "y"]);
  expect(rings.rings()).toHaveLength(1);
});
