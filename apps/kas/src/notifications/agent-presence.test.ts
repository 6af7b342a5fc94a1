import { create } from "@bufbuild/protobuf";
import { ConnectedAgentInfoSchema } from "@binnacle/proto/agent-tracker";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { MemoryAgentTracker } from "../agent-tracker/memory-agent-tracker.ts";
import { AgentPresence } from "./agent-presence.ts";
import type { Notification } from "./notification.ts";
import { LocalPresenceStore, type PresenceStore } from "./presence-store.ts";

const GRACE_MS = 30_000;
const connection = (connectionId: bigint) => create(ConnectedAgentInfoSchema, { agentId: 7n, projectId: 3n, connectionId });

let clock: ManualClock;
let sent: Notification[];
let tracker: MemoryAgentTracker;
let store: PresenceStore;
beforeEach(() => {
  clock = new ManualClock();
  sent = [];
  tracker = new MemoryAgentTracker();
  store = new LocalPresenceStore();
});

const presence = (ofStore = store) =>
  new AgentPresence({
    tracker,
    store: ofStore,
    clock,
    log: createLogger("test", "silent"),
    graceMs: GRACE_MS,
    tell: (notification) => sent.push(notification),
  });
const types = () => sent.map(({ type }) => type);

test("several replicas at several kas are one agent", async () => {
  const [one, other] = [presence(), presence()];
  one.register(connection(1n));
  other.register(connection(2n));
  await clock.elapse(0);
  one.unregister(connection(1n));
  await clock.elapse(GRACE_MS);
  expect(types()).toEqual(["agent_connected"]);
  other.unregister(connection(2n));
  await clock.elapse(GRACE_MS);
  expect(sent).toMatchObject([
    { version: 1, type: "agent_connected", agent_id: 7, project_id: 3 },
    { version: 1, type: "agent_disconnected", agent_id: 7, project_id: 3 },
  ]);
});

test("an agent that reconnects within the grace period is not reported", async () => {
  const one = presence();
  one.register(connection(1n));
  await clock.elapse(0);
  one.unregister(connection(1n));
  await clock.elapse(GRACE_MS - 1);
  one.register(connection(2n));
  await clock.elapse(2 * GRACE_MS);
  expect(types()).toEqual(["agent_connected"]);
  clock.assertIdle();
});

test("an agent that only the record of a killed kas still has is reported as disconnected when that expires", async () => {
  const [killed, other] = [presence(), presence()];
  killed.register(connection(1n));
  other.register(connection(2n));
  await clock.elapse(0);
  other.unregister(connection(2n));
  await clock.elapse(GRACE_MS);
  expect(types()).toEqual(["agent_connected"]);
  // The tracker expires records that no kas refreshes.
  tracker.unregister(connection(1n));
  await clock.elapse(300_000);
  expect(types()).toEqual(["agent_connected", "agent_disconnected"]);
  clock.assertIdle();
});

test("each time away has an id of its own", async () => {
  const one = presence();
  for (const id of [1n, 2n]) {
    one.register(connection(id));
    await clock.elapse(0);
    one.unregister(connection(id));
    await clock.elapse(GRACE_MS);
  }
  expect(types()).toEqual(["agent_connected", "agent_disconnected", "agent_connected", "agent_disconnected"]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(4);
});

test("two kas that report one disconnection at the same time give it the same id", async () => {
  const [one, other] = [presence(), presence()];
  one.register(connection(1n));
  other.register(connection(2n));
  await clock.elapse(0);
  one.unregister(connection(1n));
  other.unregister(connection(2n));
  await clock.elapse(GRACE_MS);
  const ends = sent.filter(({ type }) => type === "agent_disconnected");
  expect(ends.length).toBeGreaterThan(0);
  expect(new Set(ends.map(({ id }) => id)).size).toBe(1);
});

test("what could not be looked up is looked up again", async () => {
  let fails = true;
  const flaky: PresenceStore = {
    current: (agentId) => (fails ? Promise.reject(new Error("away")) : store.current(agentId)),
    enter: (agentId, value) => store.enter(agentId, value),
    leave: (agentId, value) => store.leave(agentId, value),
  };
  presence(flaky).register(connection(1n));
  await clock.elapse(0);
  expect(types()).toEqual([]);
  fails = false;
  await clock.elapse(GRACE_MS);
  expect(types()).toEqual(["agent_connected"]);
});
