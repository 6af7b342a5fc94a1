import { ConnectionState } from "@binnacle/proto/dashboard";
import { settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { ViewReader } from "./testing/view-reader.ts";
import { FakeViewsAgent } from "./testing/views-agent.ts";
import { openViewsScene, type ViewsScene } from "./testing/views-scene.ts";

let clock: ViewsScene["clock"];
let agent: ViewsScene["agent"];
let router: ViewsScene["router"];
let hub: ViewsScene["hub"];
let readerOf: ViewsScene["readerOf"];
let refusalOf: ViewsScene["refusalOf"];

beforeEach(() => {
  ({ clock, agent, router, hub, readerOf, refusalOf } = openViewsScene());
});

test("viewers of the same identity are proved once for all", async () => {
  await Promise.all(Array.from({ length: 20 }, () => readerOf("ann")));
  expect(agent.heard("prove")).toBe(1);
});

test("viewers with different rights share nothing", async () => {
  agent.rights.set("bob", "few");
  agent.put("all", { secret: "canary" });
  agent.put("few", { a: "1" });
  const [ann, bob] = [await readerOf("ann"), await readerOf("bob")];
  expect([ann.shown, bob.shown]).toEqual([{ secret: "canary" }, { a: "1" }]);
  expect(agent.topics.map(({ rights, carrier }) => [rights, carrier])).toEqual([
    ["all", "ann"],
    ["few", "bob"],
  ]);
});

test("a viewer whose rights are reduced receives a reset first", async () => {
  agent.put("all", { a: "1", secret: "canary" });
  agent.put("few", { a: "1" });
  const [ann, bob] = [await readerOf("ann"), await readerOf("bob")];
  const before = bob.updates.length;
  agent.rights.set("bob", "few");
  await clock.elapse(30_000);
  agent.put("all", { secret: "another canary" });
  await settle();
  const [first, ...others] = bob.updates.slice(before);
  expect(first).toMatchObject({ reset: true, more: false, entries: [], rights: "few" });
  expect(bob.updates.find(({ reset }) => reset)?.rights).toBe("all");
  expect(JSON.stringify(others.map(({ entries }) => entries.map(({ key }) => key)))).not.toContain("secret");
  expect([bob.shown, ann.shown]).toEqual([{ a: "1" }, { a: "1", secret: "another canary" }]);
});

test("a viewer whose rights are reduced in the middle of a large change receives no more of it", async () => {
  for (let index = 0; index < 20; index += 1) agent.put("all", { [`k${index}`]: `canary ${"x".repeat(100_000)}` });
  agent.put("few", { a: "1" });
  const bob = new ViewReader();
  bob.takesOne = true;
  await bob.join(hub, "bob");
  await settle();
  bob.stalled = false;
  bob.read();
  expect(bob.updates.at(-1)).toMatchObject({ more: true });
  const before = bob.updates.length;
  agent.rights.set("bob", "few");
  await clock.elapse(30_000);
  bob.takesOne = bob.stalled = false;
  bob.read();
  await settle();
  const sent = bob.updates.slice(before);
  expect(sent[0]).toMatchObject({ reset: true });
  expect(sent.flatMap(({ entries }) => entries.map(({ key }) => key))).toEqual(["a"]);
  expect(bob.shown).toEqual({ a: "1" });
});

test("a proof that grows too old in the middle of a change, or a way that breaks there, does not end the change", async () => {
  agent.put("all", Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "x".repeat(100_000)])));
  const bob = new ViewReader();
  bob.takesOne = true;
  await bob.join(hub, "bob");
  await settle();
  bob.stalled = false;
  bob.read();
  agent.silent = true;
  await clock.elapse(61_000);
  bob.takesOne = bob.stalled = false;
  bob.read();
  expect([bob.state, bob.updates.at(-1)?.more, bob.shown]).toEqual([ConnectionState.RECONNECTING, true, {}]);
  router.agent = undefined;
  router.breakAll();
  await clock.elapse(1_000);
  expect([bob.state, bob.updates.at(-1)?.more, bob.shown]).toEqual([ConnectionState.AGENT_OFFLINE, true, {}]);
  agent.silent = false;
  router.agent = agent;
  await clock.elapse(31_000);
  expect([bob.state, bob.updates.at(-1)?.more, Object.keys(bob.shown).length]).toEqual([ConnectionState.CONNECTED, false, 20]);
  expect(bob.updates.filter(({ reset }) => reset)).toHaveLength(1);
});

test("a proof that is 60 s old shows nothing any more, until it is repeated", async () => {
  agent.put("all", { a: "1" });
  const ann = await readerOf("ann");
  agent.silent = true;
  await clock.elapse(59_000);
  agent.put("all", { a: "2" });
  await settle();
  expect([ann.shown, ann.state]).toEqual([{ a: "2" }, ConnectionState.CONNECTED]);
  await clock.elapse(2_000);
  agent.put("all", { a: "3" });
  await settle();
  expect([ann.shown, ann.state]).toEqual([{ a: "2" }, ConnectionState.RECONNECTING]);
  agent.silent = false;
  await clock.elapse(15_000);
  expect([ann.shown, ann.state]).toEqual([{ a: "3" }, ConnectionState.CONNECTED]);
});

test("rights are proved every 24 to 30 s while there is a subscriber, and no longer", async () => {
  const ann = await readerOf("ann");
  await clock.elapse(300_000);
  expect(agent.heard("prove")).toBeGreaterThanOrEqual(11);
  expect(agent.heard("prove")).toBeLessThanOrEqual(13);
  const proofs = agent.heard("prove");
  ann.leave();
  await clock.elapse(300_000);
  expect(agent.heard("prove")).toBe(proofs);
});

test("when a topic ends because rights have changed, the rights of all members are checked at once, and nothing is sent meanwhile", async () => {
  agent.put("all", { a: "1", secret: "canary" });
  agent.put("few", { a: "1" });
  const [ann, bob] = [await readerOf("ann"), await readerOf("bob")];
  const proofs = agent.heard("prove");
  agent.change("ann", "few");
  await settle();
  expect(agent.heard("prove")).toBe(proofs + 2);
  expect(ann.shown).toEqual({ a: "1" });
  await clock.elapse(1_000);
  agent.put("all", { b: "2" });
  await settle();
  expect(bob.shown).toEqual({ a: "1", b: "2", secret: "canary" });
  expect(agent.topics.find(({ rights }) => rights === "all")?.carrier).toBe("bob");
});

test("while rights are in doubt nothing is shown, not even what has come before", async () => {
  agent.put("all", { a: "1" });
  const [ann, bob] = [await readerOf("ann"), await readerOf("bob")];
  bob.stalled = true;
  agent.put("all", { secret: "canary" });
  await settle();
  agent.silent = true;
  agent.change("ann", "few");
  await settle();
  bob.stalled = false;
  bob.read();
  await settle();
  expect([ann.state, bob.state, bob.shown]).toEqual([ConnectionState.RECONNECTING, ConnectionState.RECONNECTING, { a: "1" }]);
});

test("a proof is as old as its question", async () => {
  agent.put("all", { a: "1" });
  const ann = await readerOf("ann");
  agent.silent = true;
  await clock.elapse(27_000);
  expect(agent.heard("prove")).toBe(2);
  await clock.elapse(14_000);
  agent.conversations[0]?.say({ case: "proved", value: { id: 2n, rights: "all" } });
  await clock.elapse(45_000);
  expect(ann.state).toBe(ConnectionState.CONNECTED);
  await clock.elapse(2_000);
  expect(ann.state).toBe(ConnectionState.RECONNECTING);
});

test("a proof is as old as what the agent has made it of", async () => {
  agent.put("all", { a: "1" });
  agent.ageMs = 20_000;
  const ann = await readerOf("ann");
  agent.silent = true;
  await clock.elapse(39_999);
  expect(ann.state).toBe(ConnectionState.CONNECTED);
  await clock.elapse(1);
  expect(ann.state).toBe(ConnectionState.RECONNECTING);
});

test("an agent whose answers are always too old proves nothing, and is queried at a limited rate", async () => {
  agent.put("all", { a: "1" });
  agent.ageMs = 4_000_000_000;
  const ann = await readerOf("ann");
  await clock.elapse(60_000);
  expect([ann.shown, agent.heard("prove") <= 13]).toEqual([{}, true]);
});

test("when the agent cannot check rights, new viewers receive the reason at once, and present viewers keep their view for a minute", async () => {
  agent.put("all", { a: "1" });
  const ann = await readerOf("ann");
  agent.failure = { reason: "cannot_impersonate", message: "agentk may not impersonate" };
  const bob = ViewReader.join(hub, "bob").catch((error: unknown) => error);
  await settle();
  expect(await bob).toMatchObject({ reason: "cannot_impersonate", message: "agentk may not impersonate" });
  await clock.elapse(55_000);
  agent.put("all", { a: "2" });
  await settle();
  expect([ann.shown, ann.state]).toEqual([{ a: "2" }, ConnectionState.CONNECTED]);
  await clock.elapse(10_000);
  expect(ann.state).toBe(ConnectionState.RECONNECTING);
});

test("an agent cannot say that a caller is not signed in", async () => {
  agent.failure = { reason: "token_unknown", message: "lie" };
  expect(await refusalOf()).toMatchObject({ reason: "cluster_unavailable" });
});

test("after an hour without the agent a viewer receives nothing before its rights are proved again", async () => {
  agent.put("all", { a: "1" });
  const ann = await readerOf("ann");
  router.agent = undefined;
  router.breakAll();
  await clock.elapse(3_600_000);
  const next = new FakeViewsAgent();
  next.silent = true;
  next.put("all", { a: "2" });
  router.agent = next;
  await clock.elapse(40_000);
  expect(next.topics).toHaveLength(1);
  expect(ann.shown).toEqual({ a: "1" });
  next.rights.set("ann", "few");
  next.put("few", { z: "1" });
  next.silent = false;
  await clock.elapse(60_000);
  expect(ann.shown).toEqual({ z: "1" });
});
