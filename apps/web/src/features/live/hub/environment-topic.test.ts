import {
  ConnectionState,
  ProblemKind,
  ViewPositionSchema,
  WatchEnvironmentResponseSchema,
  type WatchEnvironmentResponse,
  type WatchEnvironmentResponseSchema as ResponseSchema,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { millisOf } from "../../../ui/format-time.ts";
import { ServerTime } from "../../../ui/server-time.ts";
import { EnvironmentStore } from "../environment-store.ts";
import { MadeView } from "../made-view.ts";
import { ENVIRONMENT_TOPIC } from "./environment-topic.ts";
import { TypedReplica } from "./typed-replica.ts";

type Replica = TypedReplica<typeof ENVIRONMENT_TOPIC.empty>;

type Init = MessageInitShape<typeof ResponseSchema>;

const HEADER: Init = { message: { case: "header", value: { environment: { name: "prod" }, viewer: { username: "mara" } } } };
const SERVER = new MadeView();
const ONLINE = { state: ConnectionState.CONNECTED };

function snapshot(ids: readonly string[], complete = true, version = 1n): Init {
  const value = { nodes: SERVER.nodes(ids.map((id) => ({ id }))), complete, connection: ONLINE };
  return { message: { case: "snapshot", value }, position: { view: "v", version } };
}

function delta(upserted: readonly string[], removed: readonly string[], version: bigint): Init {
  const value = { upsertedNodes: SERVER.nodes(upserted.map((id) => ({ id }))), removedNodes: SERVER.numbers(removed) };
  return { message: { case: "delta", value }, position: { view: "v", version } };
}

/** What a page that was there from the start shows, and what one shows that comes now. */
function pages(...messages: readonly Init[]): {
  readonly early: EnvironmentStore;
  readonly late: EnvironmentStore;
  readonly replica: Replica;
} {
  const early = new EnvironmentStore((flush) => flush());
  const replica = new TypedReplica(ENVIRONMENT_TOPIC);
  for (const [index, init] of messages.entries()) {
    const response: WatchEnvironmentResponse = create(WatchEnvironmentResponseSchema, init);
    early.apply(response, 1_000 + index);
    replica.take({ atMs: 1_000 + index, first: index === 0, answer: { case: "environment", value: response } });
  }
  const late = new EnvironmentStore((flush) => flush());
  for (const { answer, atMs } of replica.whole()) if (answer.case === "environment") late.apply(answer.value, atMs);
  return { early, late, replica };
}

/** A picture that the server kept, of an agent that is away. */
function kept(ids: readonly string[]): Init {
  const value = { nodes: SERVER.nodes(ids.map((id) => ({ id }))), complete: true, connection: { state: ConnectionState.AGENT_OFFLINE } };
  return { message: { case: "snapshot", value: { ...value, asOf: timestampFromMs(500) } } };
}

const shown = (store: EnvironmentStore): unknown => {
  const { complete, stale, kept: isKept, connection, problem, viewer, environment, empty } = store.view();
  return { nodes: [...store.nodes.keys()].toSorted(), complete, stale, isKept, connection, problem, viewer, environment, empty };
};

test.each<[string, Init[]]>([
  ["nothing but whose it is", [HEADER]],
  ["an agent that is away", [HEADER, { message: { case: "connection", value: { state: ConnectionState.AGENT_OFFLINE } } }]],
  ["a picture", [HEADER, snapshot(["a", "b"])]],
  ["a picture and what changed", [HEADER, snapshot(["a", "b"]), delta(["c"], ["a"], 2n)]],
  ["a picture that is being filled", [HEADER, snapshot(["a"], false), delta(["b"], [], 2n)]],
  ["a picture, and the stream that took it up", [HEADER, snapshot(["a"]), HEADER, delta(["b"], [], 2n)]],
  ["a picture, and a stream that has only begun", [HEADER, snapshot(["a"]), HEADER]],
  ["a picture, and another that is being filled", [HEADER, snapshot(["a", "b"]), HEADER, snapshot(["a"], false, 9n)]],
  ["a picture that was being filled, and a stream that fills another", [HEADER, snapshot(["a"], false), HEADER, snapshot(["b"], false)]],
  ["a picture that was kept", [HEADER, HEADER, kept(["a", "b"])]],
  ["a picture that was kept, and one of now that is being filled", [HEADER, HEADER, kept(["a", "b"]), HEADER, snapshot(["a"], false)]],
  ["a picture that was kept, and one of now", [HEADER, HEADER, kept(["a", "b"]), HEADER, snapshot(["a"])]],
  [
    "a problem that passes",
    [HEADER, snapshot(["a"]), { message: { case: "problem", value: { kind: ProblemKind.UNAVAILABLE, link: "soon" } } }],
  ],
])("W3: a page that comes later shows what the first one shows: %s", (_what, messages) => {
  const { early, late } = pages(...messages);
  expect(shown(late)).toEqual(shown(early));
  expect(late.view().contentAsOfMs).toBeLessThanOrEqual(early.view().contentAsOfMs + messages.length);
});

test("W15: a stream is taken up from a picture that is whole, and never from half of one", () => {
  expect(pages(HEADER, snapshot(["a"]), delta(["b"], [], 5n)).replica.position()).toMatchObject({ version: 5n });
  expect(pages(HEADER, snapshot(["a"], false)).replica.position()).toBeUndefined();
});

test("US5: nothing is taken up from a picture that was kept", () => {
  expect(pages(HEADER, snapshot(["a"], false, 4n), HEADER, HEADER, kept(["a"])).replica.position()).toBeUndefined();
});

test("W3: the last word is the last", () => {
  const replica = new TypedReplica(ENVIRONMENT_TOPIC);
  const value = create(WatchEnvironmentResponseSchema, { message: { case: "problem", value: { kind: ProblemKind.NOT_FOUND } } });
  expect(replica.take({ atMs: 1, first: true, answer: { case: "environment", value } })).toBe(false);
});

test("W3: a page's copy of a copy shows the same, and takes the stream up from the same position", () => {
  const messages = [HEADER, snapshot(["a"]), delta(["b"], [], 5n)];
  const { early, replica } = pages(...messages);
  const [copy, late] = [new TypedReplica(ENVIRONMENT_TOPIC), new EnvironmentStore((flush) => flush())];
  // What it had before was of another view.
  const other = create(WatchEnvironmentResponseSchema, snapshot(["z"]));
  other.position = create(ViewPositionSchema, { view: "other", version: 99n });
  copy.take({ atMs: 1, first: true, answer: { case: "environment", value: other } });
  for (const message of replica.whole()) copy.take(message);
  for (const { answer, atMs } of copy.whole()) if (answer.case === "environment") late.apply(answer.value, atMs);
  expect(shown(late)).toEqual(shown(early));
  expect(copy.position()).toMatchObject({ view: "v", version: 5n });
  expect(copy.heldAtMs()).toBe(replica.heldAtMs());
});

test("W3: what a replica holds is as old as its last content, not as the header of a stream that has only begun", () => {
  expect(pages(HEADER, snapshot(["a"])).replica.heldAtMs()).toBe(1_001);
  expect(pages(HEADER, snapshot(["a"]), HEADER).replica.heldAtMs()).toBe(1_001);
  expect(pages(HEADER, { message: { case: "connection", value: ONLINE } }).replica.heldAtMs()).toBe(0);
});

test("W3, UB1: a page that comes an hour after the stream began does not take that hour for the difference of two clocks", () => {
  const replica = new TypedReplica(ENVIRONMENT_TOPIC);
  const hourMs = 3_600_000;
  const sent = (init: Init, sentMs: number, comesMs: number): void => {
    const value = create(WatchEnvironmentResponseSchema, init);
    value.sentAt = timestampFromMs(sentMs);
    replica.take({ atMs: comesMs, first: false, answer: { case: "environment", value } });
  };
  sent(HEADER, 1_000, 6_000);
  sent(snapshot(["a"]), 1_000, 6_000);
  sent(delta(["b"], [], 2n), hourMs, hourMs + 5_000);
  const late = new EnvironmentStore((flush) => flush());
  const time = new ServerTime({ wallMs: () => hourMs + 7_000, steadyMs: () => 100 });
  for (const { answer, atMs } of replica.whole()) {
    if (answer.case !== "environment") continue;
    const { sentAt } = answer.value;
    late.apply(answer.value, time.heard(sentAt && millisOf(sentAt), atMs));
  }
  expect(late.view()).toMatchObject({ lastMessageMs: hourMs });
  expect(time.now()).toBe(hourMs + 2_000);
});

test("W3, XM5: after another user has signed in, the view of the first is sent to no page, and the stream does not resume from it", () => {
  const other: Init = { message: { case: "header", value: { environment: { name: "prod" }, viewer: { username: "otto" } } } };
  const { late, replica } = pages(HEADER, snapshot(["a"]), other);
  expect([...late.nodes.keys()]).toEqual([]);
  expect([replica.position(), replica.heldAtMs()]).toEqual([undefined, 0]);
});
