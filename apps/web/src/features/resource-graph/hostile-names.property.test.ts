import fc from "fast-check";
import { expect, test } from "vitest";

import { boundsOf, COMFORTABLE } from "@binnacle/presentation/drawing/geometry";
import { Lines } from "@binnacle/presentation/drawing/line-path";
import { shortKind } from "@binnacle/presentation/health/kind-words";
import { nameOfFold } from "@binnacle/presentation/drawing/accessible-name";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { EDGE_STYLES, type InputEdge, type InputNode } from "@binnacle/presentation/layout/graph-input";
import { edge, node } from "@binnacle/presentation/layout/testing";
import { titleOfFold } from "@binnacle/presentation/layout/fold-title";

const WORDS = [
  "__proto__",
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "\u202Eabc",
  "مرحبا",
  "",
  "NaN",
  "Pod",
  "ReplicaSet",
  "a b",
];
const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: "binary" }), fc.constant("x".repeat(200_000)));
const id = fc.constantFrom("__proto__", "constructor", "toString", "1", "2", "3", "4", "5", "");
const nodes = fc.uniqueArray(
  fc.record({
    id,
    kind: word,
    group: word,
    namespace: word,
    name: word,
    ownerId: id,
    presence: fc.constantFrom("present", "missing", "hidden"),
    status: fc.integer({ min: 0, max: 6 }),
    superseded: fc.boolean(),
    generated: fc.boolean(),
  }),
  { selector: (each) => each.id, maxLength: 9 },
);
const edges = fc.uniqueArray(
  fc.tuple(id, id, fc.constantFrom(...EDGE_STYLES)).map(([source, target, style]) => edge(source, target, style)),
  { selector: (each) => each.id, maxLength: 12 },
);

/** Every path and every place of a picture. */
function drawn(given: readonly InputNode[], lines: readonly InputEdge[]): string {
  const engine = new GraphEngine();
  const first = engine.answer({ nodes: given, edges: lines, tidy: true });
  const opened = engine.answer({ open: first.cards.map(({ card }) => card.id) });
  const cards = new Map([...first.cards, ...opened.cards].map((placed) => [placed.card.id, placed]));
  const cardEdges = new Map([...first.edges, ...opened.edges].map((each) => [each.id, each]));
  const picture = { cards, edges: cardEdges };
  const paths = new Lines().of(picture, new Set(EDGE_STYLES), { density: COMFORTABLE, tile: "" });
  const slots = [...cards.values()].map(({ slot }) => slot);
  return JSON.stringify([paths.map(({ path, markAt }) => [path, markAt]), slots, boundsOf(slots, COMFORTABLE)]);
}

test("XM14: whatever kinds, names and ids are called, every card has a place and no line has a NaN", () => {
  fc.assert(
    fc.property(nodes, edges, (given, lines) => {
      const picture = drawn(given, lines);
      expect(picture).not.toMatch(/NaN|Infinity|null|function|undefined/);
    }),
  );
});

test("XM14: a kind that is called like something every object has stands with the workloads", () => {
  for (const kind of ["toString", "constructor", "__proto__"]) {
    const [card] = new GraphEngine().answer({ nodes: [node(kind, "a")], tidy: true }).cards;
    expect(card?.slot).toEqual({ lane: 0, column: 2, row: 0 });
    expect(shortKind(kind)).toMatch(/^[a-z_]{1,7}$/);
  }
});

test("XM14: what is folded under a long name has a title that people can read", () => {
  const owner = "x".repeat(200_000);
  const pods = Array.from({ length: 30 }, (_, index) => node("Pod", `${owner}-${index}`, { ownerId: `ReplicaSet/${owner}` }));
  const { cards } = new GraphEngine().answer({ nodes: [node("ReplicaSet", owner), ...pods], tidy: true });
  for (const { card } of cards) {
    expect(titleOfFold(card).length).toBeLessThan(1_000);
    expect(nameOfFold(card).length).toBeLessThan(1_500);
  }
});
