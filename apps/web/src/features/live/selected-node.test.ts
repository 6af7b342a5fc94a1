import { create } from "@bufbuild/protobuf";
import { DeltaSchema, SnapshotSchema, SettledState, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { beforeEach, expect, test } from "vitest";
import { EnvironmentStore } from "./environment-store.ts";
import { MadeView } from "./made-view.ts";
import { selectedNode } from "./selected-node.ts";

const SERVER = new MadeView();
let store: EnvironmentStore;

beforeEach(() => {
  store = new EnvironmentStore((flush) => flush());
  const value = create(SnapshotSchema, { nodes: SERVER.nodes(["a", "b"].map(pod)), complete: true });
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value } }), 1);
});

function pod(name: string) {
  return { id: name, ref: { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "ns", name } };
}

function change(value: Parameters<typeof create<typeof DeltaSchema>>[1], atMs: number): void {
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "delta", value: create(DeltaSchema, value) } }), atMs);
}

test("a selection finds its node whatever its uid, and an empty one none", () => {
  expect(selectedNode(store, "core/pods/ns/a")).toMatchObject({ kind: "live", node: { ref: { name: "a" } } });
  expect(selectedNode(store, "")).toEqual({ kind: "none" });
});

test("W11: after two were selected and deleted, going back shows the first and not the second", () => {
  expect(selectedNode(store, "core/pods/ns/a")).toMatchObject({ kind: "live", node: { ref: { name: "a" } } });
  expect(selectedNode(store, "core/pods/ns/b")).toMatchObject({ kind: "live", node: { ref: { name: "b" } } });
  change({ removedNodes: SERVER.numbers(["a", "b"]) }, 7);
  expect(selectedNode(store, "core/pods/ns/a")).toMatchObject({ kind: "departed", node: { ref: { name: "a" } }, atMs: 7 });
});

test("W11: a selection that names nothing shows nothing, whatever has left", () => {
  change({ removedNodes: SERVER.numbers(["a"]) }, 7);
  expect(selectedNode(store, "core/pods/ns/other")).toEqual({ kind: "none" });
  expect(selectedNode(store, "apps/pods/ns/a")).toEqual({ kind: "none" });
});

test("W11: what was created again under its name is shown as it is now", () => {
  const before = store.node("/Pod/ns/a");
  expect(before).toBeDefined();
  change({ removedNodes: SERVER.numbers(["a"]) }, 7);
  change({ upsertedNodes: SERVER.nodes([{ ...pod("a"), id: "a2" }]) }, 8);
  const now = selectedNode(store, "core/pods/ns/a");
  expect(now).toMatchObject({ kind: "live", node: { ref: { name: "a" } } });
  expect(now.kind === "live" && now.node.life).not.toBe(before?.life);
});

test("W11: what left because it may not be seen any more is not called deleted, and not shown", () => {
  change(
    { removedNodes: SERVER.numbers(["a"]), upsertedSources: [{ resource: "pods", namespace: "ns", settled: SettledState.FORBIDDEN }] },
    7,
  );
  expect(selectedNode(store, "core/pods/ns/a")).toEqual({ kind: "hidden" });
});
