import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionState,
  DeltaSchema,
  HealthStatus,
  ProblemKind,
  ProblemSchema,
  SnapshotSchema,
  SourceState,
  WatchEnvironmentResponseSchema,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import { EnvironmentStore } from "./environment-store.ts";

type Init<T extends "snapshot" | "delta"> = T extends "snapshot"
  ? Parameters<typeof create<typeof SnapshotSchema>>[1]
  : Parameters<typeof create<typeof DeltaSchema>>[1];

function snapshot(value: Init<"snapshot">): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, {
    message: { case: "snapshot", value: create(SnapshotSchema, value) },
    sentAt: timestampFromMs(5),
  });
}

function delta(value: Init<"delta">): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, { message: { case: "delta", value: create(DeltaSchema, value) } });
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
  test("a change of one node tells that node's listeners and nobody else's", () => {
    const store = filled();
    const [a, b] = ["a", "b"].map((id) => counter((listener) => store.onNode(id, listener)));
    store.apply(delta({ upsertedNodes: [{ id: "a", fact: "1/2 ready" }] }), 1001);
    expect([a?.(), b?.()]).toEqual([1, 0]);
    expect(store.node("a")?.fact).toBe("1/2 ready");
  });

  test("a snapshot after a reconnect replaces, and renders only what is different", () => {
    const store = filled();
    const [a, b] = ["a", "b"].map((id) => counter((listener) => store.onNode(id, listener)));
    const before = store.node("a");
    store.apply(snapshot({ nodes: [{ id: "a" }], complete: true }), 1002);
    expect(store.node("a")).toBe(before);
    expect(store.node("b")).toBeUndefined();
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
    store.apply(delta({ upsertedSources: [{ group: "", resource: "pods", namespace: "ns", state: SourceState.LOADING }] }), 1001);
    store.apply(delta({ upsertedSources: [{ group: "", resource: "pods", namespace: "ns", state: SourceState.LIVE }] }), 1002);
    expect(store.view().sources.map((source) => source.state)).toEqual([SourceState.LIVE]);
    store.apply(delta({ removedSources: ["/pods/ns"] }), 1003);
    expect(store.view().sources).toEqual([]);
  });

  test("the message of an empty view goes when the first resource comes", () => {
    const store = new EnvironmentStore((flush) => flush());
    store.apply(snapshot({ complete: true, empty: { message: "There are no resources found" } }), 1000);
    expect(store.view().empty?.message).toContain("no resources");
    store.apply(delta({ upsertedNodes: [{ id: "a" }] }), 1001);
    expect(store.view().empty).toBeUndefined();
  });

  test("what left is remembered with its time, until it is back", () => {
    const store = filled();
    store.apply(delta({ removedNodes: ["a"] }), 2000);
    expect(store.departed("a")).toMatchObject({ atMs: 2000 });
    store.apply(delta({ upsertedNodes: [{ id: "a" }] }), 2001);
    expect(store.departed("a")).toBeUndefined();
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
    store.takeChange();
    store.apply(delta({ upsertedNodes: [{ id: "c" }], removedNodes: ["a"] }), 1001);
    store.apply(delta({ upsertedNodes: [{ id: "a" }], removedNodes: ["c"] }), 1002);
    const change = store.takeChange();
    expect([...change.nodes.keys()]).toEqual(["a"]);
    expect([...change.removedNodes]).toEqual(["c"]);
  });
});
