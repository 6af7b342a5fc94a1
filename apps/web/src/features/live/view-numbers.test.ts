import { create } from "@bufbuild/protobuf";
import {
  DeltaSchema,
  EdgeSchema,
  HeaderSchema,
  NodeSchema,
  Presence,
  SettledState,
  SnapshotSchema,
  WatchEnvironmentResponseSchema,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { selectedNode } from "./selected-node.ts";
import { EnvironmentStore } from "./environment-store.ts";
import { nodeIdOf } from "./live-node.ts";
import { madeId, MadeView, type NamedNode } from "./made-view.ts";

const WORLD: readonly NamedNode[] = [
  { id: "shop" },
  { id: "web", ownerId: "shop", externalUrl: "1/1 ready" },
  { id: "db", ownerId: "shop" },
];
const LINKS = [
  { id: "e", from: "web", to: "db", kind: "uses" },
  { id: "f", from: "shop", to: "web", kind: "owner" },
];

let store: EnvironmentStore;
let server: MadeView;
beforeEach(() => {
  store = new EnvironmentStore((flush) => flush());
  server = new MadeView();
  store.apply(snapshot(server), 1_000);
});

function snapshot(view: MadeView, nodes = WORLD): WatchEnvironmentResponse {
  const value = create(SnapshotSchema, { nodes: view.nodes(nodes), edges: view.edges(LINKS), complete: true });
  return create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value } });
}

function delta(value: Parameters<typeof create<typeof DeltaSchema>>[1]): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, { message: { case: "delta", value: create(DeltaSchema, value) } });
}

const HEADER = create(WatchEnvironmentResponseSchema, { message: { case: "header", value: create(HeaderSchema) } });

/** Owners and ends by name. */
function pictureOf(of: EnvironmentStore): unknown {
  const nodes = [...of.nodes.values()].map(({ id, ownerId, externalUrl }) => `${id} of ${ownerId}: ${externalUrl}`);
  const edges = [...of.edges.values()].map(({ id, from, to }) => `${id} from ${from} to ${to}`);
  return [nodes.toSorted(), edges.toSorted()];
}

test("W15: the same world from another process, which numbers all of it otherwise, changes nothing", () => {
  const cursor = store.openChanges();
  const [before, version] = [pictureOf(store), store.graphVersion()];
  const node = store.node(madeId("web"));
  store.lost("cut", 1_500);
  store.apply(HEADER, 2_000);
  store.apply(snapshot(new MadeView(900), WORLD.toReversed()), 2_001);
  expect(pictureOf(store)).toEqual(before);
  expect(store.node(madeId("web"))).toBe(node);
  expect(store.graphVersion()).toBe(version);
  expect(cursor.take()).toMatchObject({ nodes: new Map(), removedNodes: new Set(), edges: new Map(), removedEdges: new Set() });
});

test("W15: after that the new numbers count, and the old ones mean nothing", () => {
  const other = new MadeView(2);
  store.apply(snapshot(other, WORLD.toReversed()), 2_000);
  store.apply(delta({ upsertedNodes: other.nodes([{ id: "web", ownerId: "shop", externalUrl: "0/1 ready" }]) }), 2_001);
  expect(store.node(madeId("web"))).toMatchObject({ externalUrl: "0/1 ready", ownerId: madeId("shop") });
  store.apply(delta({ removedNodes: [1, other.number("db")] }), 2_002);
  expect([...store.nodes.keys()].toSorted()).toEqual([madeId("shop"), madeId("web")]);
});

test("W15: a selection and what it shows stay, whatever the numbers are", () => {
  const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "ns", name: "p" };
  const pod = { id: "p", ref, createdAt: { seconds: 100n } };
  store.apply(snapshot(server, [...WORLD, pod]), 2_000);
  const before = selectedNode(store, "core/pods/ns/p");
  expect(before.kind).toBe("live");
  store.apply(snapshot(new MadeView(70), [pod, ...WORLD]), 2_001);
  expect(selectedNode(store, "core/pods/ns/p")).toEqual(before);
});

test.each([
  ["in one message", [{ again: true, gone: true }]],
  ["with nothing in between", [{ gone: true }, { again: true }]],
  ["and only its removal was missed", [{ again: true }]],
])("W11: what was created again under its name has its place and another life (%s)", (_what, steps) => {
  const before = store.node(madeId("db"));
  const old = server.number("db");
  for (const { again = false, gone = false } of steps as { again?: boolean; gone?: boolean }[]) {
    const upsertedNodes = again ? [create(NodeSchema, { id: 77, ref: { kind: "Any", name: "db" } })] : [];
    store.apply(delta({ upsertedNodes, removedNodes: gone ? [old] : [] }), 2_000);
  }
  const now = store.node(madeId("db"));
  expect(now?.id).toBe(before?.id);
  expect(now?.life).not.toBe(before?.life);
  // The number of the previous one is free again.
  store.apply(delta({ removedNodes: [old] }), 2_001);
  expect(store.node(madeId("db"))).toBe(now);
});

test("W11: what was deleted keeps its last known state while others still refer to it, and after that", () => {
  const ref = { version: "v1", kind: "ConfigMap", resource: "configmaps", namespace: "ns", name: "c" };
  const nodeOf = (id: number, presence: Presence) => create(NodeSchema, { id, ref, presence });
  store.apply(delta({ upsertedNodes: [nodeOf(60, Presence.PRESENT)] }), 2_000);
  const seen = store.node("/ConfigMap/ns/c");
  store.apply(delta({ removedNodes: [60], upsertedNodes: [nodeOf(61, Presence.MISSING)] }), 2_001);
  expect(store.node("/ConfigMap/ns/c")?.presence).toBe(Presence.MISSING);
  expect(store.departed("core/configmaps/ns/c")).toEqual({ node: seen, atMs: 2_001 });
  store.apply(delta({ removedNodes: [61] }), 2_002);
  expect(store.departed("core/configmaps/ns/c")).toEqual({ node: seen, atMs: 2_001 });
  store.apply(delta({ upsertedNodes: [nodeOf(62, Presence.PRESENT)] }), 2_003);
  expect(store.departed("core/configmaps/ns/c")).toBeUndefined();
});

test("W11: in another process what was created again is known by its time", () => {
  const at = (seconds: bigint): NamedNode[] => [{ id: "db", createdAt: { seconds } }];
  store.apply(snapshot(server, at(100n)), 2_000);
  const before = store.node(madeId("db"));
  store.apply(snapshot(new MadeView(50), at(100n)), 2_001);
  expect(store.node(madeId("db"))?.life).toBe(before?.life);
  store.apply(snapshot(new MadeView(50), at(101n)), 2_002);
  expect(store.node(madeId("db"))?.life).not.toBe(before?.life);
});

test("W15: an edge that comes before its ends waits for them, and one whose end never comes is not drawn", () => {
  const edge = (id: number, to: number) => create(EdgeSchema, { id, from: server.number("web"), to, kind: "mount" });
  const size = store.edges.size;
  store.apply(delta({ upsertedEdges: [edge(500, 400), edge(501, 401), edge(502, 402)] }), 2_000);
  expect(store.edges.size).toBe(size);
  store.apply(delta({ removedEdges: [502] }), 2_001);
  const late = [400, 402].map((id) => create(NodeSchema, { id, ref: { kind: "Any", name: `late-${id}` } }));
  store.apply(delta({ upsertedNodes: late }), 2_002);
  const drawn = [...store.edges.values()].filter(({ kind }) => kind === "mount");
  expect(drawn.map(({ from, to }) => [from, to])).toEqual([[madeId("web"), madeId("late-400")]]);
});

test("W15: a number that a server gives to two nodes stands for the last", () => {
  const number = server.number("web");
  store.apply(delta({ upsertedNodes: [create(NodeSchema, { id: number, ref: { kind: "Any", name: "other" } })] }), 2_000);
  expect(store.node(madeId("web"))).toBeUndefined();
  expect(store.node(madeId("other"))?.ref?.name).toBe("other");
  store.apply(delta({ removedNodes: [number] }), 2_001);
  expect(store.node(madeId("other"))).toBeUndefined();
});

test("W15: unknown numbers, nodes without a name or a number, and edges of nothing are nothing", () => {
  const before = pictureOf(store);
  const nodes = [create(NodeSchema, { id: 80 }), create(NodeSchema, { ref: { kind: "Any", name: "numberless" } })];
  const edges = [
    create(EdgeSchema, { id: 0, from: 1, to: 2 }),
    create(EdgeSchema, { id: 90 }),
    create(EdgeSchema, { id: 91, from: 80, to: 1 }),
  ];
  store.apply(delta({ upsertedNodes: nodes, upsertedEdges: edges, removedNodes: [0, 4_000_000_000], removedEdges: [0, 12_345] }), 2_000);
  expect(pictureOf(store)).toEqual(before);
});

test("W15: whatever a server says, pages show each node under its own name and draw no edge to what was never named", () => {
  const number = fc.integer({ min: 0, max: 6 });
  const name = fc.constantFrom("a", "b", "c", "d");
  const node = fc.record({ id: number, name, ownerId: number, externalUrl: fc.constantFrom("1", "2"), nameless: fc.boolean() });
  const step = fc.record({
    isSnapshot: fc.boolean(),
    complete: fc.boolean(),
    nodes: fc.array(node, { maxLength: 5 }),
    edges: fc.array(fc.record({ id: number, from: number, to: number }), { maxLength: 5 }),
    removedNodes: fc.array(number, { maxLength: 3 }),
    removedEdges: fc.array(number, { maxLength: 3 }),
    header: fc.boolean(),
    forbidden: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const page = new EnvironmentStore((flush) => flush());
      const named = new Set<string>([""]);
      for (const [index, { isSnapshot, complete, header, forbidden, removedNodes, removedEdges, ...rest }] of steps.entries()) {
        const nodes = rest.nodes.map(({ name: text, nameless, ...fields }) =>
          create(NodeSchema, { ...fields, ...(nameless ? {} : { ref: { kind: "Any", resource: "anys", name: text } }) }),
        );
        for (const { ref } of nodes) if (ref) named.add(nodeIdOf(ref));
        const edges = rest.edges.map((each) => create(EdgeSchema, each));
        const sources = forbidden ? [{ resource: "anys", settled: SettledState.FORBIDDEN }] : [];
        if (header) page.apply(HEADER, index);
        const whole = create(SnapshotSchema, { nodes, edges, sources, complete });
        const change = { upsertedNodes: nodes, upsertedEdges: edges, upsertedSources: sources, removedNodes, removedEdges, complete };
        page.apply(
          isSnapshot ? create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: whole } }) : delta(change),
          index,
        );
        for (const [id, shown] of page.nodes) expect(shown.ref && nodeIdOf(shown.ref)).toBe(id);
        for (const { ownerId } of page.nodes.values()) expect(named).toContain(ownerId);
        for (const { from, to } of page.edges.values())
          expect([named.has(from) && from !== "", named.has(to) && to !== ""]).toEqual([true, true]);
      }
    }),
  );
});
