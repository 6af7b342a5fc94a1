import { expect, test } from "vitest";
import type { EnvironmentStore } from "../src/features/live/environment-store.ts";
import { GraphEngine, type EngineRequest } from "@binnacle/presentation/layout/graph-engine";
import { crossings } from "../src/features/resource-graph/lines/testing.ts";
import { inputEdgeOf, inputNodeOf } from "@binnacle/presentation/layout/graph-input-of";
import { COMFORTABLE, COMPACT } from "@binnacle/presentation/drawing/geometry";
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
  expect(cards.length).toBeLessThan(300);
  const shown = new Set(cards.flatMap(({ card }) => [card.id, ...card.members]));
  expect([...problems].filter((id) => !shown.has(id) && !id.startsWith("pod:"))).toEqual([]);
});
