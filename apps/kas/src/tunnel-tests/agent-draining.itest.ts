import { ByteLedger, type GrpcStatus } from "@binnacle/grpc-wire";
import { systemClock, type Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { expect, test } from "vitest";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, FakeAgent, type FakeAgentCall } from "../testing/fake-agent.ts";
import { startTestKas, testAuthenticator } from "../kas-routing/testing/kas-bench.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { RECORDED_USER_AGENT } from "../testing/user-agents.ts";
import { openAgentListener } from "../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";

const MIB = 1024 * 1024;

test("a draining kas that is alone sends GOAWAY, ends idle tunnels normally and removes them", async () => {
  const kas = await startTestKas({ alone: true });
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", onCall: () => undefined });
  await until(() => kas.registry.counts().idle > 0);
  const drained = kas.drain();
  await until(() => agent.ends.length > 0);
  expect(agent.ends[0]).toEqual({ code: 0, message: "" });
  agent.stop();
  await drained;
  await kas.stop();
  expect(kas.registry.counts()).toMatchObject({ agents: 0, open: 0 });
});

test("a draining kas without clients waits for its grace period at most, and never for a negative time", async () => {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => systemClock.now(),
    after(delayMs, action) {
      waits.push(delayMs);
      return systemClock.after(Math.max(0, delayMs), action);
    },
  };
  const listener = await openAgentListener({
    listen: { host: "127.0.0.1", port: 0 },
    shutdownGraceMs: 0,
    clock,
    log: createLogger("test", "silent"),
    authenticator: testAuthenticator,
    registry: new TunnelRegistry(),
    ledger: new ByteLedger({ processBytes: MIB, agentBytes: MIB, userBytes: MIB }),
    connectHandler: () => undefined,
  });
  await listener.drain(new AbortController().signal);
  expect(waits).toEqual([0]);
  await listener.close();
});

test("KS8, KS3: an agent that is not ours moves when its idle tunnels end, so they end as soon as it is sent away", async () => {
  const clock = new ManualClock();
  const kas = await startTestKas({ clock, keepAliveMs: 100_000_000 });
  const ends: number[] = [];
  const metadata = { "user-agent": RECORDED_USER_AGENT["14.1.1"] };
  const onEnd = (_tunnel: unknown, end: GrpcStatus): void => void ends.push(end.code);
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", tunnels: 10, metadata, onCall: (call) => call.header(), onEnd });
  await until(() => kas.registry.counts().idle === 10);
  const request = { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal };
  await kas.router.open(request, new RecordingListener());
  const drained = kas.drain();
  await until(() => ends.length === 9);
  expect(ends).toEqual(Array.from({ length: 9 }, () => 0));
  expect(kas.registry.counts()).toMatchObject({ open: 1, idle: 0 });
  agent.stop();
  await drained;
  await kas.stop();
});

test("KS3: an agent of ours that is sent away keeps its idle tunnels for ten seconds, to connect elsewhere first", async () => {
  const clock = new ManualClock();
  const kas = await startTestKas({ clock, keepAliveMs: 100_000_000 });
  const metadata = { "agentk-caps": "raw-target" };
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", tunnels: 2, metadata, onCall: (call) => call.header() });
  await until(() => kas.registry.counts().idle === 2);
  const drained = kas.drain();
  clock.advance(4_900);
  // It still serves requests here meanwhile.
  await kas.router.open(
    { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal },
    new RecordingListener(),
  );
  expect(kas.registry.counts()).toMatchObject({ open: 2, idle: 1 });
  clock.advance(5_100);
  await until(() => agent.ends.length > 0);
  expect(agent.ends[0]).toEqual({ code: 0, message: "" });
  agent.stop();
  await drained;
  await kas.stop();
});

test("an old connection gets GOAWAY: its idle tunnels end normally, and a running call continues", async () => {
  const clock = new ManualClock();
  const kas = await startTestKas({ clock, keepAliveMs: 100_000_000, maxConnectionAgeMs: 7_200_000 });
  const calls: FakeAgentCall[] = [];
  const onCall = (call: FakeAgentCall): void => {
    calls.push(call);
    call.header();
  };
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", tunnels: 2, onCall });
  await until(() => kas.registry.counts().idle === 2);
  const listener = new RecordingListener();
  await kas.router.open(
    { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal },
    listener,
  );
  await until(() => calls.length === 1);
  clock.advance(0.79 * 7_200_000);
  expect(kas.registry.counts()).toMatchObject({ open: 2, idle: 1 });
  clock.advance(0.42 * 7_200_000);
  await until(() => agent.ends.length > 0);
  expect(agent.ends[0]).toEqual({ code: 0, message: "" });
  expect(kas.registry.counts()).toMatchObject({ open: 1, idle: 0 });
  calls[0]?.finish();
  expect(await listener.ended).toMatchObject({ code: 0 });
  const stopped = kas.stop();
  agent.stop();
  await stopped;
});
