import type { ClientHttp2Stream } from "node:http2";
import { connect as connectTcp } from "node:net";
import { gzipSync } from "node:zlib";

import { ByteLedger, dialHttp2, frameHeader, GrpcClientStream, type GrpcStatus } from "@binnacle/grpc-wire";
import { ConnectRequestSchema } from "@binnacle/proto/reverse-tunnel";
import { Fault, systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, FakeAgent, frameOf, type FakeAgentCall } from "../testing/fake-agent.ts";
import { startTestKas, testAuthenticator } from "../kas-routing/testing/kas-bench.ts";
import { agentOf, kasOf } from "../kas-routing/testing/kas-of.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { selfSigned } from "../testing/self-signed.ts";
import { openAgentListener } from "../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";

const CONNECT = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";
const MIB = 1024 * 1024;

/** A bare `Connect` stream; `ended` settles with its status. */
async function streamOf(
  url: string,
  metadata: ReadonlyMap<string, readonly string[]>,
  path = CONNECT,
): Promise<{ stream: GrpcClientStream; ended: Promise<GrpcStatus> }> {
  const session = await dialHttp2(url);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  let settle: (status: GrpcStatus) => void = () => undefined;
  const ended = new Promise<GrpcStatus>((resolve) => {
    settle = resolve;
  });
  const stream = new GrpcClientStream({ session, path, metadata }, { message: () => undefined, end: (status) => settle(status) });
  return { stream, ended };
}

function bearer(token: string): ReadonlyMap<string, readonly string[]> {
  return new Map([["authorization", [`Bearer ${token}`]]]);
}

test("an unknown token is refused as unauthenticated, in trailers alone", async () => {
  const kas = await kasOf();
  const { ended } = await streamOf(kas.agentUrl, bearer("wrong"));
  expect(await ended).toEqual({ code: 16, message: "unauthenticated" });
  const without = await streamOf(kas.agentUrl, new Map());
  expect((await without.ended).code).toBe(16);
});

test("anything but a descriptor at the beginning ends that stream as invalid_argument", async () => {
  const kas = await kasOf();
  const { stream, ended } = await streamOf(kas.agentUrl, bearer("agent-1"));
  stream.writeFrame(frameOf({ case: "header", value: { meta: {} } }));
  expect((await ended).code).toBe(3);
  expect(kas.registry.counts().open).toBe(0);
});

const HOSTILE: readonly { readonly title: string; readonly code: number; readonly attack: (call: FakeAgentCall) => void }[] = [
  { title: "a trailer before the header", code: 3, attack: (call) => call.send({ case: "trailer", value: { meta: {} } }) },
  {
    title: "a message of 11 MiB",
    code: 8,
    attack: (call) => void call.stream.writeFrame([frameHeader(11 * MIB), Buffer.alloc(64 * 1024)]),
  },
  { title: "bytes that are no protobuf", code: 3, attack: (call) => void call.stream.write([Buffer.from([0xff, 0xff, 0xff, 0xff])]) },
  { title: "an unknown frame flag", code: 3, attack: (call) => void call.stream.writeFrame([Buffer.from([7, 0, 0, 0, 0])]) },
  {
    title: "a compressed message without grpc-encoding",
    code: 3,
    attack: (call) => void call.stream.writeFrame([Buffer.from([1, 0, 0, 0, 1, 0])]),
  },
];

test.each(HOSTILE)("T15: $title ends that stream and nothing else on its connection", async ({ code, attack }) => {
  const kas = await kasOf();
  let count = 0;
  const onCall = (call: FakeAgentCall): void => {
    count += 1;
    if (count === 2) return attack(call);
    call.header();
    call.onMessage = (data) => call.message(data);
    call.onCloseSend = () => call.finish();
  };
  const agent = await agentOf(kas.agentUrl, { tunnels: 2, onCall });
  const request = { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal };
  const good = new RecordingListener();
  const goodCall = await kas.router.open(request, good);
  const bad = new RecordingListener();
  await kas.router.open(request, bad);
  expect(await bad.ended).toMatchObject({ code: 14, message: expect.stringContaining("the tunnel broke") });
  goodCall.write([Buffer.from("still here")]);
  goodCall.closeSend();
  expect(await good.ended).toMatchObject({ code: 0 });
  expect(good.messages).toEqual(["still here"]);
  await until(() => agent.ends.some((status) => status.code === code));
});

test("gzip messages are read, and a gzip bomb ends its stream", async () => {
  const kas = await kasOf();
  const descriptor = { agentDescriptor: { services: [{ name: "test.Echo", methods: [{ name: "Echo" }] }] } };
  const zipped = gzipSync(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg: { case: "descriptor", value: descriptor } })));
  const { stream, ended } = await streamOf(kas.agentUrl, bearer("agent-1"));
  stream.writeFrame([compressed(zipped.length), zipped]);
  // grpc-wire's client never sends grpc-encoding, so the same bytes are sent by hand.
  expect((await ended).code).toBe(3);
  const byHand = await gzipStream(kas.agentUrl);
  byHand.write(compressed(zipped.length));
  byHand.write(zipped);
  await until(() => kas.registry.counts().idle > 0);
  const closed = new Promise<unknown>((resolve) => byHand.on("trailers", (trailers) => resolve(trailers["grpc-status"])));
  const bomb = gzipSync(Buffer.alloc(200 * MIB));
  byHand.write(compressed(bomb.length));
  byHand.write(bomb);
  expect(await closed).toBe("8");
  await until(() => kas.registry.counts().open === 0);
});

async function gzipStream(url: string): Promise<ClientHttp2Stream> {
  const session = await dialHttp2(url);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  const stream = session.request(
    {
      ":method": "POST",
      ":path": CONNECT,
      "content-type": "application/grpc",
      te: "trailers",
      "grpc-encoding": "gzip",
      authorization: "Bearer agent-1",
    },
    { endStream: false },
  );
  stream.on("error", () => undefined);
  stream.resume();
  return stream;
}

function compressed(length: number): Buffer {
  const header = frameHeader(length);
  header[0] = 1;
  return header;
}

test("ten violations close the connection they came from", async () => {
  const kas = await kasOf();
  const session = await dialHttp2(kas.agentUrl);
  const closed = new Promise((resolve) => session.on("close", resolve));
  session.on("error", () => undefined);
  for (let count = 0; count < 10; count += 1) {
    const stream = new GrpcClientStream(
      { session, path: CONNECT, metadata: bearer("agent-1") },
      { message: () => undefined, end: () => undefined },
    );
    stream.writeFrame(frameOf({ case: "trailer", value: { meta: {} } }));
  }
  await closed;
  expect(session.destroyed).toBe(true);
});

test("T13: two thousand cancelled streams do not end the connection", async () => {
  const kas = await kasOf();
  const session = await dialHttp2(kas.agentUrl);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  for (let batch = 0; batch < 20; batch += 1) {
    for (let count = 0; count < 100; count += 1) {
      const stream = new GrpcClientStream(
        { session, path: CONNECT, metadata: bearer("agent-1") },
        { message: () => undefined, end: () => undefined },
      );
      stream.cancel();
    }
    await new Promise((resolve) => session.ping(resolve));
  }
  expect(session.destroyed).toBe(false);
  expect(kas.registry.counts().open).toBe(0);
});

test("T19: typed requests learn the replica, and hop headers of a client do not get through", async () => {
  const seen: Record<string, unknown>[] = [];
  const kas = await kasOf({
    connectHandler: (request, response) => {
      seen.push({ replica: request.headers["kas-hop-replica"], agent: request.headers["kas-hop-routing-agent-id"] });
      response.writeHead(200);
      response.end();
    },
  });
  const metadata = new Map([
    ...bearer("agent-1"),
    ["agentk-instance", ["pod-1"]],
    ["kas-hop-replica", ["forged"]],
    ["kas-hop-routing-agent-id", ["9"]],
  ]);
  await (
    await streamOf(kas.agentUrl, metadata, "/some.Service/Method")
  ).ended;
  await (
    await streamOf(kas.agentUrl, bearer("agent-1"), "/some.Service/Method")
  ).ended;
  expect(seen[0]).toEqual({ replica: "i:pod-1", agent: undefined });
  expect(seen[1]).toEqual({ replica: expect.stringMatching(/^s:\d+$/), agent: undefined });
});

test("plain HTTP/1.1 gets 426, and a connection with invalid bytes is closed", async () => {
  const kas = await kasOf();
  const url = kas.agentUrl.replace("grpc:", "http:");
  expect((await fetch(url)).status).toBe(426);
  const port = Number(new URL(url).port);
  const socket = connectTcp(port, "127.0.0.1", () => socket.write("\u0000\u0001rubbish\r\n\r\n"));
  await new Promise((resolve) =>
    socket
      .on("close", resolve)
      .on("error", () => undefined)
      .resume(),
  );
  const { ended } = await streamOf(kas.agentUrl, new Map());
  expect((await ended).code).toBe(16);
});

test("a port that is taken is named together with the listener", async () => {
  const kas = await kasOf();
  const port = Number(new URL(kas.agentUrl.replace("grpc:", "http:")).port);
  const opening = openAgentListener({
    listen: { host: "127.0.0.1", port },
    clock: systemClock,
    log: createLogger("test", "silent"),
    authenticator: testAuthenticator,
    registry: new TunnelRegistry(),
    ledger: new ByteLedger({ processBytes: MIB, agentBytes: MIB, userBytes: MIB }),
    connectHandler: () => undefined,
  });
  await expect(opening).rejects.toThrow(new RegExp(`^agent listener cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`));
});

test.each(["grpcs", "wss"])("T26: %s works with the certificate of the listener, and not without trusting it", async (scheme) => {
  const tls = selfSigned();
  const kas = await kasOf({ tls });
  const url = scheme === "wss" ? kas.webSocketUrl : kas.agentUrl;
  const onCall = (call: FakeAgentCall): void => {
    call.header();
    call.finish();
  };
  const agent = await FakeAgent.connect(url, { token: "agent-1", onCall, ca: tls.cert });
  onTestFinished(() => agent.stop());
  const listener = new RecordingListener();
  await kas.router.open(
    { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal },
    listener,
  );
  expect(await listener.ended).toMatchObject({ code: 0 });
  await expect(FakeAgent.connect(url, { token: "agent-1", onCall })).rejects.toMatchObject({ reason: "peer_unreachable" });
});

test("a token that is revoked loses its open tunnels within five minutes; an unavailable main application costs nothing", async () => {
  const clock = new ManualClock();
  let answer: "good" | "away" | "revoked" = "good";
  let checks = 0;
  const authenticator = {
    authenticate(authorization: string | undefined, signal: AbortSignal) {
      checks += 1;
      if (answer === "away") return Promise.reject(new Fault("main_application_unavailable", "away"));
      if (answer === "revoked") return Promise.reject(new Fault("token_unknown", "unauthenticated"));
      return testAuthenticator.authenticate(authorization, signal);
    },
  };
  const kas = await startTestKas({ clock, authenticator, keepAliveMs: 3_600_000 });
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", onCall: () => undefined });
  await until(() => kas.registry.counts().idle === 1);
  answer = "away";
  clock.advance(300_000);
  await until(() => checks === 2);
  expect(kas.registry.counts().idle).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  answer = "revoked";
  clock.advance(300_000);
  await until(() => agent.ends.length === 1);
  expect(agent.ends[0]?.code).toBe(16);
  const stopped = kas.stop();
  agent.stop();
  await stopped;
});

test("an agent that answers an upload and never reads the rest gets its slot back after five seconds", async () => {
  const clock = new ManualClock();
  const kas = await startTestKas({ clock, keepAliveMs: 3_600_000 });
  const calls: FakeAgentCall[] = [];
  const onCall = (call: FakeAgentCall): void => {
    calls.push(call);
    call.stream.pause();
    call.header();
  };
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", onCall });
  await until(() => kas.registry.counts().idle === 1);
  const listener = new RecordingListener();
  const call = await kas.router.open(
    { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal },
    listener,
  );
  for (let written = 0; written < 2 * MIB; written += 64 * 1024) call.write([Buffer.alloc(64 * 1024)]);
  await until(() => calls.length === 1);
  calls[0]?.finish();
  expect(await listener.ended).toMatchObject({ code: 0 });
  expect(agent.ends).toEqual([]);
  clock.advance(5_000);
  await until(() => agent.ends.length === 1 && kas.registry.counts().idle === 1);
  expect(agent.ends[0]?.code).toBe(1);
  const stopped = kas.stop();
  agent.stop();
  await stopped;
});
