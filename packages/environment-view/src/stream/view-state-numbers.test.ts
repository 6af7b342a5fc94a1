import { DeltaSchema, EdgeSchema, EnvironmentHealthSchema, NodeSchema, SnapshotSchema } from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";

import type { ViewMessage } from "./view-model.ts";
import { NodeNumbers, ViewState } from "./view-state.ts";

let state: ViewState;
beforeEach(() => {
  state = emptyView();
});

function emptyView(): ViewState {
  return new ViewState(create(EnvironmentHealthSchema), { state: "connected", sinceMs: 0 });
}

function putNode(name: string, externalUrl = "", view = state): number {
  const id = view.numbers.nodes.of(name);
  view.putNode(create(NodeSchema, { id, ref: { kind: "Pod", name }, externalUrl }));
  return id;
}

function putEdge(from: string, to: string, view = state): void {
  const { nodes, edges } = view.numbers;
  view.putEdge(create(EdgeSchema, { id: edges.of(`${from} ${to}`), from: nodes.of(from), to: nodes.of(to), fieldPaths: ["spec"] }));
}

function begin(after?: number): ViewMessage {
  const message = state.open(() => {}, after === undefined ? undefined : { view: state.id, version: after }).take();
  if (!message) throw new Error("there is nothing to take");
  return message;
}

test("W15: numbers are small and given once, from 1", () => {
  const numbers = new NodeNumbers();
  expect(["a", "b", "a"].map((id) => numbers.of(id))).toEqual([1, 2, 1]);
  expect([numbers.known("b"), numbers.known("c")]).toEqual([2, undefined]);
});

test("W15: what left and came back under its name has another number, and a subscriber that resumes receives both", () => {
  const first = putNode("a");
  const { version } = begin();
  state.removeNode("a");
  const second = putNode("a");
  expect(second).not.toBe(first);
  expect(begin(version)).toMatchObject({ kind: "delta", removedNodes: [first], upsertedNodes: [{ id: second }] });
});

test("W15: what has left costs nothing, however much has come and gone", () => {
  for (let index = 0; index < 20_000; index += 1) {
    putNode(`pod-${index}`);
    putEdge(`pod-${index}`, `pod-${index}`);
    state.removeEdge(`pod-${index} pod-${index}`);
    state.removeNode(`pod-${index}`);
  }
  expect([state.numbers.nodes.size, state.numbers.edges.size]).toEqual([0, 0]);
  state.removeNode("never there");
  expect(putNode("stays")).toBe(20_001);
});

test("W15: what is put again as it was is no change, in whatever object it comes", () => {
  putNode("a", "1/1");
  const { version } = begin();
  putNode("a", "1/1");
  expect(begin(version)).toMatchObject({ kind: "delta", version, upsertedNodes: [] });
});

test("W15: two hundred who have missed the same are sent the very same bytes", () => {
  for (let index = 0; index < 50; index += 1) putNode(`pod-${index}`);
  const readers = Array.from({ length: 200 }, () => state.open(() => {}));
  for (const reader of readers) reader.take();
  putNode("pod-7", "changed");
  const contents = readers.map((reader) => reader.take()?.content.bytes);
  expect(contents[0]?.length).toBeGreaterThan(0);
  expect(new Set(contents).size).toBe(1);
});

test("W15: the bytes of a message are those of its nodes and edges, whatever they hold", () => {
  const name = fc.string({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name, fc.string({ unit: "binary" })), { maxLength: 30 }), (links) => {
      state = emptyView();
      const { version } = begin();
      for (const [from, to, fact] of links) {
        putNode(from, fact);
        putNode(to);
        putEdge(from, to);
      }
      const [all, change] = [begin(), begin(version)];
      if (all.kind !== "snapshot" || change.kind !== "delta") throw new Error("the wrong kinds of messages");
      const plain = create(SnapshotSchema, { nodes: [...all.nodes], edges: [...all.edges] });
      expect(fromBinary(SnapshotSchema, all.content.bytes)).toEqual(fromBinary(SnapshotSchema, toBinary(SnapshotSchema, plain)));
      const { upsertedNodes, upsertedEdges } = change;
      const delta = create(DeltaSchema, { upsertedNodes: [...upsertedNodes], upsertedEdges: [...upsertedEdges] });
      expect(fromBinary(DeltaSchema, change.content.bytes)).toEqual(fromBinary(DeltaSchema, toBinary(DeltaSchema, delta)));
    }),
  );
});
