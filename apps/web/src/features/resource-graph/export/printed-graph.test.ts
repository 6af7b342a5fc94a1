import { expect, test } from "vitest";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { layOutFor } from "./printed-graph.tsx";
import { application, byId } from "@binnacle/presentation/layout/testing";

const apps = Array.from({ length: 12 }, (_, index) => application(`app-${index}`, 4));
const { cards, edges } = new GraphEngine().answer({
  nodes: apps.flatMap((app) => app.nodes),
  edges: apps.flatMap((app) => app.edges),
  tidy: true,
});
const shown = { cards: new Map(cards.map((placed) => [placed.card.id, placed])), edges: byId(edges) };
const lanesOf = (picture: typeof shown): number => new Set([...picture.cards.values()].map(({ slot }) => slot.lane)).size;

test("what is laid out for a sheet is as high as it, and has every card in a place of its own, in its column, with every line", () => {
  const sheet = layOutFor({ width: 718, height: 900 }, shown);
  expect(lanesOf(shown)).toBeGreaterThan(1);
  expect(lanesOf(sheet)).toBeLessThan(lanesOf(shown));
  expect([...sheet.cards.keys()]).toEqual([...shown.cards.keys()]);
  expect(new Set([...sheet.cards.values()].map(({ slot }) => `${slot.lane}/${slot.column}/${slot.row}`)).size).toBe(shown.cards.size);
  for (const [id, { card, slot }] of sheet.cards) {
    expect(card).toBe(shown.cards.get(id)?.card);
    expect(slot.column).toBe(shown.cards.get(id)?.slot.column);
  }
  expect([...sheet.edges.keys()]).toEqual([...shown.edges.keys()]);
  expect([...sheet.edges.values()].filter(({ route }) => route === undefined)).toEqual([]);
});

test("what stands on the screen stays where it is", () => {
  const before = structuredClone([...shown.cards.values()].map(({ slot }) => slot));
  layOutFor({ width: 400, height: 3000 }, shown);
  expect([...shown.cards.values()].map(({ slot }) => slot)).toEqual(before);
});
