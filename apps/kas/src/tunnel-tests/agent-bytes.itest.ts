import { gzipSync } from "node:zlib";

import { dialHttp2, encodeFrame, frameHeader, GrpcClientStream, type GrpcStatus } from "@binnacle/grpc-wire";
import { until } from "@binnacle/testing";
import type { ClientHttp2Session } from "node:http2";
import { afterEach, beforeEach, expect, test } from "vitest";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, FakeAgent, frameOf, type FakeAgentCall } from "../testing/fake-agent.ts";
import { startTestKas, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";
import { internedDescriptors } from "../reverse-tunnel/tunnel-descriptor.ts";

const MIB = 1024 * 1024;
const RESOURCE_EXHAUSTED = 8;
const AGENT_666 = { kind: "agent", id: "666" } as const;
const NOTHING = { held: 0, owners: 0, streams: 0, waiting: 0 };
const cleanUps: (() => unknown)[] = [];

let kas: TestKas;

beforeEach(async () => {
  kas = await startTestKas({ limits: { agentBytes: 4 * MIB, processBytes: 16 * MIB } });
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  await kas.stop();
});

async function sessionOf(): Promise<ClientHttp2Session> {
  const session = await dialHttp2(kas.agentUrl);
  session.on("error", () => undefined);
  cleanUps.push(() => session.destroy());
  return session;
}

/** A bare tunnel of agent 666. */
function tunnelOn(session: ClientHttp2Session): { readonly stream: GrpcClientStream; readonly ended: Promise<GrpcStatus> } {
  const metadata = new Map([["authorization", ["Bearer agent-666"]]]);
  let settle: (status: GrpcStatus) => void = () => undefined;
  const ended = new Promise<GrpcStatus>((resolve) => (settle = resolve));
  return {
    stream: new GrpcClientStream({ session, path: CONNECT_PATH, metadata }, { message: () => undefined, end: (status) => settle(status) }),
    ended,
  };
}

function descriptorOf(services: number, methods: number, name = "s"): Uint8Array[] {
  const list = Array.from({ length: services }, (_, service) => ({
    name: `${name}${service}`,
    methods: Array.from({ length: methods }, (_each, method) => ({ name: `${method}` })),
  }));
  return frameOf({ case: "descriptor", value: { agentDescriptor: { services: list } } });
}

test.each([
  ["with more methods than 64 KiB can name", descriptorOf(200, 64), RESOURCE_EXHAUSTED],
  ["of 257 services", descriptorOf(257, 1), 3],
  ["of a service with 65 methods", descriptorOf(1, 65), 3],
  ["with a name of 257 characters", descriptorOf(1, 1, "n".repeat(257)), 3],
  ["of 20,000 empty services", encodeFrame([nested(1, nested(1, Buffer.alloc(40_000, Buffer.from([0x0a, 0x00]))))]), 3],
  ["of 20,000 empty methods", encodeFrame([nested(1, nested(1, nested(1, Buffer.alloc(40_000, Buffer.from([0x12, 0x00])))))]), 3],
])("XS2, KB6, T15: a descriptor %s is refused, and nothing of it is kept", async (_what, frame, code) => {
  const { stream, ended } = tunnelOn(await sessionOf());
  stream.writeFrame(frame);
  expect((await ended).code).toBe(code);
  expect(internedDescriptors()).toBe(0);
  await expect.poll(() => kas.ledger.counts()).toEqual(NOTHING);
});

test("XS2: a descriptor that unpacks to two million methods is refused before it is unpacked", async () => {
  const session = await sessionOf();
  const packed = gzipSync(nested(1, nested(1, nested(1, Buffer.alloc(4 * MIB, Buffer.from([0x12, 0x00]))))));
  expect(packed.length).toBeLessThan(20_000);
  const stream = session.request(
    {
      ":method": "POST",
      ":path": CONNECT_PATH,
      "content-type": "application/grpc",
      "grpc-encoding": "gzip",
      authorization: "Bearer agent-666",
    },
    { endStream: false },
  );
  stream.on("error", () => undefined).resume();
  const status = new Promise((resolve) => {
    stream.on("trailers", (trailers) => resolve(trailers["grpc-status"]));
    stream.on("response", (headers) => headers["grpc-status"] !== undefined && resolve(headers["grpc-status"]));
  });
  const header = frameHeader(packed.length);
  header[0] = 1;
  stream.write(Buffer.concat([header, packed]));
  expect(await status).toBe(String(RESOURCE_EXHAUSTED));
});

test("XS2: an agent that breaks the rules ten times is not taken on a new connection either, and its neighbour is", async () => {
  for (let count = 0; count < 10; count += 1) {
    const { stream, ended } = tunnelOn(await sessionOf());
    stream.writeFrame(frameOf({ case: "trailer", value: { meta: {} } }));
    await ended;
  }
  const { ended } = tunnelOn(await sessionOf());
  expect(await ended).toMatchObject({ code: RESOURCE_EXHAUSTED, message: expect.stringContaining("too often") });
  const neighbour = await FakeAgent.connect(kas.agentUrl, { token: "agent-7", onCall: () => undefined });
  cleanUps.push(() => neighbour.stop());
  await until(() => kas.registry.counts().idle === 1);
});

test("KB6: descriptors are shared while they are in use, and forgotten with the last tunnel that has them", async () => {
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", tunnels: 20, onCall: () => undefined });
  const other = await FakeAgent.connect(kas.agentUrl, { token: "agent-2", methods: ["/o.O/M"], onCall: () => undefined });
  await until(() => kas.registry.counts().idle === 21);
  expect(internedDescriptors()).toBe(2);
  agent.stop();
  await until(() => kas.registry.counts().open === 1);
  expect(internedDescriptors()).toBe(1);
  other.stop();
  await until(() => kas.registry.counts().open === 0);
  expect(internedDescriptors()).toBe(0);
  await until(() => kas.ledger.counts().streams === 0);
});

test("XS3: an idle tunnel may not begin a large message", async () => {
  const { stream, ended } = tunnelOn(await sessionOf());
  stream.writeFrame(descriptorOf(1, 1));
  await until(() => kas.registry.counts().idle === 1);
  stream.writeFrame([frameHeader(10 * MIB), Buffer.alloc(1_000)]);
  expect((await ended).code).toBe(RESOURCE_EXHAUSTED);
});

test("XS3, T14: half messages in a hundred calls hold no more than the agent's budget, and its neighbour is served", async () => {
  const calls: FakeAgentCall[] = [];
  const onCall = (call: FakeAgentCall): void => {
    calls.push(call);
    call.header();
  };
  const hostile = await FakeAgent.connect(kas.agentUrl, { token: "agent-666", tunnels: 100, onCall });
  cleanUps.push(() => hostile.stop());
  await until(() => kas.registry.counts().idle === 100);
  const listeners: RecordingListener[] = [];
  for (let count = 0; count < 100; count += 1) {
    const listener = new RecordingListener();
    listeners.push(listener);
    await kas.router.open(requestTo(666n), listener);
  }
  await until(() => calls.length === 100);
  for (const call of calls) call.stream.writeFrame([frameHeader(10 * MIB), Buffer.alloc(200_000)]);
  // A hundred times 200,000 bytes are five budgets: above half of one, streams that hold nothing are not read.
  await until(() => kas.ledger.isShort(AGENT_666));
  expect(kas.ledger.held(AGENT_666)).toBeLessThanOrEqual(4 * MIB);
  // One in the middle of its message goes on, until it alone is too much.
  const started = listeners.map((listener) => listener.ended);
  for (const call of calls) call.stream.writeFrame([Buffer.alloc(4 * MIB)]);
  expect(await Promise.race(started)).toMatchObject({ code: RESOURCE_EXHAUSTED, message: expect.stringContaining("agent holds") });
  expect(kas.ledger.held(AGENT_666)).toBeLessThanOrEqual(4 * MIB);
  const neighbour = await FakeAgent.connect(kas.agentUrl, { token: "agent-7", onCall: (call) => (call.header(), call.finish()) });
  cleanUps.push(() => neighbour.stop());
  const answer = new RecordingListener();
  await kas.router.open(requestTo(7n), answer);
  expect(await answer.ended).toMatchObject({ code: 0 });
  hostile.stop();
  await until(() => kas.ledger.held() === 0);
});

function requestTo(agentId: bigint) {
  return { agentId, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal };
}

/** A length-delimited field of protobuf. */
function nested(field: number, content: Uint8Array): Buffer {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>>= 7) {
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) break;
  }
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), content]);
}
