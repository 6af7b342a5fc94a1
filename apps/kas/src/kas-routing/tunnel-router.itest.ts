import type { Logger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { afterEach, expect, test } from "vitest";

import { contextOf } from "../testing/call-context.ts";
import { ECHO, FakeAgent, type FakeAgentCall, type FakeAgentOptions } from "../testing/fake-agent.ts";
import { startTestKas, type TestKas, type TestKasOptions } from "../testing/kas-bench.ts";
import { LogLines } from "../testing/log-lines.ts";
import { RecordingListener } from "../testing/recording-listener.ts";
import { SharedRoutes } from "../testing/shared-routes.ts";
import type { AgentCallRequest } from "../agent-call/agent-call.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function kasOf(options: TestKasOptions = {}): Promise<TestKas> {
  const kas = await startTestKas(options);
  cleanUps.push(() => kas.stop());
  return kas;
}

async function agentOf(url: string, options: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
  const agent = await FakeAgent.connect(url, { token: "agent-1", onCall: echo, ...options });
  cleanUps.push(() => agent.stop());
  return agent;
}

function requestOf(changes: Partial<AgentCallRequest> = {}): AgentCallRequest {
  return { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal, ...changes };
}

function echo(call: FakeAgentCall): void {
  call.header(new Map([["answered-by", ["fake"]]]));
  call.onMessage = (data) => call.message(data);
  call.onCloseSend = () => call.finish();
}

async function callEcho(kas: TestKas, changes: Partial<AgentCallRequest> = {}): Promise<{ hops: number; messages: string[] }> {
  const listener = new RecordingListener();
  const call = await kas.router.open(requestOf(changes), listener);
  call.write([Buffer.from("ay"), Buffer.from("e aye")]);
  call.closeSend();
  expect(await listener.ended).toMatchObject({ code: 0 });
  expect(listener.headers[0]?.get("answered-by")).toEqual(["fake"]);
  return { hops: call.hops, messages: listener.messages };
}

test("a call travels through a tunnel of this kas", async () => {
  const kas = await kasOf();
  await agentOf(kas.agentUrl);
  expect(await callEcho(kas)).toEqual({ hops: 0, messages: ["aye aye"] });
});

test("a call travels through a tunnel inside a WebSocket", async () => {
  const kas = await kasOf();
  await agentOf(kas.webSocketUrl);
  expect(await callEcho(kas)).toEqual({ hops: 0, messages: ["aye aye"] });
});

/** Two kas with one route store; the agent is connected to the second alone. */
async function twoKas(
  agent: Partial<FakeAgentOptions> = {},
  log?: Logger,
): Promise<{ first: TestKas; second: TestKas; routes: SharedRoutes; agent: FakeAgent }> {
  const routes = new SharedRoutes();
  const options = { routes: (kasId: string, url: string) => routes.storeOf(kasId, url), ...(log && { log }) };
  const first = await kasOf(options);
  const second = await kasOf(options);
  return { first, second, routes, agent: await agentOf(second.agentUrl, agent) };
}

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
  await agentOf(kas.agentUrl);
  expect(await answer).toMatchObject({ hops: 0 });
});

test("a caller that came before the agent is woken by a hint when it connects to another kas", async () => {
  const routes = new SharedRoutes();
  const first = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  const second = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  // The poll comes after a second at the earliest, the wait is shorter: only a hint can wake it.
  const answer = callEcho(first, { context: contextOf({ waitMs: 900 }) });
  await until(() => routes.lookups > 0);
  await agentOf(second.agentUrl);
  expect(await answer).toMatchObject({ hops: 1 });
});

test("a hundred callers that wait for one agent look it up together", async () => {
  const routes = new SharedRoutes();
  const kas = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  const answers = Array.from({ length: 100 }, () => callEcho(kas));
  expect(routes.lookups).toBe(1);
  await agentOf(kas.agentUrl, { tunnels: 10 });
  await Promise.all(answers);
});

test("after ten cancelled watches the next call is served at once", async () => {
  const kas = await kasOf();
  const { calls, onCall } = watching();
  const agent = await agentOf(kas.agentUrl, { tunnels: 10, onCall });
  const listeners = Array.from({ length: 10 }, () => new RecordingListener());
  const watches = await Promise.all(listeners.map((listener) => kas.router.open(requestOf(), listener)));
  await until(() => calls.length === 10);
  for (const watch of watches) watch.cancel();
  for (const listener of listeners) expect(await listener.ended).toMatchObject({ code: 1 });
  const last = new RecordingListener();
  await kas.router.open(requestOf({ context: contextOf({ waitMs: 1_000 }) }), last);
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
  await agentOf(kas.agentUrl, { tunnels: 1, onCall });
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
  await agentOf(third.agentUrl);
  for (let count = 0; count < 20; count += 1) expect(await callEcho(first)).toMatchObject({ hops: 1 });
  await until(() => second.registry.counts().idle === 1 && third.registry.counts().idle === 1);
  expect(second.registry.counts().open + third.registry.counts().open).toBe(2);
});

test("I7: without the agent the caller waits as long as it said, learns that nobody is connected, and is not told to come again", async () => {
  const kas = await kasOf();
  await expect(kas.router.open(requestOf({ context: contextOf({ waitMs: 30 }) }), new RecordingListener())).rejects.toMatchObject({
    reason: "agent_not_connected",
    retryAfterSeconds: undefined,
  });
  expect(kas.registry.counts()).toMatchObject({ agents: 0, waiting: 0 });
});

test("busy tunnels, too old an agent and a full queue are told apart", async () => {
  const kas = await kasOf({ maxWaitersPerAgent: 1 });
  const { calls, onCall } = watching();
  await agentOf(kas.agentUrl, { onCall });
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
  const { first, second } = await twoKas({ onCall });
  await second.router.open(requestOf(), new RecordingListener());
  await until(() => calls.length === 1);
  await expect(first.router.open(requestOf({ context: contextOf({ waitMs: 300 }) }), new RecordingListener())).rejects.toMatchObject({
    reason: "tunnels_busy",
  });
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
  const { first, second } = await twoKas({ onCall }, lines.log);
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
  await agentOf(second.agentUrl, { instance: "two", onCall: (call) => (calls.push(call), echo(call)) });
  await until(() => second.registry.counts().idle === 2);
  second.registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:two" });
  await callEcho(second, { connectionId: 7n });
  expect(await callEcho(first, { connectionId: 7n })).toMatchObject({ hops: 1 });
  expect(calls).toHaveLength(2);
});

/** Bytes an agent could send to a caller that does not read: windows and buffers of the way. */
const WINDOW = 1024 * 1024;
const MIB = 1024 * 1024;

test.each([{ hops: 0 }, { hops: 1 }])(
  "a caller that does not read holds no more than the windows of the way ($hops hops), and loses nothing",
  async ({ hops }) => {
    const total = 32 * MIB;
    const chunk = Buffer.alloc(64 * 1024, 1);
    let sent = 0;
    const onCall = (call: FakeAgentCall): void => {
      call.header();
      const send = (): void => {
        while (sent < total) {
          sent += chunk.length;
          if (!call.message(chunk)) return;
        }
        call.finish();
      };
      call.stream.onDrain(send);
      send();
    };
    const { first, second } = await twoKas({ onCall });
    const listener = new RecordingListener();
    const call = await (hops === 0 ? second : first).router.open(requestOf(), listener);
    expect(call.hops).toBe(hops);
    call.pause();
    // Stalled: nothing more is sent while two hundred calls of another agent go through the same kas.
    await agentOf(second.agentUrl, { token: "agent-2" });
    for (let count = 0; count < 200; count += 1) await callEcho(hops === 0 ? second : first, { agentId: 2n });
    const stalled = sent;
    for (let count = 0; count < 50; count += 1) await callEcho(hops === 0 ? second : first, { agentId: 2n });
    expect(sent).toBe(stalled);
    expect(stalled).toBeLessThanOrEqual((hops + 1) * (WINDOW + 512 * 1024));
    call.resume();
    expect(await listener.ended).toMatchObject({ code: 0 });
    expect(listener.bytes).toBe(total);
  },
);

test("an agent that does not read stops the caller, and gets everything when it reads again", async () => {
  const total = 16 * MIB;
  const chunk = Buffer.alloc(64 * 1024, 1);
  let received = 0;
  let agentCall: FakeAgentCall | undefined;
  const onCall = (call: FakeAgentCall): void => {
    agentCall = call;
    call.header();
    call.stream.pause();
    call.onMessage = (data) => (received += data.byteLength);
    call.onCloseSend = () => call.finish();
  };
  const { first } = await twoKas({ onCall });
  const listener = new RecordingListener();
  const call = await first.router.open(requestOf(), listener);
  await until(() => agentCall !== undefined);
  let sent = 0;
  let full = false;
  const send = (): void => {
    while (sent < total) {
      sent += chunk.length;
      if (!call.write([chunk])) {
        full = true;
        return;
      }
    }
    call.closeSend();
  };
  call.onDrain(send);
  send();
  await until(() => full);
  expect(sent).toBeLessThan(total);
  agentCall?.stream.resume();
  expect(await listener.ended).toMatchObject({ code: 0 });
  expect(received).toBe(total);
});

test.each([{ hops: 0 }, { hops: 1 }])(
  "uploads that the agent answers before they are over leave nothing behind ($hops hops)",
  async ({ hops }) => {
    const calls: FakeAgentCall[] = [];
    const onCall = (call: FakeAgentCall): void => {
      calls.push(call);
      call.stream.pause();
      call.header();
    };
    const { first, second } = await twoKas({ onCall, tunnels: 4 });
    // Each leaves half a MiB unsent: together more than Node lets one session hold, if any of it stayed.
    for (let count = 0; count < 40; count += 1) {
      const listener = new RecordingListener();
      const call = await (hops === 0 ? second : first).router.open(requestOf(), listener);
      let sent = 0;
      const send = (): void => {
        do sent += 64 * 1024;
        while (call.write([Buffer.alloc(64 * 1024)]));
      };
      call.onDrain(send);
      send();
      // A reader that stalls holds a window; of the one before it, HTTP/2 gives back no less than half.
      await until(() => sent >= WINDOW + (hops * WINDOW) / 2 && calls.length === count + 1);
      for (let more = 0; more < 8; more += 1) call.write([Buffer.alloc(64 * 1024)]);
      calls[count]?.finish();
      calls[count]?.stream.resume();
      expect(await listener.ended).toMatchObject({ code: 0 });
    }
    await until(() => second.registry.counts().idle === 4);
  },
);
