import { HealthStatus } from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import type { Slot } from "./card.ts";
import { GraphEngine, type EngineRequest } from "./graph-engine.ts";
import { NO_FILTER, STATUS } from "./graph-input.ts";
import { LAST } from "./columns.ts";
import { application, edge, node } from "./testing.ts";

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

  test("a change of health moves no card", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const before = new Map(slots);
    ask({ nodes: [node("Deployment", "zoo", { status: STATUS.degraded })] });
    expect(slots).toEqual(before);
  });

  test("UB5: a new pod stands in its own column; its block grows, those below make room once, and nothing else moves", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const before = new Map(slots);
    ask({ nodes: [0, 1].map((index) => node("Pod", `api-1-new-${index}`, { ownerId: "ReplicaSet/api-1" })) });
    expect(slots.get("Pod/api-1-new-0")).toEqual({ lane: 0, column: LAST, row: 3 });
    for (const [id, slot] of before)
      expect(slots.get(id)).toEqual(id.includes("api") ? slot : { ...slot, row: Math.round(slot.row * 10 + 20) / 10 });
    expect(places(slots).size).toBe(slots.size);
  });

  test("UB5: a hole below takes what a block grows by, and what stands below the hole stays", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    ask({ removedNodes: nodes.filter(({ name }) => name.startsWith("web")).map(({ id }) => id) });
    const before = new Map(slots);
    ask({ nodes: [node("Pod", "api-1-new", { ownerId: "ReplicaSet/api-1" })] });
    for (const [id, slot] of before) expect(slots.get(id)).toEqual(slot);
    ask(application("small", 1));
    expect(slots.get("Deployment/small")?.row).toBeLessThan(slots.get("Deployment/zoo")?.row ?? 0);
  });

  test("a pod that leaves moves no card, and the next one takes its place", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const freed = slots.get("Pod/api-1-1");
    ask({ removedNodes: ["Pod/api-1-1"] });
    ask({ nodes: [node("Pod", "api-1-next", { ownerId: "ReplicaSet/api-1" })] });
    expect(slots.get("Pod/api-1-next")).toEqual(freed);
  });

  test("UB5: a rollout stays in its columns; what it replaces takes the last place and gives the good one back", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const before = new Map(slots);
    for (const revision of [2, 3]) {
      const pods = [0, 1].map((index) => node("Pod", `api-${revision}-${index}`, { ownerId: `ReplicaSet/api-${revision}` }));
      ask({ nodes: [node("ReplicaSet", `api-${revision}`, { ownerId: "Deployment/api" }), ...pods] });
      expect(slots.get(`ReplicaSet/api-${revision}`)?.column).toBe(3);
      expect(pods.map(({ id }) => slots.get(id)?.column)).toEqual([LAST, LAST]);
    }
    for (const [id, slot] of [...before].filter(([key]) => key.includes("api"))) expect(slots.get(id)).toEqual(slot);
    const live = slots.get("ReplicaSet/api-3");
    const old = [1, 2].map((revision) => node("ReplicaSet", `api-${revision}`, { ownerId: "Deployment/api", superseded: true }));
    ask({ nodes: old, removedNodes: [...slots.keys()].filter((id) => /^Pod\/api-[12]-/.test(id)) });
    expect(slots.get("ReplicaSet/api-3")).toEqual(live);
    const folded = [...slots].find(([id]) => id.startsWith("fold:old:"))?.[1];
    expect(folded?.column).toBe(3);
    expect(folded?.row).toBeGreaterThan(live?.row ?? Infinity);
    ask({ nodes: [node("ReplicaSet", "api-4", { ownerId: "Deployment/api" })] });
    expect(slots.get("ReplicaSet/api-4")).toEqual(before.get("ReplicaSet/api-1"));
    expect(places(slots).size).toBe(slots.size);
  });

  test("UB5: the Job of a CronJob stands left of its pods, whichever comes first", () => {
    const { ask, slots } = drawing();
    ask({ nodes: [node("CronJob", "night")], tidy: true });
    ask({ nodes: [node("Pod", "night-1-a", { ownerId: "Job/night-1" }), node("Job", "night-1", { ownerId: "CronJob/night" })] });
    expect(["CronJob/night", "Job/night-1", "Pod/night-1-a"].map((id) => slots.get(id)?.column)).toEqual([2, 3, LAST]);
  });

  test("a tidy layout puts what is superseded below what is live", () => {
    const { ask, slots } = drawing();
    const old = node("ReplicaSet", "a-old", { ownerId: "Deployment/web", superseded: true });
    const app = application("web", 2);
    ask({ nodes: [old, ...app.nodes], edges: app.edges, tidy: true });
    expect(slots.get("ReplicaSet/web-1")?.row).toBe(0);
    expect(slots.get("ReplicaSet/a-old")?.row).toBeGreaterThan(0);
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

  test("around a node stands what is so many lines away, by the lines that are drawn, and of that what the rest of the filter lets through", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const around = { id: "Deployment/web", hops: 1, styles: ["owns", "uses", "routes"] } as const;
    const { hidden, total } = ask({ filter: { ...NO_FILTER, around } });
    expect([...slots.keys()].sort()).toEqual(["ConfigMap/web-config", "Deployment/web", "ReplicaSet/web-1"]);
    expect({ hidden, total }).toEqual({ hidden: nodes.length - 3, total: nodes.length });
    ask({ filter: { ...NO_FILTER, around: { ...around, styles: ["owns"] } } });
    expect([...slots.keys()].sort()).toEqual(["Deployment/web", "ReplicaSet/web-1"]);
    ask({ filter: { ...NO_FILTER, around: { ...around, hops: 3 } } });
    expect(slots.has("Service/web")).toBe(true);
    expect([...slots.keys()].filter((id) => !id.includes("web"))).toEqual([]);
    ask({ filter: { ...NO_FILTER, kinds: ["ConfigMap"], around } });
    expect([...slots.keys()]).toEqual(["ConfigMap/web-config"]);
    ask({ filter: { ...NO_FILTER, around: { ...around, id: "" } } });
    expect([...slots.keys()]).toEqual([]);
  });

  test("what comes near a node later stands there too, and the node itself is never folded", () => {
    const { ask, slots } = drawing();
    const { nodes, edges } = three();
    ask({ nodes, edges, tidy: true });
    const many = Array.from({ length: 20 }, (_, index) => node("ConfigMap", `of-all-${index}`));
    ask({ nodes: many });
    const around = { id: "ConfigMap/of-all-7", hops: 1, styles: ["uses"] } as const;
    ask({ filter: { ...NO_FILTER, around } });
    expect([...slots.keys()]).toEqual(["ConfigMap/of-all-7"]);
    ask({ edges: [edge("Deployment/api", "ConfigMap/of-all-7", "uses")] });
    expect([...slots.keys()].sort()).toEqual(["ConfigMap/of-all-7", "Deployment/api"]);
  });

  test("many applications are spread over lanes, each card in its own place", () => {
    const { ask, slots } = drawing();
    const apps = Array.from({ length: 120 }, (_, index) => application(`app-${index}`, 2));
    const unwell = apps.flatMap((app) => app.nodes).map((each) => ({ ...each, status: STATUS.degraded }));
    ask({ nodes: unwell, edges: apps.flatMap((app) => app.edges), tidy: true });
    expect(new Set([...slots.values()].map(({ lane }) => lane)).size).toBeGreaterThan(1);
    expect(places(slots).size).toBe(slots.size);
    expect(Math.max(...[...slots.values()].map((slot) => slot.column))).toBeLessThanOrEqual(LAST);
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
