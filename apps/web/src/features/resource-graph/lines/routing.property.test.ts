import fc from "fast-check";
import { expect, test } from "vitest";
import type { CardEdge } from "@binnacle/presentation/layout/card";
import { GraphEngine, type EngineRequest, type PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import { EDGE_STYLES, type InputEdge, type InputNode } from "@binnacle/presentation/layout/graph-input";
import { edge, node } from "@binnacle/presentation/layout/testing";
import { COMFORTABLE, COMPACT } from "@binnacle/presentation/drawing/geometry";
import { crossings } from "./testing.ts";

const KINDS = ["Ingress", "Service", "Deployment", "ReplicaSet", "Pod", "ConfigMap", "Secret", "Widget", "CronJob", "Job"];
const ids = fc.integer({ min: 0, max: 39 });
const given = fc
  .uniqueArray(
    fc.record({
      number: ids,
      kind: fc.constantFrom(...KINDS),
      owner: fc.option(ids, { nil: undefined }),
      status: fc.integer({ min: 0, max: 6 }),
      superseded: fc.boolean(),
      namespace: fc.constantFrom("a", "b"),
    }),
    { selector: (each) => each.number, maxLength: 40 },
  )
  .map((list) =>
    list.map(({ number, kind, owner, ...rest }): InputNode => ({
      ...node(kind, String(number), rest),
      id: idOf(number),
      ownerId: owner === undefined ? "" : idOf(owner),
    })),
  );
const lines = fc.uniqueArray(
  fc
    .tuple(ids, ids, fc.constantFrom(...EDGE_STYLES), fc.constantFrom("idle", "refused", undefined))
    .map(([from, to, style, mark]): InputEdge => ({
      ...edge(idOf(from), idOf(to), style),
      ...(mark !== undefined && { mark }),
    })),
  { selector: (each) => each.id, maxLength: 60 },
);
const room = fc.record({ width: fc.integer({ min: 300, max: 2560 }), height: fc.integer({ min: 200, max: 1440 }) });
const updates = fc.array(
  fc.record({ nodes: given, edges: lines, removedNodes: fc.array(ids.map(idOf)), tidy: fc.boolean(), open: fc.boolean() }),
  { maxLength: 4 },
);

function idOf(number: number): string {
  return `n${number}`;
}

test("US1: no part of a line touches a card that is not its end, in any graph and after any updates", () => {
  fc.assert(
    fc.property(fc.record({ nodes: given, edges: lines, size: room, changes: updates }), ({ nodes, edges, size, changes }) => {
      const engine = new GraphEngine();
      const cards = new Map<string, PlacedCard>();
      const drawn = new Map<string, CardEdge>();
      const ask = (request: EngineRequest): void => {
        const answer = engine.answer(request);
        for (const id of answer.removedCards) cards.delete(id);
        for (const placed of answer.cards) cards.set(placed.card.id, placed);
        for (const id of answer.removedEdges) drawn.delete(id);
        for (const line of answer.edges) drawn.set(line.id, line);
        for (const density of [COMFORTABLE, COMPACT]) expect(crossings({ cards, edges: drawn }, density)).toEqual([]);
      };
      ask({ nodes, edges, room: size, tidy: true });
      for (const { open, ...change } of changes) {
        ask(change);
        if (open) ask({ open: [...cards.keys()].filter((id) => id.startsWith("fold:")) });
      }
    }),
    { numRuns: 200 },
  );
});
