import { expect, test } from "vitest";
import { madeEdge } from "../../live/made-view.ts";
import { lineWordsOf } from "./node-card.tsx";

const edges = new Map(
  [
    madeEdge({ id: "1", from: "service", to: "pod" }),
    madeEdge({ id: "2", from: "pod", to: "replicaset", flowReversed: true }),
    madeEdge({ id: "3", from: "pod", to: "config" }),
  ].map((edge) => [edge.id, edge]),
);

test("a node says how many lines go in and out, as they are drawn", () => {
  const graph = { edges, graphVersion: () => 1 };
  expect(["pod", "replicaset", "config", "alone"].map((id) => lineWordsOf(id, graph))).toEqual([
    "2 lines in, 1 out",
    "0 lines in, 1 out",
    "1 line in, 0 out",
    "",
  ]);
});

test("they are counted anew when the graph is another", () => {
  let version = 1;
  const graph = { edges: new Map(edges), graphVersion: () => version };
  expect(lineWordsOf("config", graph)).toBe("1 line in, 0 out");
  graph.edges.delete("3");
  version += 1;
  expect(lineWordsOf("config", graph)).toBe("");
});
