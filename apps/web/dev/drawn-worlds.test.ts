import { expect, test } from "vitest";
import type { EnvironmentStore } from "../src/features/live/environment-store.ts";
import { GraphEngine, type EngineRequest } from "../src/features/resource-graph/layout/graph-engine.ts";
import { crossings } from "../src/features/resource-graph/lines/testing.ts";
import { inputEdgeOf, inputNodeOf } from "../src/features/resource-graph/picture/graph-input-of.ts";
import { COMFORTABLE, COMPACT } from "../src/features/resource-graph/viewport/geometry.ts";
import { fixtureStore } from "./components/specimen-store.tsx";

function requestOf(store: EnvironmentStore): EngineRequest {
  const nodes = [...store.nodes.values()].map(inputNodeOf);
  return { nodes, edges: [...store.edges.values()].map((edge) => inputEdgeOf(edge, store.node(edge.to))), tidy: true };
}

for (const name of ["production", "staging", "load-500", "load-2000"]) {
  test(`US1: no line of ${name} touches a card that is not its end`, () => {
    const { cards, edges } = new GraphEngine().answer(requestOf(fixtureStore(name)));
    const picture = { cards: new Map(cards.map((each) => [each.card.id, each])), edges: new Map(edges.map((each) => [each.id, each])) };
    expect(picture.edges.size).toBeGreaterThan(10);
    for (const density of [COMFORTABLE, COMPACT]) expect(crossings(picture, density)).toEqual([]);
  });
}

test("US11: of 5,000 resources a screen shows what is wrong, and counts what is well", () => {
  const request = requestOf(fixtureStore("load-5000"));
  const { cards } = new GraphEngine().answer(request);
  const folds = cards.filter(({ card }) => card.id.startsWith("fold:healthy:"));
  expect(folds).toHaveLength(1);
  const problems = new Set((request.nodes ?? []).filter(({ status }) => status > 1).map(({ id }) => id));
  expect(folds.flatMap(({ card }) => card.members).filter((id) => problems.has(id))).toEqual([]);
  console.log(cards.length, folds[0]?.card.title, folds[0]?.card.below);
  for (let i = 0; i < 8; i += 1) {
    const t = performance.now();
    const e = new GraphEngine();
    e.answer(request);
    const t2 = performance.now();
    e.answer({ tidy: true, open: folds.map((f) => f.card.id) });
    const t3 = performance.now();
    e.answer({ nodes: [request.nodes![5]!] });
    console.log("first", t2 - t, "open tidy", t3 - t2, "delta", performance.now() - t3);
  }
});
