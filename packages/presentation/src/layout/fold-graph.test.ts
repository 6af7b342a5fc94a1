import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldGraph } from "./fold-graph.ts";
import { application, byId, node } from "./testing.ts";

describe("foldGraph", () => {
  test("shows five pods of an owner one by one and folds six", () => {
    const five = application("web", 5);
    const six = application("web", 6);
    const cardsOf = (app: typeof five): string[] => [...foldGraph(byId(app.nodes), byId(app.edges)).cards.keys()];
    expect(cardsOf(five).filter((id) => id.startsWith("Pod/"))).toHaveLength(5);
    expect(cardsOf(six).filter((id) => id.startsWith("Pod/"))).toHaveLength(0);
    expect(cardsOf(six)).toContain("fold:of:ReplicaSet/web-1:Pod");
  });

  test("counts the folded by health, worst first, and takes the worst as its own", () => {
    const app = application("web", 8);
    const nodes = app.nodes.map((each) => (each.name === "web-1-3" ? { ...each, status: 5 } : each));
    const fold = foldGraph(byId(nodes), byId(app.edges)).cards.get("fold:of:ReplicaSet/web-1:Pod");
    expect(fold?.counts).toEqual([
      [5, 1],
      [1, 7],
    ]);
    expect(fold?.status).toBe(5);
    expect(fold?.parentId).toBe("ReplicaSet/web-1");
  });

  test("folds finished Jobs of one CronJob together with their pods", () => {
    const nodes = [
      node("CronJob", "report"),
      ...[1, 2].flatMap((run) => [
        node("Job", `report-${run}`, { ownerId: "CronJob/report", superseded: true }),
        node("Pod", `report-${run}-x`, { ownerId: `Job/report-${run}` }),
      ]),
    ];
    const { cards, cardOf } = foldGraph(byId(nodes), new Map());
    const fold = cards.get("fold:old:CronJob/report:Job");
    expect(fold?.members).toHaveLength(2);
    expect(fold?.below).toBe(2);
    expect(cardOf.get("Pod/report-1-x")).toBe("fold:old:CronJob/report:Job");
  });

  test("leaves a single old ReplicaSet in sight", () => {
    const nodes = [node("Deployment", "web"), node("ReplicaSet", "old", { ownerId: "Deployment/web", superseded: true })];
    expect([...foldGraph(byId(nodes), new Map()).cards.keys()]).toContain("ReplicaSet/old");
  });

  test("an opened fold shows its members, which know where they came from", () => {
    const app = application("web", 6);
    const { cards } = foldGraph(byId(app.nodes), byId(app.edges), { open: new Set(["fold:of:ReplicaSet/web-1:Pod"]) });
    expect(cards.get("Pod/web-1-0")?.foldId).toBe("fold:of:ReplicaSet/web-1:Pod");
  });

  test("never folds what is missing", () => {
    const nodes = Array.from({ length: 8 }, (_, index) => node("ConfigMap", `gone-${index}`, { presence: "missing", status: 4 }));
    expect(foldGraph(byId(nodes), new Map()).cards.size).toBe(8);
  });

  test("drops no node: every node is shown by exactly one card, for any ownership", () => {
    const kinds = ["Pod", "ReplicaSet", "Deployment", "Job", "ConfigMap", "Widget"];
    const anyNode = fc.record({ kind: fc.constantFrom(...kinds), owner: fc.nat(40), superseded: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyNode, { maxLength: 40 }), (made) => {
        const nodes = made.map(({ kind, owner, superseded }, index) =>
          node(kind, String(index), { id: `n${index}`, ownerId: `n${owner}`, superseded }),
        );
        const { cards, cardOf } = foldGraph(byId(nodes), new Map());
        expect(cardOf.size).toBe(nodes.length);
        const shown = [...cards.values()].reduce((sum, card) => sum + (card.type === "node" ? 1 : card.members.length + card.below), 0);
        expect(shown).toBe(nodes.length);
      }),
    );
  });
});
