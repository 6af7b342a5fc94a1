import { create } from "@bufbuild/protobuf";
import { ConnectionState } from "@binnacle/proto/dashboard";
import { ViewSpecSchema } from "@binnacle/proto/kas-views";
import { settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { ViewReader } from "./testing/view-reader.ts";
import { FakeViewsAgent } from "./testing/views-agent.ts";
import { openViewsScene, type ViewsScene } from "./testing/views-scene.ts";

const MIB = 1024 * 1024;

let clock: ViewsScene["clock"];
let agent: ViewsScene["agent"];
let router: ViewsScene["router"];
let ledger: ViewsScene["ledger"];
let hub: ViewsScene["hub"];
let readerOf: ViewsScene["readerOf"];
let refusalOf: ViewsScene["refusalOf"];

beforeEach(() => {
  ({ clock, agent, router, ledger, hub, readerOf, refusalOf } = openViewsScene(4 * MIB));
});

test("200 viewers of equal rights cost the agent one subscription, and are proved each", async () => {
  agent.put("all", { a: "1" });
  const readers = await Promise.all(Array.from({ length: 200 }, (_, index) => readerOf(`user-${index}`)));
  agent.put("all", { b: "2" });
  await settle();
  expect(readers.map(({ shown }) => shown)).toEqual(readers.map(() => ({ a: "1", b: "2" })));
  expect([agent.topics.length, agent.heard("subscribe"), agent.heard("prove"), router.requests.length]).toEqual([1, 1, 200, 1]);
});

test("when the carrier leaves another viewer becomes the carrier of the topic, and no viewer misses an update", async () => {
  agent.put("all", { a: "1" });
  const [ann, bob] = [await readerOf("ann"), await readerOf("bob")];
  const resets = bob.updates.filter(({ reset }) => reset).length;
  ann.leave();
  await settle();
  expect(agent.topics).toMatchObject([{ carrier: "bob" }]);
  agent.put("all", { b: "2" });
  await settle();
  expect([bob.shown, bob.updates.filter(({ reset }) => reset).length, agent.heard("subscribe")]).toEqual([{ a: "1", b: "2" }, resets, 1]);
});

test("a topic and the call outlive the last viewer by some seconds", async () => {
  const ann = await readerOf("ann");
  ann.leave();
  await clock.elapse(9_000);
  const again = await readerOf("bob");
  expect([agent.heard("subscribe"), agent.topics]).toEqual([1, [{ id: 1n, rights: "all", carrier: "bob" }]]);
  again.leave();
  await clock.elapse(11_000);
  expect([agent.topics, router.running.size]).toEqual([[], 1]);
  await clock.elapse(10_000);
  expect([router.running.size, ledger.held()]).toEqual([0, 0]);
});

test("a view that is still pending is not sent as an empty one", async () => {
  agent.tells = false;
  const ann = await readerOf("ann");
  expect([ann.updates, ann.state]).toEqual([[expect.objectContaining({ reset: false, more: false })], ConnectionState.CONNECTING]);
});

test("messages about a topic of an earlier call are ignored", async () => {
  agent.put("all", { a: "1" });
  const ann = await readerOf("ann");
  router.breakAll();
  await clock.elapse(1_000);
  agent.conversations.at(-1)?.say({ case: "update", value: { topic: 1n, entries: [{ key: "a", value: Buffer.from("old") }] } });
  agent.conversations.at(-1)?.say({ case: "end", value: { topic: 1n, reason: "rights_changed" } });
  await settle();
  expect([ann.shown, ann.state, agent.topics.length]).toEqual([{ a: "1" }, ConnectionState.CONNECTED, 1]);
});

const summaryOf = (at: number) => create(ViewSpecSchema, { view: { case: "summary", value: { scope: { namespaces: [`n${at}`] } } } });

test("one caller follows 300 summaries of an agent at most, which affects neither its pages nor other callers", async () => {
  const readers = await Promise.all(Array.from({ length: 300 }, (_, at) => ViewReader.join(hub, "ann", summaryOf(at))));
  expect(await refusalOf("ann", summaryOf(300))).toMatchObject({ reason: "share_exceeded" });
  await readerOf("ann");
  await readerOf("bob", summaryOf(300));
  readers[0]?.leave();
  await readerOf("ann", summaryOf(300));
});

test("one caller looks at 300 pages of an agent at most", async () => {
  const pageOf = (at: number) =>
    create(ViewSpecSchema, { view: { case: "environment", value: { engine: "engine-1", scope: { namespaces: [`n${at}`] } } } });
  await Promise.all(Array.from({ length: 300 }, (_, at) => ViewReader.join(hub, "ann", pageOf(at))));
  expect(await refusalOf("ann", pageOf(300))).toMatchObject({ reason: "share_exceeded" });
  await readerOf("ann", summaryOf(0));
});

test("a page of an agent without environment views is rejected at once while its index is pending, without a request to the agent", async () => {
  [agent.engine, agent.lacking, agent.silent] = ["", ["list nodes in all namespaces"], true];
  const index = Array.from({ length: 300 }, (_, at) => ViewReader.join(hub, "ann", summaryOf(at)));
  let waiting = index.length;
  for (const joined of index) void joined.finally(() => (waiting -= 1)).catch(() => undefined);
  await settle();
  const refusals = await Promise.all(Array.from({ length: 12 }, () => ViewReader.join(hub, "ann").catch((error: unknown) => error)));
  expect(refusals).toEqual(Array.from({ length: 12 }, () => expect.objectContaining({ reason: "not_implemented" })));
  expect([waiting, agent.heard("prove"), router.requests.length]).toEqual([300, 300, 1]);
  agent.silent = false;
  await clock.elapse(20_000);
  await Promise.allSettled(index);
});

test.each(["cluster_unavailable", "a word of tomorrow"])(
  "a topic that ends with %s is begun again, later each time, and tells the rest meanwhile",
  async (reason) => {
    agent.put("all", { a: "1" });
    const ann = await readerOf("ann");
    agent.tells = false;
    for (let end = 0; end < 5; end += 1) {
      const [conversation] = agent.conversations;
      const id = agent.topics.at(-1)?.id ?? 0n;
      conversation?.say({ case: "end", value: { topic: id, reason } });
      await settle();
      expect([ann.fault, ann.state, ann.shown]).toEqual([undefined, ConnectionState.RECONNECTING, { a: "1" }]);
      await clock.elapse(250 * 2 ** end - 10);
      expect(agent.heard("subscribe")).toBe(1 + end);
      await clock.elapse(20);
      expect(agent.heard("subscribe")).toBe(2 + end);
    }
  },
);

test("a topic that ends for good is the end of all on it", async () => {
  const [ann, bob] = [await readerOf("ann"), await readerOf("bob")];
  agent.conversations[0]?.say({ case: "end", value: { topic: 1n, reason: "not_implemented", message: "no such view" } });
  await settle();
  expect([ann.fault, bob.fault]).toMatchObject([{ reason: "not_implemented", message: "no such view" }, { reason: "not_implemented" }]);
});

test("a partial change is sent to no viewer, and discarded when the stream breaks", async () => {
  agent.put("all", { a: "1" });
  const ann = await readerOf("ann");
  const [conversation] = agent.conversations;
  const [{ id } = { id: 0n }] = agent.topics;
  const entries = [{ key: "a", value: Buffer.alloc(1_000_000, "half") }];
  conversation?.say({ case: "update", value: { topic: id, reset: true, entries, more: true } });
  await settle();
  expect([ann.shown, ledger.held() > 1_000_000]).toEqual([{ a: "1" }, true]);
  router.breakAll();
  await settle();
  expect(ledger.held()).toBeLessThan(1_000);
  expect(ann.state).toBe(ConnectionState.RECONNECTING);
  agent.put("all", { b: "2" });
  await clock.elapse(1_000);
  expect([ann.shown, ann.state]).toEqual([{ a: "1", b: "2" }, ConnectionState.CONNECTED]);
});

test("after another agent took over, viewers receive the difference, and end with the state of a new viewer", async () => {
  agent.put("all", { a: "1", b: "1", c: "1" });
  const ann = await readerOf("ann");
  const before = ann.updates.length;
  router.agent = undefined;
  router.breakAll();
  await clock.elapse(5_000);
  expect([ann.state, ann.shown]).toEqual([ConnectionState.AGENT_OFFLINE, { a: "1", b: "1", c: "1" }]);
  router.agent = new FakeViewsAgent();
  router.agent.put("all", { a: "1", b: "2", d: "1" });
  await clock.elapse(30_000);
  const fresh = await readerOf("bob");
  expect([ann.shown, ann.state]).toEqual([{ a: "1", b: "2", d: "1" }, ConnectionState.CONNECTED]);
  expect(fresh.shown).toEqual(ann.shown);
  const changed = ann.updates.slice(before).flatMap(({ entries }) => entries.map(({ key }) => key));
  expect(changed.toSorted()).toEqual(["b", "d"]);
  expect(ann.updates.slice(before).some(({ reset }) => reset)).toBe(false);
});

test.each(["unknown_method", "agent_outdated", "cannot_impersonate"] as const)(
  "%s is reported at once, and for a minute without a request to the agent",
  async (reason) => {
    router.agent = undefined;
    router.missing = reason;
    expect(await refusalOf()).toMatchObject({ reason });
    expect(await refusalOf()).toMatchObject({ reason });
    expect(router.requests).toHaveLength(1);
    router.agent = agent;
    await clock.elapse(60_000);
    await readerOf("ann");
  },
);

test("a viewer waits for an agent that is not connected or does not prove rights, and then receives the reason", async () => {
  router.agent = undefined;
  expect(await refusalOf()).toMatchObject({ reason: "agent_not_connected" });
  agent.silent = true;
  router.agent = agent;
  expect(await refusalOf()).toMatchObject({ reason: "deadline" });
});

test("another engine, or none, is reported at once", async () => {
  const other = create(ViewSpecSchema, { view: { case: "environment", value: { engine: "engine-2" } } });
  expect(await refusalOf("ann", other)).toMatchObject({ reason: "agent_outdated" });
  expect(hub.engineOf(1n)).toBe("engine-1");
  const nodes = create(ViewSpecSchema, { view: { case: "nodes", value: {} } });
  await readerOf("ann", nodes);
  agent = new FakeViewsAgent();
  Object.assign(agent, { engine: "", lacking: ["list of pods"] });
  router.agent = agent;
  router.breakAll();
  await clock.elapse(1_000);
  expect(await refusalOf()).toMatchObject({ reason: "not_implemented", message: expect.stringContaining("list of pods") });
});

test("a reader that stalls receives the latest state in one piece, and delays no other reader", async () => {
  agent.put("all", { a: "0" });
  const [slow, ann] = [await readerOf("slow"), await readerOf("ann")];
  slow.stalled = true;
  const before = slow.updates.length;
  for (let index = 1; index <= 1_000; index += 1) agent.put("all", { a: String(index) });
  await settle();
  expect(ann.shown).toEqual({ a: "1000" });
  slow.stalled = false;
  slow.read();
  expect([slow.shown, slow.updates.length - before]).toEqual([{ a: "1000" }, 1]);
});

test("tables are booked to the agent; over its limit the largest view ends, with the reason, and is not requested for a minute", async () => {
  const owner = { kind: "agent", id: "1" } as const;
  agent.put("all", { a: "x".repeat(1_000_000) });
  const ann = await readerOf("ann");
  expect(ledger.held(owner)).toBeGreaterThan(1_000_000);
  agent.pieceEntries = 1;
  for (let index = 0; index < 4; index += 1) agent.put("all", { [`b${index}`]: "x".repeat(1_000_000) });
  await settle();
  expect(ann.fault).toMatchObject({ reason: "over_budget" });
  expect([agent.topics, ledger.held(owner)]).toEqual([[], 0]);
  expect(await refusalOf()).toMatchObject({ reason: "over_budget" });
  expect(agent.heard("subscribe")).toBe(1);
});

test("this kas says that it goes away", async () => {
  const ann = await readerOf("ann");
  hub.leave();
  expect(ann.fault).toMatchObject({ reason: "shutting_down" });
  expect(await refusalOf()).toMatchObject({ reason: "shutting_down" });
  expect(router.running.size).toBe(0);
});
