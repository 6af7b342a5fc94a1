import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { expect, test } from "vitest";

import type { AgentCall, AgentCallRequest } from "../agent-call/agent-call.ts";
import type { CallClass } from "../agent-call/call-context.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, type FakeAgent, type FakeAgentCall, type FakeAgentOptions } from "../testing/fake-agent.ts";
import { type TestKas, type TestKasOptions } from "./testing/kas-bench.ts";
import { agentOf as openAgent, kasOf } from "./testing/kas-of.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { SharedRoutes } from "./testing/shared-routes.ts";
import { KasPeerPool } from "./kas-peer-pool.ts";

/** An agent with our capabilities and room for many watches. */
const LARGE = { "agentk-caps": "impersonation", "agentk-max-tunnels": "4000" };

async function kasPair(options: TestKasOptions = {}): Promise<{ first: TestKas; second: TestKas; routes: SharedRoutes }> {
  const routes = new SharedRoutes();
  const start = async (): Promise<TestKas> => {
    const kas = await kasOf({ ...options, routes: (kasId, url) => routes.storeOf(kasId, url) });
    return kas;
  };
  return { first: await start(), second: await start(), routes };
}

function agentOf(kas: TestKas, options: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
  return openAgent(kas.agentUrl, { metadata: LARGE, onCall: answer, ...options });
}

function answer(call: FakeAgentCall): void {
  call.header();
  call.finish();
}

function hang(call: FakeAgentCall): void {
  call.header();
}

function requestOf(
  of: { agentId?: bigint; user?: number; class?: CallClass; waitMs?: number; signal?: AbortSignal } = {},
): AgentCallRequest {
  const { agentId = 1n, user = 1, class: callClass = "safe", waitMs = 30_000, signal = new AbortController().signal } = of;
  const context = contextOf({ caller: { kind: "user", id: String(user) }, class: callClass, waitMs });
  return { agentId, method: ECHO, context, signal };
}

function openWatches(kas: TestKas, count: number): Promise<AgentCall[]> {
  const open = async (_: unknown, index: number): Promise<AgentCall> =>
    kas.router.open(requestOf({ user: index % 4, class: "watch" }), new RecordingListener());
  return Promise.all(Array.from({ length: count }, open));
}

/** One short call; how many hops it took. */
async function callOnce(kas: TestKas, agentId: bigint): Promise<number> {
  const listener = new RecordingListener();
  const call = await kas.router.open(requestOf({ agentId, user: 99 }), listener);
  expect(await listener.ended).toMatchObject({ code: 0 });
  return call.hops;
}

test("KB5: 1,100 watches through another kas do not stop a call for another agent of it", async () => {
  const { first, second } = await kasPair({ maxWaitersPerAgent: 2_000 });
  // One connection of an agent has at most 1,100 tunnels.
  await agentOf(second, { tunnels: 600, instance: "a", onCall: hang });
  await agentOf(second, { tunnels: 600, instance: "b", onCall: hang });
  await agentOf(second, { token: "agent-2", tunnels: 2 });
  await until(() => second.registry.counts().idle === 1_202);
  const watches = await openWatches(first, 1_100);
  expect(await callOnce(first, 2n)).toBe(1);
  expect(first.peers.counts()).toMatchObject({ open: 1_100, queued: 0 });
  for (const watch of watches) watch.cancel();
  await until(() => first.peers.counts().open === 0);
});

test("KB5: sessions are added before the streams of a peer run out, whatever its limit is, and go when the calls have gone", async () => {
  const { first, second } = await kasPair({ maxStreams: 20 });
  await agentOf(second, { tunnels: 120, onCall: hang });
  await until(() => second.registry.counts().idle === 120);
  const watches: AgentCall[] = [];
  for (let round = 0; round < 10; round += 1) watches.push(...(await openWatches(first, 10)));
  expect(first.peers.counts()).toMatchObject({ open: 100, queued: 0 });
  expect(first.peers.counts().sessions).toBeGreaterThanOrEqual(5);
  for (const watch of watches) watch.cancel();
  await until(() => first.peers.counts().open === 0 && first.peers.counts().sessions === 1);
});

test("KB5: 1,200 callers that wait for one agent hold no streams, and a call for an idle agent of the same kas passes", async () => {
  const { first, second } = await kasPair({ maxWaitersPerAgent: 2_000 });
  const calls: FakeAgentCall[] = [];
  await agentOf(second, { tunnels: 1, onCall: (call) => (calls.push(call), call.header()) });
  await agentOf(second, { token: "agent-2" });
  await until(() => second.registry.counts().idle === 2);
  await first.router.open(requestOf({ user: 500 }), new RecordingListener());
  const leaving = new AbortController();
  const waiting = Array.from({ length: 1_200 }, (_, index) =>
    Promise.resolve(first.router.open(requestOf({ user: index % 20, signal: leaving.signal }), new RecordingListener())).catch(
      (error: unknown) => error,
    ),
  );
  await until(() => second.registry.counts().waiting === 1_200);
  // The running call, and one stream on which all wait.
  await until(() => first.peers.counts().open === 2);
  expect(await callOnce(first, 2n)).toBe(1);
  // One tunnel becomes free: one caller gets it, and no other caller is woken.
  calls[0]?.finish();
  await until(() => calls.length === 2);
  expect(second.registry.counts().waiting).toBe(1_199);
  leaving.abort();
  await Promise.all(waiting);
  await until(() => second.registry.counts().waiting === 0 && first.registry.counts().waiting === 0);
});

test("KB5: callers that wait at another kas are served in fair order, together with its own", async () => {
  const { first, second } = await kasPair();
  const calls: FakeAgentCall[] = [];
  await agentOf(second, { tunnels: 1, onCall: (call) => (calls.push(call), call.header()) });
  await until(() => second.registry.counts().idle === 1);
  await first.router.open(requestOf({ user: 9 }), new RecordingListener());
  await until(() => calls.length === 1);
  const order: string[] = [];
  const wait = async (kas: TestKas, user: number): Promise<void> => {
    const already = second.registry.counts().waiting;
    void Promise.resolve(kas.router.open(requestOf({ user }), new RecordingListener())).then(() =>
      order.push(`${kas === first ? "there" : "here"} ${user}`),
    );
    await until(() => second.registry.counts().waiting === already + 1);
  };
  await wait(first, 1);
  await wait(second, 2);
  await wait(first, 3);
  for (let served = 1; served <= 3; served += 1) {
    calls[served - 1]?.finish();
    await until(() => calls.length === served + 1 && order.length === served);
  }
  expect(order).toEqual(["there 1", "here 2", "there 3"]);
});

test("KB5: of two kas with the same busy agent, the first that has a tunnel again serves the caller, and the other's stays free", async () => {
  const { first, second, routes } = await kasPair();
  const third = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  const calls: FakeAgentCall[] = [];
  const onCall = (call: FakeAgentCall): void => (calls.push(call), call.header(), undefined);
  await agentOf(second, { onCall });
  await agentOf(third, { onCall });
  await until(() => second.registry.counts().idle === 1 && third.registry.counts().idle === 1);
  await second.router.open(requestOf(), new RecordingListener());
  await third.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 2);
  const waiting = first.router.open(requestOf(), new RecordingListener());
  await until(() => second.registry.counts().waiting === 1 && third.registry.counts().waiting === 1);
  calls[0]?.finish();
  calls[1]?.finish();
  await waiting;
  await until(() => calls.length === 3);
  await until(() => second.registry.counts().idle + third.registry.counts().idle === 1);
  expect(second.registry.counts().waiting + third.registry.counts().waiting).toBe(0);
});

test("M13: a connection that is ready only after the pool was closed is closed too", async () => {
  const other = await kasOf();
  const pool = new KasPeerPool({ clock: systemClock });
  const route = { kasId: other.kasId, urls: [other.internalUrl], draining: false, epoch: 1 };
  const lease = pool.lease(route);
  await pool.close();
  await expect(lease).rejects.toMatchObject({ reason: "peer_unreachable" });
  await expect(pool.lease(route)).rejects.toMatchObject({ reason: "peer_unreachable" });
  expect(pool.counts()).toEqual({ sessions: 0, open: 0, queued: 0 });
});

test("M5: an agent that is here and busy for a moment costs no look-up", async () => {
  const routes = new SharedRoutes();
  const kas = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  await agentOf(kas);
  await until(() => kas.registry.counts().idle === 1);
  const held = kas.registry.reserve(requestOf());
  const waiting = kas.router.open(requestOf(), new RecordingListener());
  if (held) kas.registry.release(held);
  await waiting;
  expect(routes.lookups).toBe(0);
});
