import { type ViewDelta, type ViewSnapshot, type ViewSource } from "@binnacle/environment-view";
import {
  EdgeSchema,
  EnvironmentHealthSchema,
  NodeSchema,
  SnapshotSchema,
  WatchEnvironmentResponseSchema,
  type Node,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EnvironmentMessages } from "./environment-messages.ts";
import { type NoteBlock } from "../wire/outgoing-blocks.ts";
import { type SharedBlock, putContent } from "../wire/shared-block.ts";

function node(name: string, index: number): Node {
  const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name };
  return create(NodeSchema, { id: index + 1, ref, externalUrl: name, images: ["a"], revision: 7, ready: -1, wanted: -1, restarts: 3 });
}

const SOURCE: ViewSource = {
  id: "/pods/prod",
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  namespace: "prod",
  shown: 0,
  total: 0,
  countsForHealth: true,
};

function snapshotOf(ids: readonly string[], sources: readonly ViewSource[] = [SOURCE]): ViewSnapshot {
  const health = create(EnvironmentHealthSchema, { reason: "well" });
  const connection = { state: "connected", sinceMs: 1 } as const;
  const nodes = ids.map(node);
  const edges = ids
    .slice(1)
    .map((_, index) => create(EdgeSchema, { id: index + 1, from: index + 2, to: 1, kind: "owner", fieldPaths: ["spec"], refused: true }));
  const content = { bytes: toBinary(SnapshotSchema, create(SnapshotSchema, { nodes, edges })) };
  return { kind: "snapshot", version: 1, nodes, edges, content, health, sources, connection, complete: true, isEmpty: false };
}

function messageOf(message: ViewSnapshot | ViewDelta, noteBlock?: NoteBlock): WatchEnvironmentResponse {
  const agent = { id: 3n, name: "demo", projectPath: "group/app", connectedAt: undefined, lastSeenAt: undefined };
  const place = { number: "7", projectPath: "group/app", name: "production", slug: "production", tier: "production" };
  const environment = { ...place, state: "available", externalUrl: "", namespace: "prod", agent };
  const wording = { product: "Binnacle", troubleshootingUrl: "https://main.example.com/help" };
  const scope = { environment, viewer: { username: "mara", name: "Mara" }, identity: undefined, wording, noteBlock };
  return new EnvironmentMessages(scope, () => 5, "view").of(message, { reason: "line 3", lastGoodCommit: "abc" });
}

const sent = (message: WatchEnvironmentResponse): Uint8Array => toBinary(WatchEnvironmentResponseSchema, message);

test("W15: a message with a shared block is read as one that was made of its fields", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 }), fc.boolean(), (ids, hasSources) => {
      const snapshot = snapshotOf(ids, hasSources ? [SOURCE] : []);
      const shared = fromBinary(WatchEnvironmentResponseSchema, sent(messageOf(snapshot, () => undefined)));
      expect(shared).toEqual(fromBinary(WatchEnvironmentResponseSchema, sent(messageOf(snapshot))));
    }),
  );
});

test("W15: a delta with bytes that others are sent too is read as one that was made of its fields", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 }), fc.nat(40), (ids, cut) => {
      const { nodes, edges } = snapshotOf(ids);
      const changed = { upsertedNodes: nodes.slice(cut), upsertedEdges: edges };
      const content = {
        bytes: toBinary(SnapshotSchema, create(SnapshotSchema, { nodes: changed.upsertedNodes, edges: [...edges] })),
      };
      const gone = { removedNodes: [7, 300], removedEdges: [9], removedSources: ["/pods/prod"] };
      const delta: ViewDelta = { kind: "delta", version: 2, ...changed, content, ...gone, upsertedSources: [SOURCE], isEmpty: false };
      const shared = fromBinary(WatchEnvironmentResponseSchema, sent(messageOf(delta, () => undefined)));
      expect(shared).toEqual(fromBinary(WatchEnvironmentResponseSchema, sent(messageOf(delta))));
    }),
  );
});

test("W15: what is sent holds the noted block as it is, and everybody who has the same snapshot the same block", () => {
  const snapshot = snapshotOf(["a", "b"]);
  const noted: SharedBlock[] = [];
  const messages = [1, 2].map(() => sent(messageOf(snapshot, (block) => noted.push(block))));
  expect(noted).toHaveLength(2);
  expect(noted[0]).toBe(noted[1]);
  const bytes = Buffer.from(noted[0]?.bytes ?? []);
  expect(bytes.length).toBeGreaterThan(100);
  for (const message of messages) expect(Buffer.from(message).includes(bytes)).toBe(true);
});

test("W15: another snapshot, though equal, has a block of its own, and one of nothing has none", () => {
  const noted: SharedBlock[] = [];
  for (const snapshot of [snapshotOf(["a"]), snapshotOf(["a"]), snapshotOf([], [])]) messageOf(snapshot, (block) => noted.push(block));
  expect(noted).toHaveLength(2);
  expect(noted[0]).not.toBe(noted[1]);
});

test("W15: who reads the fields of a message, JSON for one, has all of them", () => {
  const message = putContent(create(SnapshotSchema), snapshotOf(["a", "b"]), undefined);
  expect(toJson(SnapshotSchema, message)).toMatchObject({
    nodes: [{ id: 1 }, { id: 2 }],
    edges: [{ from: 2 }],
    sources: [{ kind: "Pod" }],
  });
});
