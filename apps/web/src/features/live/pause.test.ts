import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionState,
  HealthStatus,
  ProblemKind,
  SettledState,
  WatchEnvironmentResponseSchema,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { EnvironmentStore } from "./environment-store.ts";
import { freshnessOf } from "@binnacle/presentation/view/freshness";
import { madeId, MadeView, type NamedEdge, type NamedNode } from "./made-view.ts";

const T0 = 1_700_000_000_000;
const POD = { group: "", kind: "Any", namespace: "", resource: "things" };

function message(message: MessageInitShape<typeof WatchEnvironmentResponseSchema>["message"]): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, { sentAt: timestampFromMs(T0), ...(message && { message }) });
}

/** A store that shows a, b and the line between them, live, and the server that goes on. */
function world() {
  const made = new MadeView();
  const store = new EnvironmentStore((flush) => flush());
  let nowMs = T0;
  const apply = (content: Parameters<typeof message>[0]): boolean => store.apply(message(content), (nowMs += 100));
  const nodes = (named: readonly NamedNode[]) => made.nodes(named);
  const edges = (named: readonly NamedEdge[]) => made.edges(named);
  const header = (username: string) => apply({ case: "header", value: { viewer: { username }, environment: { name: "production" } } });
  header("mara");
  apply({
    case: "snapshot",
    value: {
      nodes: nodes([{ id: "a", restarts: 1 }, { id: "b" }]),
      edges: edges([{ id: "ab", from: "a", to: "b" }]),
      connection: { state: ConnectionState.CONNECTED },
      health: { status: HealthStatus.HEALTHY },
      complete: true,
    },
  });
  const delta = (value: { upserted?: readonly NamedNode[]; removed?: readonly string[]; health?: HealthStatus }) =>
    apply({
      case: "delta",
      value: {
        upsertedNodes: nodes(value.upserted ?? []),
        removedNodes: made.numbers(value.removed ?? []),
        ...(value.health === undefined ? {} : { health: { status: value.health } }),
      },
    });
  const hold = () => store.pause({ sinceMs: nowMs, asOfMs: nowMs });
  return { store, apply, delta, header, hold, nodes, names: () => [...store.nodes.keys()].sort(), now: () => nowMs };
}

test("what is held stays as it is, and how much waits is counted, each resource once", () => {
  const { store, delta, hold, names } = world();
  hold();
  delta({ upserted: [{ id: "a", restarts: 2 }] });
  delta({ upserted: [{ id: "a", restarts: 3 }, { id: "c" }], health: HealthStatus.DEGRADED });
  expect(names()).toEqual([madeId("a"), madeId("b")]);
  expect(store.node(madeId("a"))?.restarts).toBe(1);
  expect(store.view().health?.status).toBe(HealthStatus.HEALTHY);
  expect(store.view().pause?.waiting).toBe(2);
});

test("resuming shows at once all changes that waited, and notifies the listeners of the graph once", () => {
  const { store, delta, hold, names } = world();
  const cursor = store.openChanges();
  let [heard, heardOfA] = [0, 0];
  store.onGraph(() => (heard += 1));
  store.onNode(madeId("a"), () => (heardOfA += 1));
  hold();
  delta({ upserted: [{ id: "a", restarts: 2 }] });
  delta({ upserted: [{ id: "a", restarts: 3 }, { id: "c" }], removed: ["b"], health: HealthStatus.DEGRADED });
  expect([heard, heardOfA, cursor.take().nodes.size]).toEqual([0, 0, 0]);
  store.resume();
  expect([heard, heardOfA]).toEqual([1, 1]);
  const change = cursor.take();
  expect([...change.nodes.keys()].sort()).toEqual([madeId("a"), madeId("c")]);
  expect([...change.removedNodes]).toEqual([madeId("b")]);
  expect(names()).toEqual([madeId("a"), madeId("c")]);
  expect(store.node(madeId("a"))?.restarts).toBe(3);
  expect(store.view().pause).toBeUndefined();
  expect(store.view().health?.status).toBe(HealthStatus.DEGRADED);
});

test("what comes and goes while a picture is held is no change, and is not kept", () => {
  const { store, delta, hold } = world();
  hold();
  for (let index = 0; index < 50; index += 1) {
    delta({ upserted: [{ id: `job-${index}` }] });
    delta({ removed: [`job-${index}`] });
  }
  expect(store.view().pause?.waiting).toBe(0);
});

test("a resource that is deleted while the picture is held stays in it, and is deleted when it goes on", () => {
  const { store, delta, hold } = world();
  const selection = "core/things//a";
  delta({ upserted: [{ id: "a", ref: { ...POD, name: "a" } }] });
  hold();
  delta({ removed: ["a"] });
  expect(store.node(madeId("a"))).toBeDefined();
  store.resume();
  expect(store.node(madeId("a"))).toBeUndefined();
  expect(store.departed(selection)?.node.ref?.name).toBe("a");
});

test("the connection stays true while the picture is held, and what is shown is never called newer than it is", () => {
  const { store, apply, hold, now } = world();
  hold();
  const pausedMs = now();
  apply({ case: "heartbeat", value: {} });
  expect(freshnessOf(store.view(), now())).toMatchObject({ kind: "live", pausedMs });
  apply({ case: "connection", value: { state: ConnectionState.AGENT_OFFLINE, since: timestampFromMs(now()) } });
  expect(freshnessOf(store.view(), now())).toMatchObject({ kind: "agent-offline", asOfMs: pausedMs, pausedMs });
  store.lost("gone", now());
  expect(freshnessOf(store.view(), now() + 6_000)).toMatchObject({ kind: "bff-unreachable", asOfMs: pausedMs });
});

test("a stream that is lost and comes back while the picture is held: what is counted is the difference", () => {
  const { store, apply, hold, nodes, now, names } = world();
  hold();
  store.lost("gone", now());
  apply({ case: "header", value: { viewer: { username: "mara" }, environment: { name: "production" } } });
  apply({
    case: "snapshot",
    value: { nodes: nodes([{ id: "b" }, { id: "c" }]), connection: { state: ConnectionState.CONNECTED }, complete: true },
  });
  expect(names()).toEqual([madeId("a"), madeId("b")]);
  expect(store.view().pause?.waiting).toBe(2);
  store.resume();
  expect(names()).toEqual([madeId("b"), madeId("c")]);
});

test("a session that ends leaves the picture held, and says so", () => {
  const { store, apply, delta, hold } = world();
  hold();
  delta({ upserted: [{ id: "c" }] });
  apply({ case: "problem", value: { kind: ProblemKind.UNAUTHENTICATED } });
  expect(store.view()).toMatchObject({ stream: { kind: "ended" }, problem: { kind: ProblemKind.UNAUTHENTICATED }, pause: { waiting: 1 } });
});

test("what may not be seen any more goes at once, held or not, with its lines", () => {
  const { store, apply, nodes, hold, names } = world();
  const ref = { ...POD, name: "a" };
  apply({ case: "delta", value: { upsertedNodes: nodes([{ id: "a", ref }]) } });
  hold();
  let heard = 0;
  store.onNode(madeId("a"), () => (heard += 1));
  apply({
    case: "delta",
    value: { upsertedSources: [{ resource: "things", settled: SettledState.FORBIDDEN }], removedNodes: [1] },
  });
  expect(names()).toEqual([madeId("b")]);
  expect([...store.edges.keys()]).toEqual([]);
  expect(heard).toBe(1);
});

test("another user, or a user without access, does not see a paused view: the pause ends", () => {
  const first = world();
  first.hold();
  first.header("otto");
  expect(first.store.view().pause).toBeUndefined();
  expect(first.names()).toEqual([]);
  const second = world();
  second.hold();
  second.apply({ case: "problem", value: { kind: ProblemKind.NOT_FOUND } });
  expect(second.store.view().pause).toBeUndefined();
  second.store.pause({ sinceMs: 1, asOfMs: 1 });
  expect(second.store.view().pause).toBeUndefined();
});
