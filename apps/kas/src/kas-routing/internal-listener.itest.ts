import { dialHttp2, GrpcClientStream, type GrpcStatus, type Metadata } from "@binnacle/grpc-wire";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import { ECHO, FakeAgent } from "../testing/fake-agent.ts";
import { INTERNAL_SECRET, type TestKas } from "./testing/kas-bench.ts";
import { agentOf, kasOf } from "./testing/kas-of.ts";
import { decodeGatewayFrame, type GatewayFrame } from "./gateway-frames.ts";
import { HopTokens } from "./hop-token.ts";
import { noMetrics } from "../agent-call/routing-metrics.ts";

const caller = new HopTokens({ secrets: [INTERNAL_SECRET], kasId: "caller", clock: systemClock });

async function ask(
  kas: TestKas,
  metadata: Metadata,
  ...[path = ECHO, decode = decodeGatewayFrame]: [path?: string, decode?: (data: Uint8Array) => GatewayFrame]
): Promise<{
  stream: GrpcClientStream;
  frames: GatewayFrame[];
  next: () => Promise<void>;
  ended: Promise<GrpcStatus>;
  trailer: () => Metadata;
}> {
  const session = await dialHttp2(kas.internalUrl);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  const frames: GatewayFrame[] = [];
  let settle: (status: GrpcStatus) => void = () => undefined;
  let wake: () => void = () => undefined;
  const ended = new Promise<GrpcStatus>((resolve) => {
    settle = resolve;
  });
  const listener = {
    message: (data: Uint8Array) => {
      frames.push(decode(data));
      wake();
    },
    end: (status: GrpcStatus, metadata: Metadata) => {
      trailer = metadata;
      settle(status);
    },
  };
  let trailer: Metadata = new Map();
  const stream = new GrpcClientStream({ session, path, metadata }, listener);
  const next = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  return { stream, frames, next, ended, trailer: () => trailer };
}

function metadataFor(kasId: string, agentId = 1n, named: readonly string[] = ["1"]): Map<string, readonly string[]> {
  return new Map([
    ["authorization", [caller.sign(kasId, agentId)]],
    ["kas-hop-routing-agent-id", named],
  ]);
}

test("without a token, with one for another kas or one for another agent, nothing is answered", async () => {
  let refused = 0;
  const kas = await kasOf({ metrics: { ...noMetrics, hopRefused: () => (refused += 1) } });
  const none = await ask(kas, new Map([["kas-hop-routing-agent-id", ["1"]]]));
  expect((await none.ended).code).toBe(16);
  const otherKas = await ask(kas, metadataFor("another-kas"));
  expect((await otherKas.ended).code).toBe(16);
  const otherAgent = await ask(kas, metadataFor(kas.kasId, 2n));
  expect((await otherAgent.ended).code).toBe(16);
  expect(refused).toBe(3);
});

test("a token is good once", async () => {
  const kas = await kasOf();
  const metadata = metadataFor(kas.kasId);
  const first = await ask(kas, metadata);
  await first.next();
  const second = await ask(kas, metadata);
  expect((await second.ended).code).toBe(16);
});

test("two agent ids, or something that is no id, are refused as invalid", async () => {
  const kas = await kasOf();
  for (const named of [["1", "1"], ["x"], []]) {
    const call = await ask(kas, metadataFor(kas.kasId, 1n, named));
    expect((await call.ended).code).toBe(3);
  }
});

test("an agent that is not connected here gets no_tunnel at once, and no other kas is queried", async () => {
  const kas = await kasOf();
  const call = await ask(kas, metadataFor(kas.kasId));
  await call.next();
  expect(call.frames).toEqual([{ kind: "noTunnel", field: 6 }]);
  expect(kas.peers.size).toBe(0);
});

test("a kas that cancels its request returns the tunnel unused", async () => {
  const kas = await kasOf();
  const agent = await agentOf(kas.agentUrl);
  await until(() => kas.registry.counts().idle > 0);
  const call = await ask(kas, metadataFor(kas.kasId));
  await call.next();
  expect(call.frames).toEqual([{ kind: "tunnelReady", field: 1 }]);
  expect(kas.registry.counts()).toMatchObject({ open: 1, idle: 0 });
  call.stream.cancel();
  await until(() => kas.registry.counts().idle > 0);
  expect(agent.ends).toEqual([]);
});

test("a tunnel that is lost before StartStreaming is replaced without a word", async () => {
  const kas = await kasOf();
  let calls = 0;
  const options = {
    token: "agent-1",
    onCall: (call: { header(): void; finish(): void }) => {
      calls += 1;
      call.header();
      call.finish();
    },
  };
  const first = await FakeAgent.connect(kas.agentUrl, options);
  await until(() => kas.registry.counts().idle > 0);
  const call = await ask(kas, metadataFor(kas.kasId));
  await call.next();
  first.stop();
  await until(() => kas.registry.counts().open === 0);
  call.stream.write([]);
  const second = await FakeAgent.connect(kas.agentUrl, options);
  onTestFinished(() => second.stop());
  expect((await call.ended).code).toBe(0);
  expect(call.frames.map((frame) => frame.kind)).toEqual(["tunnelReady", "header", "trailer"]);
  expect(calls).toBe(1);
});

test("KS9: a call whose tunnel was lost before the agent saw it, without another one in time, was not started", async () => {
  const kas = await kasOf();
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", onCall: () => undefined });
  await until(() => kas.registry.counts().idle > 0);
  const call = await ask(kas, metadataFor(kas.kasId));
  await call.next();
  agent.stop();
  await until(() => kas.registry.counts().open === 0);
  call.stream.write([]);
  expect((await call.ended).code).toBe(0);
  expect(call.frames.at(-1)).toMatchObject({ kind: "error", status: { code: 14 } });
  expect(call.trailer().get("kas-hop-stage")).toEqual(["not_started"]);
  expect(kas.registry.counts()).toMatchObject({ waiting: 0 });
});

test("KS9: the stage of a call that failed at the agent goes with it", async () => {
  const kas = await kasOf();
  const onCall = (call: { send(msg: { case: "trailer"; value: { meta: Record<string, never> } }): void }): void =>
    call.send({ case: "trailer", value: { meta: {} } });
  await agentOf(kas.agentUrl, { onCall });
  await until(() => kas.registry.counts().idle > 0);
  const call = await ask(kas, metadataFor(kas.kasId));
  await call.next();
  call.stream.write([]);
  await call.ended;
  expect(call.trailer().get("kas-hop-stage")).toEqual(["started"]);
});

test("KB5: busy tunnels are reported at once and the stream ends, so no call waits on it", async () => {
  const kas = await kasOf();
  kas.registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:a" });
  const call = await ask(kas, metadataFor(kas.kasId));
  expect((await call.ended).code).toBe(0);
  expect(call.frames).toEqual([{ kind: "noTunnel", field: 6 }]);
  expect(call.trailer().get("kas-hop-outcome")).toEqual(["busy"]);
});

/** Opens the stream of waits; `method` is the method of the calls that wait. */
async function wait(kas: TestKas, agentId = 1n): Promise<Awaited<ReturnType<typeof ask>> & { say(message: object): void }> {
  const metadata = metadataFor(kas.kasId, agentId).set("kas-hop-method", [ECHO]);
  const call = await ask(
    kas,
    metadata,
    "/kas.routing.TunnelWaits/Wait",
    (data) => JSON.parse(Buffer.from(data).toString()) as GatewayFrame,
  );
  return { ...call, say: (message) => void call.stream.write([Buffer.from(JSON.stringify(message))]) };
}

test("KB5: a ticket is good for the agent it was given for, once, and for a few seconds; then its tunnel is free again", async () => {
  const kas = await kasOf();
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", onCall: () => undefined });
  const other = await FakeAgent.connect(kas.agentUrl, { token: "agent-2", onCall: () => undefined });
  onTestFinished(() => agent.stop());
  onTestFinished(() => other.stop());
  await until(() => kas.registry.counts().idle === 2);
  const waiting = await wait(kas);
  waiting.say({ kind: "wait", id: 1, context: "" });
  await until(() => waiting.frames.length === 1);
  const ticket = Object.entries(waiting.frames[0] ?? {}).find(([key]) => key === "ticket")?.[1];
  expect(ticket).toMatch(/^[0-9a-f-]{36}$/);
  expect(kas.registry.counts().idle).toBe(1);
  const stolen = await ask(kas, metadataFor(kas.kasId, 2n, ["2"]).set("kas-hop-ticket", [String(ticket)]));
  await stolen.next();
  expect(kas.registry.counts().idle).toBe(0);
  const claimed = await ask(kas, metadataFor(kas.kasId).set("kas-hop-ticket", [String(ticket)]));
  await claimed.next();
  expect(claimed.frames).toMatchObject([{ kind: "tunnelReady" }]);
  const again = await ask(kas, metadataFor(kas.kasId).set("kas-hop-ticket", [String(ticket)]));
  await again.ended;
  expect(again.frames).toMatchObject([{ kind: "noTunnel" }]);
});

test("KB5: tunnels held for a kas that goes away, or gives them back, are free again", async () => {
  const kas = await kasOf();
  await agentOf(kas.agentUrl, { tunnels: 2 });
  await until(() => kas.registry.counts().idle === 2);
  const waiting = await wait(kas);
  for (const id of [1, 2, 3]) waiting.say({ kind: "wait", id, context: "" });
  await until(() => waiting.frames.length === 2 && kas.registry.counts().waiting === 1);
  const ticket = Object.entries(waiting.frames[0] ?? {}).find(([key]) => key === "ticket")?.[1];
  waiting.say({ kind: "return", ticket });
  // It goes to the third.
  await until(() => waiting.frames.length === 3);
  waiting.stream.cancel();
  await until(() => kas.registry.counts().idle === 2);
  expect(kas.registry.counts().waiting).toBe(0);
});

test.each([
  ["no message about waiting", { kind: "want", id: 1 }],
  ["two waits of one name", { kind: "wait", id: 1, context: "" }],
])("KB5: %s ends the stream and takes its waits back", async (_name, message) => {
  const violations: string[] = [];
  const kas = await kasOf({ metrics: { ...noMetrics, frameViolation: (side) => violations.push(side) } });
  const waiting = await wait(kas);
  waiting.say({ kind: "wait", id: 1, context: "" });
  await until(() => kas.registry.counts().waiting === 1);
  waiting.say(message);
  expect((await waiting.ended).code).toBe(3);
  expect(violations).toEqual(["peer"]);
  await until(() => kas.registry.counts().waiting === 0);
});

test("an agent that fails before its header is reported with its own code", async () => {
  const kas = await kasOf();
  const onCall = (call: {
    send(msg: { case: "error"; value: { status: { code: number; message: string } } }): void;
    stream: GrpcClientStream;
  }): void => {
    call.send({ case: "error", value: { status: { code: 7, message: "not for you" } } });
    call.stream.closeSend();
  };
  await agentOf(kas.agentUrl, { onCall });
  await until(() => kas.registry.counts().idle > 0);
  const call = await ask(kas, metadataFor(kas.kasId));
  await call.next();
  call.stream.write([]);
  expect((await call.ended).code).toBe(0);
  expect(call.frames.at(-1)).toMatchObject({ kind: "error", status: { code: 7, message: "not for you" } });
});

test("T16: a typed request learns the agent of its token, whatever its headers say", async () => {
  const seen: unknown[] = [];
  const kas = await kasOf({
    connectHandler: (request, response) => {
      seen.push(request.headers["kas-hop-routing-agent-id"]);
      response.writeHead(200);
      response.end();
    },
  });
  await (
    await ask(kas, metadataFor(kas.kasId, 5n, ["9"]), "/kas.v1.KasInternal/GetPods")
  ).ended;
  await (
    await ask(kas, new Map(), "/kas.v1.KasInternal/GetPods")
  ).ended;
  expect(seen).toEqual(["5"]);
});
