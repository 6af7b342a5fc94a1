import { HealthStatus } from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import type { Slot } from "./card.ts";
import { GraphEngine, type EngineRequest } from "./graph-engine.ts";
import { NO_FILTER, STATUS } from "./graph-input.ts";
import { LANE_COLUMNS } from "./layout-cards.ts";
import { application, node } from "./testing.ts";

/** An engine and what its picture looks like now. */
function drawing(): { readonly ask: (request: EngineRequest) => ReturnType<GraphEngine["answer"]>; readonly slots: Map<string, Slot> } {
  const engine = new GraphEngine();
  const slots = new Map<string, Slot>();
  return {
    slots,
    ask(request) {
      const answer = engine.answer(request);
      for (const id of answer.removedCards) slots.delete(id);
      for (const { card, slot } of answer.cards) slots.set(card.id, slot);
      return answer;
    },
  };
}

function three(): { nodes: ReturnType<typeof application>["nodes"]; edges: ReturnType<typeof application>["edges"] } {
  const apps = ["api", "web", "zoo"].map((name) => application(name, 3));
  return { nodes: apps.flatMap((app) => app.nodes), edges: apps.flatMap((app) => app.edges) };
}

function places(slots: ReadonlyMap<string, Slot>): Set<string> {
  return new Set([...slots.values()].map((slot) => `${slot.lane}/${slot.column}/${slot.row}`));
}

describe("GraphEngine", () => {
  test("puts kinds into their columns and a child beside its parent", () => {
    const { ask, slots } = drawing();
    ask({ ...application("web", 2), tidy: true });
    expect(slots.get("Service/web")).toMatchObject({ column: 1, row: 0 });
    expect(slots.get("Deployment/web")).toMatchObject({ column: 2, row: 0 });
    expect(slots.get("ReplicaSet/web-1")).toMatchObject({ column: 3, row: 0 });
    expect(slots.get("Pod/web-1-0")).toMatchObject({ column: 4, row: 0 });
    expect(slots.get("Pod/web-1-1")).toMatchObject({ column: 4, row: 1 });
  });

  test("a custom resource stands left of what it owns", () => {
    const { ask, slots } = drawing();
    ask({ nodes: [node("Widget", "w"), node("Deployment", "d", { ownerId: "Widget/w" })], tidy: true });
    expect(slots.get("Widget/w")?.column).toBe(1);
  });

  test("the worst block comes first", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes: nodes.map((each) => (each.id === "Deployment/zoo" ? { ...each, status: STATUS.degraded } : each)), edges, tidy: true });
    expect(slots.get("Deployment/zoo")?.row).toBe(0);
  });

  test("a change of health moves nobody", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const before = new Map(slots);
    ask({ nodes: [node("Deployment", "zoo", { status: STATUS.degraded })] });
    expect(slots).toEqual(before);
  });

  test("a new pod moves nobody and takes a place of its own", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const before = new Map(slots);
    const { cards } = ask({ nodes: [node("Pod", "api-1-new", { ownerId: "ReplicaSet/api-1" })] });
    expect(cards.map((placed) => placed.card.id)).toEqual(["Pod/api-1-new"]);
    for (const [id, slot] of before) expect(slots.get(id)).toEqual(slot);
    expect(places(slots).size).toBe(slots.size);
  });

  test("a pod that leaves moves nobody, and the next one takes its place", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const freed = slots.get("Pod/api-1-1");
    ask({ removedNodes: ["Pod/api-1-1"] });
    ask({ nodes: [node("Pod", "api-1-next", { ownerId: "ReplicaSet/api-1" })] });
    expect(slots.get("Pod/api-1-next")).toEqual(freed);
  });

  test("a rollout stays in its block: the new ReplicaSet and its pods are placed, nothing else moves", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const before = new Map(slots);
    const pods = [0, 1].map((index) => node("Pod", `api-2-${index}`, { ownerId: "ReplicaSet/api-2" }));
    ask({ nodes: [node("ReplicaSet", "api-2", { ownerId: "Deployment/api" }), ...pods] });
    for (const [id, slot] of before) expect(slots.get(id)).toEqual(slot);
    expect(places(slots).size).toBe(slots.size);
  });

  test("a new application is appended", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const lowest = Math.max(...[...slots.values()].map((slot) => slot.row));
    ask(application("new", 1));
    expect(slots.get("Deployment/new")?.row).toBeGreaterThan(lowest);
  });

  test("opening a fold makes room below and moves no other block sideways; closing it puts all back", () => {
    const { ask, slots } = drawing();
    const apps = [application("api", 7), application("web", 3)];
    ask({ nodes: apps.flatMap((app) => app.nodes), edges: apps.flatMap((app) => app.edges), tidy: true });
    const before = new Map(slots);
    ask({ open: ["fold:of:ReplicaSet/api-1:Pod"] });
    expect([...slots.keys()].filter((id) => id.startsWith("Pod/api"))).toHaveLength(7);
    for (const [id, slot] of [...before].filter(([key]) => key.includes("web")))
      expect(slots.get(id)).toEqual({ ...slot, row: slot.row + 5 });
    expect(slots.get("Deployment/api")).toEqual(before.get("Deployment/api"));
    expect(places(slots).size).toBe(slots.size);
    ask({ open: [] });
    expect(slots).toEqual(before);
  });

  test("only problems keeps the owners of what is wrong and says how many are hidden", () => {
    const { ask, slots } = drawing();
    const app = application("web", 2);
    const nodes = app.nodes.map((each) => (each.id === "Pod/web-1-0" ? { ...each, status: STATUS.degraded } : each));
    ask({ nodes, edges: app.edges, tidy: true });
    const { hidden, total } = ask({ filter: { ...NO_FILTER, onlyProblems: true } });
    expect(new Set(slots.keys())).toEqual(new Set(["Deployment/web", "ReplicaSet/web-1", "Pod/web-1-0"]));
    expect({ hidden, total }).toEqual({ hidden: 3, total: 6 });
  });

  test("many applications are spread over lanes, each card in its own place", () => {
    const { ask, slots } = drawing();
    const apps = Array.from({ length: 120 }, (_, index) => application(`app-${index}`, 2));
    const { lanes } = ask({ nodes: apps.flatMap((app) => app.nodes), edges: apps.flatMap((app) => app.edges), tidy: true });
    expect(lanes).toBeGreaterThan(1);
    expect(places(slots).size).toBe(slots.size);
    expect(Math.max(...[...slots.values()].map((slot) => slot.column))).toBeLessThan(LANE_COLUMNS);
  });

  test("owners in a circle are drawn all the same", () => {
    const { ask, slots } = drawing();
    ask({ nodes: [node("Widget", "a", { ownerId: "Widget/b" }), node("Widget", "b", { ownerId: "Widget/a" })], tidy: true });
    expect(slots.size).toBe(2);
  });

  test("the order in which nodes arrive does not change a tidy layout", () => {
    const { nodes, edges } = three();
    const [one, two] = [drawing(), drawing()];
    one.ask({ nodes, edges, tidy: true });
    two.ask({ nodes: nodes.toReversed(), edges: edges.toReversed(), tidy: true });
    expect(two.slots).toEqual(one.slots);
  });

  test("an answer holds only what changed", () => {
    const { ask } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    expect(ask({ nodes: [node("Deployment", "web")] })).toMatchObject({ cards: [], removedCards: [], edges: [], removedEdges: [] });
  });

  test("its numbers of statuses are those of the contract", () => {
    expect(STATUS).toEqual({ healthy: HealthStatus.HEALTHY, missing: HealthStatus.MISSING, degraded: HealthStatus.DEGRADED });
  });
});
