import { ManualClock, until } from "@binnacle/testing";
import { systemClock } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { AgentCall } from "../agent-call/agent-call.ts";
import type { CallClass } from "../agent-call/call-context.ts";
import { REQUEST_TRAILER } from "../http-exchange/request-header.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO } from "../testing/fake-agent.ts";
import { GoAgent, GO_BACKOFF_MS } from "../testing/go-agent.ts";
import { startTestKas, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { LINGER_BYTES, LINGER_MS } from "../reverse-tunnel/lingering-close.ts";

/** Of kas: moved only to let it lose its patience. */
let clock: ManualClock;
/** Of the agent. */
let agentClock: ManualClock;
let kas: TestKas;
let agent: GoAgent;

beforeEach(async () => {
  clock = new ManualClock();
  agentClock = new ManualClock();
  // Only the time of a lingering close stands still: pings of connections would end them when it leaps.
  kas = await startTestKas({
    clock: { now: () => clock.now(), after: (ms, action) => (ms === LINGER_MS ? clock : systemClock).after(ms, action) },
  });
  agent = await GoAgent.connect(kas.agentUrl, { token: "agent-1", clock: agentClock });
  await until(() => kas.registry.counts().idle === 10);
});
afterEach(async () => {
  agent.stop();
  await kas.stop();
});

interface Opened {
  readonly call: AgentCall;
  readonly listener: RecordingListener;
}

async function open(callClass: CallClass): Promise<Opened> {
  const listener = new RecordingListener();
  const context = contextOf({ class: callClass });
  const request = { agentId: 1n, method: ECHO, metadata: new Map(), context, signal: new AbortController().signal };
  const before = agent.requests.length;
  const call = await kas.router.open(request, listener);
  await until(() => agent.requests.length > before);
  return { call, listener };
}

/** A request without a body, as every watch is. */
async function openWatch(): Promise<Opened> {
  const opened = await open("watch");
  opened.call.write([REQUEST_TRAILER]);
  opened.call.closeSend();
  return opened;
}

const idle = (): number => kas.registry.counts().idle;

test("KS8: eight watches that are cancelled cost a Go agent no tunnel and no back-off", async () => {
  for (let count = 0; count < 8; count += 1) {
    const { call, listener } = await openWatch();
    call.cancel();
    expect(await listener.ended).toMatchObject({ code: 1, message: "the caller left" });
  }
  for (const request of agent.requests) request.ends();
  await until(() => idle() === 10);
  expect(agent.backOffs).toBe(0);
  expect(kas.registry.counts()).toMatchObject({ open: 10, waiting: 0 });
});

test("KS8: watches that were cancelled and still run count, so that two tunnels of a Go agent stay for short calls", async () => {
  for (let count = 0; count < 8; count += 1) (await openWatch()).call.cancel();
  await expect(open("watch")).rejects.toMatchObject({ reason: "watch_limit" });
  const { listener } = await open("safe");
  agent.requests.at(-1)?.ends();
  expect(await listener.ended).toMatchObject({ code: 0 });
  agent.requests[0]?.ends();
  await until(() => idle() === 3);
  await openWatch();
});

test("KS8: messages of a cancelled watch are discarded, and they are read also when the reader had stalled", async () => {
  const { call, listener } = await openWatch();
  agent.requests[0]?.yields();
  await listener.nextMessage();
  call.pause();
  for (let count = 0; count < 8; count += 1) agent.requests[0]?.yields(100_000);
  call.cancel();
  expect(await listener.ended).toMatchObject({ code: 1, stage: "answered" });
  agent.requests[0]?.yields();
  agent.requests[0]?.ends();
  await until(() => idle() === 10);
  expect(listener.bytes).toBe(1);
  expect(agent.backOffs).toBe(0);
});

test("KS8: half a body is not passed for a whole one: the Go agent stops that request at once, without a back-off", async () => {
  const { call, listener } = await open("mutation");
  call.write([REQUEST_TRAILER]);
  call.cancel();
  expect(await listener.ended).toMatchObject({ code: 1 });
  await until(() => agent.requests[0]?.state === "cancelled");
  await until(() => idle() === 10);
  expect(agent.backOffs).toBe(0);
});

test("KS8: a caller that had left before the call began costs no back-off either", async () => {
  const tunnel = kas.registry.reserve({ agentId: 1n, method: ECHO, context: contextOf() });
  const listener = new RecordingListener();
  tunnel?.start({ method: ECHO, metadata: new Map(), signal: AbortSignal.abort(), hops: 0 }, listener);
  expect(await listener.ended).toMatchObject({ code: 1 });
  await until(() => agent.requests[0]?.state === "cancelled");
  await until(() => idle() === 10);
  expect(agent.backOffs).toBe(0);
});

test("KS8: a cancelled call with too many bytes is reset; the agent notices with its next message and backs off", async () => {
  const { call } = await openWatch();
  call.cancel();
  agent.requests[0]?.yields(LINGER_BYTES + 1);
  await until(() => kas.registry.counts().open === 9);
  expect(agent.requests[0]?.state).toBe("running");
  await until(() => {
    agent.requests[0]?.yields();
    return agent.requests[0]?.state === "cancelled";
  });
  expect(agent.backOffs).toBe(1);
  agentClock.advance(GO_BACKOFF_MS);
  await until(() => idle() === 10);
  clock.assertIdle();
});

test("KS8: a cancelled call that ends in no time is reset, and its timer is gone with it", async () => {
  (await openWatch()).call.cancel();
  clock.advance(LINGER_MS - 1);
  expect(kas.registry.counts().open).toBe(10);
  clock.advance(1);
  expect(kas.registry.counts().open).toBe(9);
  clock.assertIdle();
});

test("KS8: a Go agent that goes away with cancelled calls leaves nothing behind", async () => {
  for (let count = 0; count < 8; count += 1) (await openWatch()).call.cancel();
  agent.stop();
  await until(() => kas.registry.counts().open === 0);
  expect(kas.registry.counts()).toMatchObject({ agents: 0, open: 0, idle: 0, waiting: 0 });
  clock.assertIdle();
});

test("KS8: a Go agent that stops when it is reset is reset: its request ends at once, and the tunnel is back", async () => {
  agent.stop();
  await until(() => kas.registry.counts().open === 0);
  agent = await GoAgent.connect(kas.agentUrl, { token: "agent-1", clock: agentClock, version: "15.8.0" });
  await until(() => idle() === 10);
  const { call } = await openWatch();
  call.cancel();
  await until(() => agent.requests[0]?.state === "cancelled");
  await until(() => idle() === 10);
  expect(agent.backOffs).toBe(0);
});

test("KS8: a kas that leaves does not wait for cancelled calls beyond its grace period", async () => {
  for (let count = 0; count < 8; count += 1) (await openWatch()).call.cancel();
  await kas.drain();
  await kas.stop();
  expect(kas.registry.counts()).toMatchObject({ agents: 0, open: 0 });
  clock.assertIdle();
});
