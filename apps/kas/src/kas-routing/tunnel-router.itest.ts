import { ManualClock, until } from "@binnacle/testing";
import { expect, test } from "vitest";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, type FakeAgentCall } from "../testing/fake-agent.ts";
import { startTestKas } from "./testing/kas-bench.ts";
import { callEcho, echo, echoAgentOf, requestOf, twoKas } from "./testing/echo-calls.ts";
import { kasOf } from "./testing/kas-of.ts";
import { LogLines } from "../testing/log-lines.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { SharedRoutes } from "./testing/shared-routes.ts";

test("a call travels through a tunnel of this kas", async () => {
  const kas = await kasOf();
  await echoAgentOf(kas.agentUrl);
  expect(await callEcho(kas)).toEqual({ hops: 0, messages: ["aye aye"] });
});

test("a call travels through a tunnel inside a WebSocket", async () => {
  const kas = await kasOf();
  await echoAgentOf(kas.webSocketUrl);
  expect(await callEcho(kas)).toEqual({ hops: 0, messages: ["aye aye"] });
});

/** An agent whose calls stay open, as watches do. */
function watching(): { calls: FakeAgentCall[]; onCall: (call: FakeAgentCall) => void } {
  const calls: FakeAgentCall[] = [];
  return {
    calls,
    onCall(call) {
      calls.push(call);
      call.header();
    },
  };
}

test("a call reaches a tunnel of another kas over one hop, on a connection that is kept", async () => {
  const { first } = await twoKas();
  expect(await callEcho(first)).toEqual({ hops: 1, messages: ["aye aye"] });
  expect(await callEcho(first)).toEqual({ hops: 1, messages: ["aye aye"] });
  expect(first.peers.size).toBe(1);
});

test("a caller that came before the agent is woken when the agent connects to this kas", async () => {
  const kas = await kasOf();
  const answer = callEcho(kas);
  await echoAgentOf(kas.agentUrl);
  expect(await answer).toMatchObject({ hops: 0 });
});

test("a caller that came before the agent is woken by a hint when it connects to another kas", async () => {
  const routes = new SharedRoutes();
  const clock = new ManualClock();
  const first = await kasOf({ clock, routes: (kasId, url) => routes.storeOf(kasId, url) });
  const second = await kasOf({ clock, routes: (kasId, url) => routes.storeOf(kasId, url) });
  const answer = callEcho(first);
  await until(() => routes.lookups > 0);
  await echoAgentOf(second.agentUrl);
  await until(() => second.registry.counts().idle === 1);
  // The poll comes after a second at the earliest: only a hint can wake it.
  await clock.elapse(900);
  expect(await answer).toMatchObject({ hops: 1 });
});

test("a hundred callers that wait for one agent look it up together", async () => {
  const routes = new SharedRoutes();
  const kas = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  const answers = Array.from({ length: 100 }, () => callEcho(kas));
  expect(routes.lookups).toBe(1);
  await echoAgentOf(kas.agentUrl, { tunnels: 10 });
  await Promise.all(answers);
});

test("after ten cancelled watches the next call is served at once", async () => {
  const kas = await kasOf({ clock: new ManualClock() });
  const { calls, onCall } = watching();
  const agent = await echoAgentOf(kas.agentUrl, { tunnels: 10, onCall });
  const listeners = Array.from({ length: 10 }, () => new RecordingListener());
  const watches = await Promise.all(listeners.map(async (listener) => kas.router.open(requestOf(), listener)));
  await until(() => calls.length === 10);
  for (const watch of watches) watch.cancel();
  for (const listener of listeners) expect(await listener.ended).toMatchObject({ code: 1 });
  const last = new RecordingListener();
  await kas.router.open(requestOf(), last);
  await until(() => calls.length === 11);
  await until(() => agent.ends.length === 10);
  expect(agent.ends.map((status) => status.code)).toEqual(Array.from({ length: 10 }, () => 1));
});

test("a cancelled call frees the agent's slot over a hop too", async () => {
  const { calls, onCall } = watching();
  const { first, agent } = await twoKas({ onCall });
  const call = await first.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  call.cancel();
  await until(() => agent.ends.length === 1);
  await first.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 2);
  expect(agent.ends).toMatchObject([{ code: 1 }]);
});

test("with all tunnels busy, callers are served in the order in which they came", async () => {
  const kas = await kasOf();
  const { calls, onCall } = watching();
  await echoAgentOf(kas.agentUrl, { tunnels: 1, onCall });
  await kas.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  const order: number[] = [];
  const waiting = [0, 1, 2].map(async (index) => {
    await kas.router.open(requestOf(), new RecordingListener());
    order.push(index);
  });
  for (let served = 1; served <= 3; served += 1) {
    calls[served - 1]?.finish();
    await until(() => calls.length === served + 1);
  }
  await Promise.all(waiting);
  expect(order).toEqual([0, 1, 2]);
});

test("a caller over a hop waits for a busy tunnel and gets it when it is free", async () => {
  const { calls, onCall } = watching();
  const { first, second } = await twoKas({ onCall });
  await second.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  const waiting = first.router.open(requestOf(), new RecordingListener());
  await until(() => second.registry.counts().waiting === 1);
  calls[0]?.finish();
  expect((await waiting).hops).toBe(1);
});

test("the first tunnel wins and the tunnels reserved elsewhere are free again", async () => {
  const { first, second, routes } = await twoKas();
  const third = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  await echoAgentOf(third.agentUrl);
  for (let count = 0; count < 20; count += 1) expect(await callEcho(first)).toMatchObject({ hops: 1 });
  await until(() => second.registry.counts().idle === 1 && third.registry.counts().idle === 1);
  expect(second.registry.counts().open + third.registry.counts().open).toBe(2);
});

test("I7: without the agent the caller waits for its own limit and gets agent_not_connected without a retry delay", async () => {
  const kas = await kasOf();
  await expect(kas.router.open(requestOf({ context: contextOf({ waitMs: 30 }) }), new RecordingListener())).rejects.toMatchObject({
    reason: "agent_not_connected",
    retryAfterSeconds: undefined,
  });
  expect(kas.registry.counts()).toMatchObject({ agents: 0, waiting: 0 });
});

test("busy tunnels, too old an agent and a full queue have different reasons", async () => {
  const kas = await kasOf({ maxWaitersPerAgent: 1 });
  const { calls, onCall } = watching();
  await echoAgentOf(kas.agentUrl, { onCall });
  await kas.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  await expect(
    kas.router.open(requestOf({ method: "/test.Echo/New", context: contextOf({ waitMs: 30 }) }), new RecordingListener()),
  ).rejects.toMatchObject({
    reason: "unknown_method",
  });
  const busy = kas.router.open(requestOf({ context: contextOf({ waitMs: 30 }) }), new RecordingListener());
  await expect(kas.router.open(requestOf({ context: contextOf({ waitMs: 30 }) }), new RecordingListener())).rejects.toMatchObject({
    reason: "queue_full",
    retryAfterSeconds: 1,
  });
  await expect(busy).rejects.toMatchObject({ reason: "tunnels_busy", retryAfterSeconds: undefined });
});

test("busy tunnels on another kas are busy tunnels", async () => {
  const { calls, onCall } = watching();
  const clock = new ManualClock();
  const { first, second } = await twoKas({ onCall }, { clock });
  await second.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  const request = requestOf({ context: contextOf({ waitMs: 300 }) });
  const refused = Promise.resolve(first.router.open(request, new RecordingListener())).catch((fault: unknown) => fault);
  await until(() => second.registry.counts().waiting === 1);
  clock.advance(300);
  expect(await refused).toMatchObject({ reason: "tunnels_busy" });
});

test("a caller that leaves while it waits leaves nothing behind", async () => {
  const { calls, onCall } = watching();
  const { first, second } = await twoKas({ onCall });
  await second.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  const leaving = new AbortController();
  const waiting = first.router.open(requestOf({ signal: leaving.signal }), new RecordingListener());
  await until(() => second.registry.counts().waiting === 1);
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ reason: "cancelled" });
  await until(() => second.registry.counts().waiting === 0);
  expect(first.registry.counts()).toMatchObject({ waiting: 0, agents: 0 });
});

test("XM10, T31: with the only kas that has the agent dead, the log names its address and the error does not", async () => {
  const routes = new SharedRoutes();
  const lines = new LogLines();
  const first = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url), log: lines.log });
  const second = await startTestKas({});
  await second.stop();
  routes.add(1n, { kasId: second.kasId, urls: [second.internalUrl], draining: false, epoch: 1 });
  const failure = first.router.open(requestOf({ context: contextOf({ waitMs: 300 }) }), new RecordingListener());
  await expect(failure).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: "agent 1 is connected to another kas, which cannot be reached",
    retryAfterSeconds: undefined,
  });
  expect(lines.of("a call found no tunnel")).toMatchObject([
    { agent_id: "1", correlation_id: "test", cause: expect.stringContaining(second.internalUrl) },
  ]);
});

test("KS9: a call whose other kas dies ends with an error, and is a line of both under its trace", async () => {
  const { calls, onCall } = watching();
  const lines = new LogLines();
  const { first, second } = await twoKas({ onCall }, { log: lines.log });
  const listener = new RecordingListener();
  await first.router.open(requestOf(), listener);
  await until(() => calls.length === 1 && listener.headers.length === 1);
  await second.stop();
  const { code, stage, message } = await listener.ended;
  expect({ code, stage }).toEqual({ code: 14, stage: "answered" });
  expect(message).not.toContain(second.internalUrl);
  const failed = { agent_id: "1", method: ECHO, correlation_id: "test", code: 14, stage: "answered" };
  expect(lines.of("a call failed")).toMatchObject([failed, failed]);
});

test("T31: an agent sees the trace id and no credential and no routing metadata, on no way", async () => {
  const seen: string[] = [];
  const onCall = (call: FakeAgentCall): void => {
    seen.push(JSON.stringify([...call.metadata].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    echo(call);
  };
  const { first, second } = await twoKas({ onCall });
  const metadata = new Map([
    ["authorization", ["canary"]],
    ["cookie", ["canary"]],
    ["kas-hop-x", ["canary"]],
    ["x-request-id", ["forged"]],
    ["traceparent", ["00-1"]],
  ]);
  await callEcho(first, { metadata });
  await callEcho(second, { metadata });
  const expected = JSON.stringify([
    ["traceparent", ["00-1"]],
    ["x-gitlab-correlation-id", ["test"]],
    ["x-request-id", ["test"]],
  ]);
  expect(seen).toEqual([expected, expected]);
});

test("a particular replica is reached by its connection id, here and over a hop", async () => {
  const { first, second } = await twoKas({ instance: "one" });
  const calls: FakeAgentCall[] = [];
  await echoAgentOf(second.agentUrl, { instance: "two", onCall: (call) => (calls.push(call), echo(call)) });
  await until(() => second.registry.counts().idle === 2);
  second.registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:two" });
  await callEcho(second, { connectionId: 7n });
  expect(await callEcho(first, { connectionId: 7n })).toMatchObject({ hops: 1 });
  expect(calls).toHaveLength(2);
});
