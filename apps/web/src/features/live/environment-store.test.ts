import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionSchema,
  ConnectionState,
  DeltaSchema,
  HeaderSchema,
  HealthStatus,
  ProblemKind,
  ProblemSchema,
  ResourceRefSchema,
  SnapshotSchema,
  SettledState,
  WatchEnvironmentResponseSchema,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { beforeEach, describe, expect, test } from "vitest";
import { EnvironmentStore } from "./environment-store.ts";
import { freshnessOf } from "@binnacle/presentation/view/freshness";
import { MadeView, madeId, type NamedEdge, type NamedNode } from "./made-view.ts";

type SnapshotInit = Omit<MessageInitShape<typeof SnapshotSchema>, "$typeName" | "nodes" | "edges"> & {
  readonly nodes?: readonly NamedNode[];
  readonly edges?: readonly NamedEdge[];
};
type DeltaInit = Omit<MessageInitShape<typeof DeltaSchema>, "$typeName" | "upsertedNodes" | "upsertedEdges" | "removedNodes"> & {
  readonly upsertedNodes?: readonly NamedNode[];
  readonly upsertedEdges?: readonly NamedEdge[];
  readonly removedNodes?: readonly string[];
};

let server: MadeView;
beforeEach(() => {
  server = new MadeView();
});

function snapshot({ nodes = [], edges = [], ...rest }: SnapshotInit): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, {
    message: { case: "snapshot", value: create(SnapshotSchema, { ...rest, nodes: server.nodes(nodes), edges: server.edges(edges) }) },
    sentAt: timestampFromMs(5),
  });
}

function delta({ upsertedNodes = [], upsertedEdges = [], removedNodes = [], ...rest }: DeltaInit): WatchEnvironmentResponse {
  const nodes = { upsertedNodes: server.nodes(upsertedNodes), removedNodes: server.numbers(removedNodes) };
  const value = create(DeltaSchema, { ...rest, ...nodes, upsertedEdges: server.edges(upsertedEdges) });
  return create(WatchEnvironmentResponseSchema, { message: { case: "delta", value } });
}

/** Names of these ids, in their order. */
function namesOf(ids: Iterable<string>): string[] {
  return [...ids].map((id) => id.slice(id.lastIndexOf("/") + 1));
}

function filled(): EnvironmentStore {
  const store = new EnvironmentStore((flush) => flush());
  store.apply(snapshot({ nodes: [{ id: "a" }, { id: "b" }], edges: [{ id: "e", from: "a", to: "b" }], complete: true }), 1000);
  return store;
}

function counter(subscribe: (listener: () => void) => () => void): () => number {
  let calls = 0;
  subscribe(() => {
    calls += 1;
  });
  return () => calls;
}

describe("EnvironmentStore", () => {
  test("a change of one node notifies only the listeners of that node", () => {
    const store = filled();
    const [a, b] = ["a", "b"].map((id) => counter((listener) => store.onNode(madeId(id), listener)));
    store.apply(delta({ upsertedNodes: [{ id: "a", externalUrl: "http://a" }] }), 1001);
    expect([a?.(), b?.()]).toEqual([1, 0]);
    expect(store.node(madeId("a"))?.externalUrl).toBe("http://a");
  });

  test("a snapshot after a reconnect replaces, and renders only what is different", () => {
    const store = filled();
    const [a, b] = ["a", "b"].map((id) => counter((listener) => store.onNode(madeId(id), listener)));
    const before = store.node(madeId("a"));
    store.apply(snapshot({ nodes: [{ id: "a" }], complete: true }), 1002);
    expect(store.node(madeId("a"))).toBe(before);
    expect(store.node(madeId("b"))).toBeUndefined();
    expect(store.edges.size).toBe(0);
    expect([a?.(), b?.()]).toEqual([0, 1]);
  });

  test("an absent field of a delta has not changed", () => {
    const store = filled();
    store.apply(delta({ health: { status: HealthStatus.HEALTHY }, connection: { state: ConnectionState.CONNECTED } }), 1001);
    store.apply(delta({ upsertedNodes: [{ id: "c" }] }), 1002);
    expect(store.view().health?.status).toBe(HealthStatus.HEALTHY);
    expect(store.view().connection?.state).toBe(ConnectionState.CONNECTED);
    expect(store.view().complete).toBe(true);
  });

  test("a configuration error comes and goes", () => {
    const store = filled();
    store.apply(delta({ configurationError: { reason: "no", lastGoodCommit: "abc" } }), 1001);
    expect(store.view().configurationError?.lastGoodCommit).toBe("abc");
    store.apply(delta({ configurationErrorCleared: true }), 1002);
    expect(store.view().configurationError).toBeUndefined();
  });

  test("sources are replaced and removed by their key", () => {
    const store = filled();
    store.apply(delta({ upsertedSources: [{ group: "", resource: "pods", namespace: "ns", settled: SettledState.UNSPECIFIED }] }), 1001);
    store.apply(delta({ upsertedSources: [{ group: "", resource: "pods", namespace: "ns", settled: SettledState.LIVE }] }), 1002);
    expect(store.view().sources.map((source) => source.settled)).toEqual([SettledState.LIVE]);
    store.apply(delta({ removedSources: ["/pods/ns"] }), 1003);
    expect(store.view().sources).toEqual([]);
  });

  test("the message of an empty view goes when the first resource comes", () => {
    const store = new EnvironmentStore((flush) => flush());
    store.apply(snapshot({ complete: true, empty: { link: "https://help" } }), 1000);
    expect(store.view().empty?.link).toBe("https://help");
    store.apply(delta({ upsertedNodes: [{ id: "a" }] }), 1001);
    expect(store.view().empty).toBeUndefined();
  });

  test("what left is remembered with its time, until it is back", () => {
    const store = filled();
    const ref = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "ns", name: "p" };
    store.apply(delta({ upsertedNodes: [{ id: "a", ref }] }), 1999);
    store.apply(delta({ removedNodes: ["a"] }), 2000);
    expect(store.departed("core/pods/ns/p")).toMatchObject({ atMs: 2000, node: { id: "/Pod/ns/p" } });
    store.apply(delta({ upsertedNodes: [{ id: "again", ref }] }), 2001);
    expect(store.departed("core/pods/ns/p")).toBeUndefined();
  });

  test("W11: of two that left, each is remembered under its own selection", () => {
    const store = filled();
    const pod = (id: string) => ({ id, ref: { version: "v1", kind: "Pod", resource: "pods", namespace: "ns", name: id } });
    store.apply(delta({ upsertedNodes: [pod("a"), pod("b")] }), 1999);
    store.apply(delta({ removedNodes: ["a"] }), 2000);
    store.apply(delta({ removedNodes: ["b"] }), 2001);
    expect(store.departed("core/pods/ns/a")).toMatchObject({ node: { id: "/Pod/ns/a" }, atMs: 2000 });
    expect(store.departed("core/pods/ns/b")).toMatchObject({ node: { id: "/Pod/ns/b" }, atMs: 2001 });
    expect(store.departed("core/pods/ns/c")).toBeUndefined();
  });

  test("a problem ends the stream unless the server retries, and keeps the data", () => {
    const store = filled();
    const problem = (kind: ProblemKind): WatchEnvironmentResponse =>
      create(WatchEnvironmentResponseSchema, { message: { case: "problem", value: create(ProblemSchema, { kind }) } });
    expect(store.apply(problem(ProblemKind.UNAVAILABLE), 1001)).toBe(true);
    expect(store.apply(problem(ProblemKind.UNAUTHENTICATED), 1002)).toBe(false);
    expect(store.nodes.size).toBe(2);
    expect(store.view().problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
  });

  test("the version counts snapshots and deltas, not heartbeats", () => {
    const store = filled();
    store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "heartbeat", value: {} } }), 1001);
    expect(store.view().version).toBe(1);
    store.apply(delta({}), 1002);
    expect(store.view()).toMatchObject({ version: 2, lastMessageMs: 1002 });
  });

  test("changes of several messages are handed over as one", () => {
    const store = filled();
    const cursor = store.openChanges();
    store.apply(delta({ upsertedNodes: [{ id: "c" }], removedNodes: ["a"] }), 1001);
    store.apply(delta({ upsertedNodes: [{ id: "a" }], removedNodes: ["c"] }), 1002);
    const change = cursor.take();
    expect(namesOf(change.nodes.keys())).toEqual(["a"]);
    expect(namesOf(change.removedNodes)).toEqual(["c"]);
    expect(cursor.take().nodes.size).toBe(0);
  });

  test("W18: changes are not retained while no cursor reads them", () => {
    const store = filled();
    const come = (from: number): void => {
      const ids = Array.from({ length: 1_000 }, (_, index) => `pod-${from + index}`);
      store.apply(delta({ upsertedNodes: ids.map((id) => ({ id })) }), 1001);
      store.apply(delta({ removedNodes: ids }), 1002);
    };
    come(0);
    expect(store.untakenSize).toBe(0);
    const cursor = store.openChanges();
    come(1_000);
    expect(store.untakenSize).toBe(1_000);
    cursor.close();
    expect(store.untakenSize).toBe(0);
    come(2_000);
    expect(store.untakenSize).toBe(0);
    expect(cursor.take().removedNodes.size).toBe(0);
  });

  test("W18: two who follow the changes get all of them, each in its own time", () => {
    const store = filled();
    const [first, second] = [store.openChanges(), store.openChanges()];
    store.apply(delta({ upsertedNodes: [{ id: "c" }] }), 1001);
    expect(namesOf(first.take().nodes.keys())).toEqual(["c"]);
    store.apply(delta({ removedNodes: ["c"], upsertedNodes: [{ id: "d" }] }), 1002);
    expect(namesOf(first.take().removedNodes)).toEqual(["c"]);
    const late = second.take();
    expect([namesOf(late.nodes.keys()), namesOf(late.removedNodes)]).toEqual([["d"], ["c"]]);
  });
});

describe("W4: a stream that begins again", () => {
  const agent = { name: "production", agentId: 3n, namespace: "ns" };

  function header(clusterUsername: string, username = "mara"): WatchEnvironmentResponse {
    const value = create(HeaderSchema, { environment: agent, viewer: { username, clusterUsername } });
    return create(WatchEnvironmentResponseSchema, { message: { case: "header", value } });
  }

  function connection(state: ConnectionState, sinceMs: number): WatchEnvironmentResponse {
    const value = create(ConnectionSchema, { state, since: timestampFromMs(sinceMs) });
    return create(WatchEnvironmentResponseSchema, { message: { case: "connection", value } });
  }

  function settled(resource: string, state: SettledState): { group: string; resource: string; namespace: string; settled: SettledState } {
    return { group: "", resource, namespace: "ns", settled: state };
  }

  function named(id: string, resource: string): { id: string; ref: { resource: string; namespace: string; name: string } } {
    return { id, ref: { resource, namespace: "ns", name: id } };
  }

  const ONLINE = { state: ConnectionState.CONNECTED, since: timestampFromMs(1) };

  /** Two pods and a secret of mara, live, and then the stream breaks. */
  function broken(): EnvironmentStore {
    const store = new EnvironmentStore((flush) => flush());
    store.apply(header("gitlab:user:mara"), 900);
    store.apply(
      snapshot({
        nodes: [named("a", "pods"), named("b", "pods"), named("s", "secrets")],
        edges: [{ id: "e", from: "a", to: "s" }],
        sources: [settled("pods", SettledState.LIVE), settled("secrets", SettledState.LIVE)],
        health: { status: HealthStatus.DEGRADED },
        connection: ONLINE,
        complete: true,
      }),
      1000,
    );
    store.lost("gone", 2000);
    store.apply(header(""), 3000);
    return store;
  }

  const idsOf = (store: EnvironmentStore): string[] => namesOf(store.nodes.keys()).toSorted();

  test("W4: while the agent is away everything stays, nothing is called deleted, and it is as of the last good word", () => {
    const store = broken();
    store.apply(connection(ConnectionState.CONNECTING, 3000), 5000);
    store.apply(connection(ConnectionState.AGENT_OFFLINE, 3000), 6000);
    expect(idsOf(store)).toEqual(["a", "b", "s"]);
    expect(store.departed("core/pods/ns/a")).toBeUndefined();
    expect(store.view()).toMatchObject({ complete: true, stale: true, blank: false, contentAsOfMs: 1000 });
    expect(store.view().health?.status).toBe(HealthStatus.DEGRADED);
    expect(store.view().viewer?.clusterUsername).toBe("gitlab:user:mara");
    expect(freshnessOf(store.view(), 6000)).toMatchObject({ kind: "agent-offline", asOfMs: 1000 });
  });

  test("W4, W17: an agent that was offline when the stream broke is offline since then, also while the new stream knows nothing", () => {
    const store = broken();
    store.apply(connection(ConnectionState.AGENT_OFFLINE, 2500), 3000);
    store.lost("again", 4000);
    store.apply(header(""), 5000);
    store.apply(connection(ConnectionState.CONNECTING, 5000), 5000);
    expect(store.view().connection).toMatchObject({ state: ConnectionState.AGENT_OFFLINE, since: timestampFromMs(2500) });
    store.apply(connection(ConnectionState.AGENT_OFFLINE, 5000), 6000);
    expect(store.view().connection?.since).toEqual(timestampFromMs(2500));
  });

  test("W4: a picture that is being filled is held back until it is whole, and only then what it lacks is deleted", () => {
    const store = broken();
    store.apply(header("gitlab:user:mara"), 3100);
    store.apply(snapshot({ connection: ONLINE, health: { status: HealthStatus.HEALTHY } }), 3200);
    store.apply(delta({ upsertedNodes: [named("a", "pods")], upsertedSources: [settled("pods", SettledState.LIVE)] }), 4000);
    expect(idsOf(store)).toEqual(["a", "b", "s"]);
    expect(store.view()).toMatchObject({ stale: true, contentAsOfMs: 1000, health: { status: HealthStatus.DEGRADED } });
    expect(freshnessOf(store.view(), 4000).kind).toBe("reconnecting");
    store.apply(delta({ upsertedNodes: [named("s", "secrets")], complete: true }), 5000);
    expect(idsOf(store)).toEqual(["a", "s"]);
    expect(store.departed("core/pods/ns/b")).toMatchObject({ atMs: 5000 });
    expect(store.departed("core/secrets/ns/s")).toBeUndefined();
    expect(store.view()).toMatchObject({ stale: false, contentAsOfMs: 5000, health: { status: HealthStatus.HEALTHY } });
  });

  test("W4: a picture that is never whole is shown after a while, and what it has not covered stays until it is", () => {
    const store = broken();
    store.apply(header("gitlab:user:mara"), 3100);
    store.apply(snapshot({ connection: ONLINE, nodes: [named("a", "pods")], sources: [settled("pods", SettledState.LIVE)] }), 4000);
    store.apply(delta({ upsertedSources: [settled("secrets", SettledState.UNSPECIFIED)] }), 4000);
    store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "heartbeat", value: {} } }), 19_000);
    expect(idsOf(store)).toEqual(["a", "s"]);
    expect(store.edges.size).toBe(1);
    expect(store.departed("core/pods/ns/b")).toBeDefined();
    store.apply(delta({ upsertedSources: [settled("secrets", SettledState.LIVE)], complete: true }), 20_000);
    expect(idsOf(store)).toEqual(["a"]);
    expect(store.edges.size).toBe(0);
    expect(store.departed("core/secrets/ns/s")).toMatchObject({ atMs: 20_000 });
  });

  test("W4: a kind that may not be seen any more goes at once, and is not reported as deleted", () => {
    const store = broken();
    store.apply(header("gitlab:user:mara"), 3100);
    store.apply(snapshot({ connection: ONLINE }), 3200);
    store.apply(delta({ upsertedSources: [settled("secrets", SettledState.FORBIDDEN)] }), 3300);
    expect(idsOf(store)).toEqual(["a", "b"]);
    expect(store.departed("core/secrets/ns/s")).toBeUndefined();
  });

  test("W4: a kind that is forbidden while the stream is well leaves no deleted resources either", () => {
    const store = broken();
    store.apply(snapshot({ nodes: [named("s", "secrets")], connection: ONLINE, complete: true }), 3200);
    store.apply(delta({ removedNodes: ["s"], upsertedSources: [settled("secrets", SettledState.FORBIDDEN)] }), 3300);
    expect(store.nodeOf(create(ResourceRefSchema, named("s", "secrets").ref))).toBeUndefined();
    expect(store.departed("core/secrets/ns/s")).toBeUndefined();
  });

  test("W4: another cluster identity gets its own view at once, and nothing is reported as deleted", () => {
    const store = broken();
    store.apply(header("gitlab:user:other"), 3100);
    expect(idsOf(store)).toEqual(["a", "b", "s"]);
    store.apply(snapshot({ connection: ONLINE, nodes: [named("b", "pods")] }), 3200);
    expect(idsOf(store)).toEqual(["b"]);
    expect(store.departed("core/pods/ns/a")).toBeUndefined();
    expect(store.view().complete).toBe(false);
  });

  test("W4, T24: another user who has signed in sees nothing of the previous user's view, whatever the cluster does", () => {
    const store = broken();
    store.apply(header("", "eve"), 3100);
    expect(idsOf(store)).toEqual([]);
    expect(store.edges.size).toBe(0);
    expect(store.departed("core/pods/ns/a")).toBeUndefined();
    expect(store.view()).toMatchObject({ blank: true, version: 0, health: undefined, sources: [] });
    expect(store.view().viewer?.clusterUsername).toBe("");
  });

  test("W4: a picture that was being filled when the stream broke again is not shown in halves", () => {
    const store = broken();
    store.apply(header("gitlab:user:mara"), 3100);
    store.apply(snapshot({ connection: ONLINE, nodes: [named("a", "pods")], sources: [settled("pods", SettledState.LIVE)] }), 3200);
    store.lost("again", 4000);
    store.apply(header(""), 5000);
    store.apply(connection(ConnectionState.CONNECTING, 5000), 30_000);
    expect(idsOf(store)).toEqual(["a", "b", "s"]);
    store.apply(header("gitlab:user:mara"), 31_000);
    store.apply(snapshot({ connection: ONLINE, nodes: [named("a", "pods"), named("b", "pods")], complete: true }), 32_000);
    expect(idsOf(store)).toEqual(["a", "b"]);
  });

  test("W15: what was missed while the stream was broken makes the picture current again", () => {
    const store = broken();
    store.apply(delta({ connection: ONLINE }), 4_000);
    store.lost("cut", 5_000);
    store.apply(header(""), 6_000);
    expect(store.view().stale).toBe(true);
    store.apply(delta({ removedNodes: ["a"], connection: ONLINE }), 7_000);
    expect(idsOf(store)).toEqual(["b", "s"]);
    expect(store.departed("core/pods/ns/a")).toBeDefined();
    expect(store.view()).toMatchObject({ stale: false, contentAsOfMs: 7_000 });
  });

  test("US6: the first picture is shown as it comes, and is blank until there is something in it", () => {
    const store = new EnvironmentStore((flush) => flush());
    store.apply(header(""), 1000);
    store.apply(connection(ConnectionState.API_DOWN, 900), 1000);
    expect(store.view()).toMatchObject({ blank: true, version: 0, environment: { name: "production" } });
    store.apply(snapshot({ connection: ONLINE }), 1100);
    expect(store.view().blank).toBe(true);
    store.apply(delta({ upsertedNodes: [named("a", "pods")] }), 1200);
    expect(store.view()).toMatchObject({ blank: false, complete: false });
    store.apply(delta({ removedNodes: ["a"], complete: true }), 1300);
    expect(store.view().blank).toBe(false);
  });
});
