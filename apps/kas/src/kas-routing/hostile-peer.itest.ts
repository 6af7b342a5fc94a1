import { STATUS_OK } from "@binnacle/grpc-wire";
import { type Clock, systemClock } from "@binnacle/rpc";
import { ManualClock, until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import type { AgentCallRequest } from "../agent-call/agent-call.ts";
import { noMetrics } from "../agent-call/routing-metrics.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO } from "../testing/fake-agent.ts";
import { answerWait, startFakeGateway, type FakeGatewayBehaviour, type FakeGatewayStream } from "./testing/fake-gateway.ts";
import { type TestKas } from "./testing/kas-bench.ts";
import { kasOf } from "./testing/kas-of.ts";
import { LogLines } from "../testing/log-lines.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { SharedRoutes } from "./testing/shared-routes.ts";
import { gatewayErrorFrame, gatewayMessageFrame, gatewayMetadataFrame, gatewaySignalFrame } from "./gateway-frames.ts";

interface Scene {
  readonly kas: TestKas;
  readonly url: string;
  readonly lines: LogLines;
  /** Ends all sessions of the fake. */
  readonly cut: () => void;
  readonly goAway: () => void;
  readonly violations: () => number;
}

async function against(behaviour: FakeGatewayBehaviour, clock: Clock = systemClock): Promise<Scene> {
  const fake = await startFakeGateway(behaviour);
  const routes = new SharedRoutes();
  const lines = new LogLines();
  let violations = 0;
  const metrics = { ...noMetrics, frameViolation: (side: string) => void (violations += side === "peer" ? 1 : 0) };
  const kas = await kasOf({ clock, routes: (kasId, url) => routes.storeOf(kasId, url), metrics, log: lines.log });
  onTestFinished(() => fake.stop());
  routes.add(1n, { kasId: "fake", urls: [fake.url], draining: false, epoch: 1 });
  return {
    kas,
    url: fake.url,
    lines,
    cut: () => [...fake.sessions].forEach((session) => session.destroy()),
    goAway: () => [...fake.sessions].forEach((session) => session.goaway(0)),
    violations: () => violations,
  };
}

function requestOf(waitMs: number): AgentCallRequest {
  return { agentId: 1n, method: ECHO, context: contextOf({ waitMs }), signal: new AbortController().signal };
}

/** Nothing of a search is left. */
async function clean({ kas }: Scene, clock?: ManualClock): Promise<void> {
  expect(kas.registry.counts()).toMatchObject({ waiting: 0, agents: 0 });
  // The stream for waits is kept for a moment.
  const areClosed = (): boolean => kas.peers.counts().open === 0;
  await (clock?.advanceUntil(areClosed, 100) ?? until(areClosed));
}

const noTunnel = (stream: FakeGatewayStream): void => stream.noTunnel();
const ready = (stream: FakeGatewayStream): void => void stream.grpc.writeFrame(gatewaySignalFrame("tunnelReady"));

test("KB5: a kas that always reports a free tunnel and never has one is queried less and less often", async () => {
  let asks = 0;
  const scene = await against({
    onAsk: (stream) => {
      asks += 1;
      stream.noTunnel();
    },
    onWait: (stream, { kind, id }) => kind === "wait" && answerWait(stream, { kind: "ready", id, ticket: "made up" }),
  });
  await expect(scene.kas.router.open(requestOf(1_500), new RecordingListener())).rejects.toMatchObject({ reason: "tunnels_busy" });
  expect(asks).toBeGreaterThanOrEqual(2);
  expect(asks).toBeLessThanOrEqual(7);
  await clean(scene);
});

test("KB5: a kas that never answers costs the caller its wait and leaves no stream", async () => {
  const scene = await against({ onAsk: () => undefined });
  await expect(scene.kas.router.open(requestOf(200), new RecordingListener())).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: "agent 1 is connected to another kas, which cannot be reached",
  });
  await clean(scene);
});

test.each<[string, number | string, FakeGatewayBehaviour]>([
  ["bytes that are no frame", "peer_unreachable", { onAsk: (stream) => void stream.grpc.write([Buffer.from([0xff, 0xff])]) }],
  [
    "a header without a request",
    "peer_unreachable",
    { onAsk: (stream) => void stream.grpc.writeFrame(gatewayMetadataFrame("header", new Map())) },
  ],
  ["two tunnels for one call", 14, { onAsk: (stream) => (ready(stream), ready(stream)) }],
  [
    "no answer to a wait, but bytes",
    "peer_unreachable",
    { onAsk: noTunnel, onWait: (stream) => void stream.grpc.write([Buffer.from("{}")]) },
  ],
])("KB5, KS9: %s ends that stream, is counted, and is logged with the agent", async (_name, expected, behaviour) => {
  const clock = new ManualClock();
  const scene = await against(behaviour, clock);
  const listener = new RecordingListener();
  const outcome = Promise.resolve(scene.kas.router.open(requestOf(300), listener)).then(
    async () => (await listener.ended).code,
    (error: { reason: string }) => error.reason,
  );
  // Its wait ends only after the other kas has sent its answer.
  await until(() => scene.violations() > 0);
  clock.advance(300);
  expect(await outcome).toBe(expected);
  expect(scene.violations()).toBeGreaterThanOrEqual(1);
  expect(scene.lines.of("a kas broke the rules of its frames")).toContainEqual(expect.objectContaining({ agent_id: "1" }));
  await clean(scene, clock);
});

test("KB5: tickets for unknown waits are returned", async () => {
  const returned: unknown[] = [];
  const clock = new ManualClock();
  const behaviour: FakeGatewayBehaviour = {
    onAsk: noTunnel,
    onWait(stream, message) {
      if (message.kind === "return") returned.push(message);
      if (message.kind === "wait") answerWait(stream, { kind: "ready", id: 999, ticket: "lost" });
    },
  };
  const scene = await against(behaviour, clock);
  const refused = Promise.resolve(scene.kas.router.open(requestOf(200), new RecordingListener())).catch((fault: unknown) => fault);
  await until(() => returned.length > 0);
  clock.advance(200);
  expect(await refused).toMatchObject({ reason: "tunnels_busy" });
  expect(returned).toEqual([{ kind: "return", ticket: "lost" }]);
  await clean(scene, clock);
});

test.each(["goAway", "cut"] as const)("KB5: a wait at a kas that closes the connection (%s) continues over another one", async (way) => {
  let waits = 0;
  const scene = await against({
    onAsk: (stream) => (stream.ticket === undefined ? stream.noTunnel() : ready(stream)),
    onWait(stream, { kind, id }) {
      if (kind !== "wait") return;
      waits += 1;
      if (waits === 2) answerWait(stream, { kind: "ready", id, ticket: "good" });
    },
  });
  const opened = scene.kas.router.open(requestOf(30_000), new RecordingListener());
  await until(() => waits === 1);
  scene[way]();
  const call = await opened;
  expect(call.hops).toBe(1);
  call.cancel();
  await clean(scene);
});

test("KB5: exactly one StartStreaming is sent, to the kas that won", async () => {
  const starts: number[] = [];
  const behaviourOf = (index: number): FakeGatewayBehaviour => ({
    onAsk: ready,
    onMessage: () => starts.push(index),
  });
  const fakes = await Promise.all([0, 1, 2].map((index) => startFakeGateway(behaviourOf(index))));
  const routes = new SharedRoutes();
  const kas = await kasOf({ routes: (kasId, url) => routes.storeOf(kasId, url) });
  onTestFinished(() => {
    for (const fake of fakes) fake.stop();
  });
  fakes.forEach((fake, index) => routes.add(1n, { kasId: `fake-${index}`, urls: [fake.url], draining: false, epoch: 1 }));
  for (let count = 1; count <= 20; count += 1) {
    const call = await kas.router.open(requestOf(5_000), new RecordingListener());
    await until(() => starts.length === count);
    call.cancel();
  }
  await until(() => kas.peers.counts().open === 0);
  expect(starts).toHaveLength(20);
});

const LOST = new Map([["kas-hop-stage", ["not_started"]]]);

test.each<[string, (stream: FakeGatewayStream) => void, string]>([
  [
    "reports that it was not started",
    (stream) => {
      stream.grpc.writeFrame(gatewayErrorFrame({ code: 14, message: "lost" }));
      stream.grpc.end(STATUS_OK, LOST);
    },
    "not_started",
  ],
  [
    "reports nothing, as another version does",
    (stream) => {
      stream.grpc.writeFrame(gatewayErrorFrame({ code: 14, message: "lost" }));
      stream.grpc.end(STATUS_OK);
    },
    "started",
  ],
  [
    "reports that its agent answered with nothing but an error",
    (stream) => {
      stream.grpc.writeFrame(gatewayErrorFrame({ code: 14, message: "lost" }));
      stream.grpc.end(STATUS_OK, new Map([["kas-hop-stage", ["answered"]]]));
    },
    "answered",
  ],
  ["dies", (stream) => stream.session.destroy(), "started"],
  [
    "reports that it was not started after it had begun to answer",
    (stream) => {
      stream.grpc.writeFrame(gatewayMetadataFrame("header", new Map()));
      stream.grpc.writeFrame(gatewayMessageFrame(Buffer.from("x")));
      stream.grpc.writeFrame(gatewayMetadataFrame("trailer", new Map()));
      stream.grpc.writeFrame(gatewayErrorFrame({ code: 14, message: "lost" }));
      stream.grpc.end(STATUS_OK, LOST);
    },
    "answered",
  ],
])("KS9: a call whose gateway %s has the safe stage", async (_name, answer, stage) => {
  const { kas } = await against({ onAsk: ready, onMessage: answer });
  const listener = new RecordingListener();
  await kas.router.open(requestOf(5_000), listener);
  expect(await listener.ended).toMatchObject({ code: 14, stage });
});

test("XM10, T31: details of a kas in errors of calls are not sent to callers", async () => {
  const scene = await against({ onAsk: ready, onMessage: (stream) => stream.session.destroy() });
  const listener = new RecordingListener();
  await scene.kas.router.open(requestOf(5_000), listener);
  const { message } = await listener.ended;
  expect(message).not.toContain(scene.url.slice("grpc://".length));
  expect(scene.lines.of("a call through another kas broke")).toMatchObject([
    { agent_id: "1", method: ECHO, correlation_id: "test", peer: [scene.url] },
  ]);
});
