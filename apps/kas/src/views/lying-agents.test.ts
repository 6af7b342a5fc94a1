import { ConnectionState } from "@binnacle/proto/dashboard";
import { settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { ViewReader } from "./testing/view-reader.ts";
import { FakeViewsAgent, type ViewsAnswer } from "./testing/views-agent.ts";
import { openViewsScene, type ViewsScene } from "./testing/views-scene.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";

const MIB = 1024 * 1024;

let clock: ViewsScene["clock"];
let agent: ViewsScene["agent"];
let router: ViewsScene["router"];
let ledger: ViewsScene["ledger"];
let hub: ViewsScene["hub"];
let violations: ViewsScene["violations"];

beforeEach(() => {
  ({ clock, agent, router, ledger, hub, violations } = openViewsScene());
});

/** A subscriber of a view of one entry. */
async function readerOf(name: string): Promise<ViewReader> {
  agent.put("all", { a: "1" });
  const reader = await ViewReader.join(hub, name);
  await settle();
  expect(reader.shown).toEqual({ a: "1" });
  return reader;
}

function say(...answers: readonly ViewsAnswer[]): void {
  for (const answer of answers) agent.conversations.at(-1)?.say(answer);
}

const entryOf = (key: string, bytes = 1) => ({ key, value: Buffer.alloc(bytes, 7) });
/** Longer than any valid key. */
const KEY = "k".repeat(VIEW_BOUNDS.keyBytes + 1);

test.each<readonly [string, ViewsAnswer]>([
  ["an update of a topic that was not requested", { case: "update", value: { topic: 99n, reset: true } }],
  ["an update of no topic", { case: "update", value: { entries: [entryOf("a")] } }],
  ["the end of a topic that was not requested", { case: "end", value: { topic: 99n } }],
  ["an answer without a request", { case: "proved", value: { id: 99n, rights: "all" } }],
  ["rights with a huge name", { case: "proved", value: { id: 1n, rights: "x".repeat(2_000) } }],
  ["a key that is too long", { case: "update", value: { topic: 1n, entries: [entryOf(KEY)] } }],
  ["a key that leaves and is too long", { case: "update", value: { topic: 1n, removed: [KEY] } }],
  ["an empty key", { case: "update", value: { topic: 1n, entries: [entryOf("")] } }],
  ["a message that is too large", { case: "update", value: { topic: 1n, entries: [entryOf("a", VIEW_BOUNDS.messageBytes)] } }],
  ["a huge offer", { case: "offer", value: { engine: "x", lacking: Array.from({ length: 101 }, () => "x") } }],
  ["an engine that splits a header", { case: "offer", value: { engine: "x\r\nset-cookie: a=b" } }],
])("%s ends the call, is counted, and changes nothing that is shown", async (_, answer) => {
  const ann = await readerOf("ann");
  say(answer);
  await settle();
  expect(violations).toHaveLength(1);
  expect([ann.shown, ann.state, router.running.size]).toEqual([{ a: "1" }, ConnectionState.RECONNECTING, 0]);
  agent.put("all", { b: "2" });
  await clock.elapse(1_000);
  expect([ann.shown, ann.state]).toEqual([{ a: "1", b: "2" }, ConnectionState.CONNECTED]);
});

test("something before the offer ends the call", async () => {
  agent.converse = (send) => {
    // A real conversation, whose offer is lost.
    let first = true;
    return FakeViewsAgent.prototype.converse.call(agent, (bytes) => {
      if (!first) send(bytes);
      else send(Buffer.from([0x12, 0x02, 0x08, 0x01]));
      first = false;
    });
  };
  const joined = ViewReader.join(hub, "ann").catch((error: unknown) => error);
  await clock.elapse(20_000);
  expect(await joined).toMatchObject({ reason: "answer_broken" });
  expect(violations[0]?.message).toContain("came first");
});

test("what is no message ends the call", async () => {
  const ann = await readerOf("ann");
  const [listener] = router.listeners;
  listener?.message(Buffer.from([0xff, 0xff, 0xff]));
  await settle();
  expect([violations.length, ann.state]).toEqual([1, ConnectionState.RECONNECTING]);
});

test("a view that does not begin with all there is ends the call", async () => {
  const ann = await readerOf("ann");
  agent.tells = false;
  router.breakAll();
  await clock.elapse(1_000);
  say({ case: "update", value: { topic: agent.topics[0]?.id ?? 0n, entries: [entryOf("b")] } });
  await settle();
  expect([violations.length, ann.shown]).toEqual([1, { a: "1" }]);
});

test.each<readonly [string, (piece: number) => ViewsAnswer]>([
  ["pieces without an end", (piece) => ({ case: "update", value: { topic: 1n, more: true, entries: [entryOf(`k${piece}`, MIB)] } })],
  [
    "a million keys",
    (piece) => ({ case: "update", value: { topic: 1n, entries: Array.from({ length: 20_000 }, (_, at) => entryOf(`${piece} ${at}`)) } }),
  ],
  [
    "a million keys that leave",
    (piece) => ({ case: "update", value: { topic: 1n, more: true, removed: Array.from({ length: 20_000 }, (_, at) => `${piece} ${at}`) } }),
  ],
])("%s end the view, with the reason, and what it held is given back", async (_, pieceOf) => {
  const ann = await readerOf("ann");
  for (let piece = 0; piece < 50 && violations.length === 0; piece += 1) {
    say(pieceOf(piece));
    await settle();
    expect(ledger.held()).toBeLessThan(48 * MIB);
  }
  expect([violations.length, ann.fault?.reason, ledger.held()]).toEqual([1, "message_too_large", 0]);
  for (let piece = 0; piece < 50 && violations.length === 1; piece += 1) {
    say(pieceOf(piece));
    await settle();
  }
  expect(violations[1]?.message).toContain("after its end");
});

test("an agent that breaks the protocol each time is called less and less often", async () => {
  await readerOf("ann");
  const counts: number[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    const before = router.requests.length;
    for (let second = 0; second < 60; second += 1) {
      say({ case: "update", value: { topic: 999n } });
      await clock.elapse(1_000);
    }
    counts.push(router.requests.length - before);
  }
  expect(counts[0]).toBeLessThan(15);
  expect(counts[4]).toBeLessThan(6);
});

test("a call is given up when the agent does not report what it offers", async () => {
  agent.converse = () => ({ requests: [], say: () => undefined, hear: () => undefined, close: () => undefined });
  const joined = ViewReader.join(hub, "ann").catch((error: unknown) => error);
  await clock.elapse(20_000);
  expect(await joined).toMatchObject({ reason: "agent_silent" });
});

test("many viewers receive updates at a limited rate, whatever the rate of the agent, and the newest state at last", async () => {
  const readers = await Promise.all(Array.from({ length: 100 }, (_, at) => readerOf(`user-${at}`)));
  const before = readers.map(({ updates }) => updates.length);
  for (let round = 0; round < 500; round += 1) {
    agent.put("all", { a: `round ${round}` });
    await settle();
    clock.advance(1);
  }
  await clock.elapse(20);
  expect(readers.map(({ shown }) => shown["a"])).toEqual(readers.map(() => "round 499"));
  expect(Math.max(...readers.map(({ updates }, at) => updates.length - (before[at] ?? 0)))).toBeLessThanOrEqual(26);
});

test("a view that the agent ends each time is requested less and less often", async () => {
  await Promise.all(Array.from({ length: 10 }, (_, at) => readerOf(`user-${at}`)));
  const counts: number[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    const before = agent.heard("prove");
    for (let second = 0; second < 60; second += 1) {
      for (const { id } of agent.topics.slice(-1)) say({ case: "end", value: { topic: id, reason: "rights_changed" } });
      await clock.elapse(1_000);
    }
    counts.push((agent.heard("prove") - before) / 10);
  }
  expect(counts[0]).toBeLessThan(15);
  expect(counts[4]).toBeLessThan(8);
});
