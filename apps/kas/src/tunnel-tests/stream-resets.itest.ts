import { connect, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";

import { encodeFrame } from "@binnacle/grpc-wire";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { HOP_METHOD_KEY } from "../kas-routing/gateway-frames.ts";
import { HopTokens } from "../kas-routing/hop-token.ts";
import { encodeWait, TUNNEL_WAITS_PATH } from "../kas-routing/wait-frames.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, FakeAgent, frameOf } from "../testing/fake-agent.ts";
import { INTERNAL_SECRET, startTestKas, testAuthenticator, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { ProcessErrors } from "../testing/process-errors.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";

/** Every code of RFC 9113 §7. */
const RST_CODES = Array.from({ length: 14 }, (_, code) => code);

let kas: TestKas;
/** Another one for each code: who breaks the rules of a tunnel often is not let in any more. */
let agentId: bigint;
let errors: ProcessErrors;
/** Answers of the main application that wait for the test. */
let held: (() => void)[];
let holding: boolean;
const cleanUps: (() => void)[] = [];
beforeEach(async () => {
  agentId = 1n;
  held = [];
  holding = false;
  errors = new ProcessErrors();
  kas = await startTestKas({
    authenticator: {
      async authenticate(authorization, signal) {
        if (holding) await new Promise<void>((resolve) => held.push(resolve));
        return testAuthenticator.authenticate(authorization, signal);
      },
    },
  });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  await kas.stop();
  errors.stop();
});

function sessionTo(url: string): ClientHttp2Session {
  const session = connect(url.replace("grpc:", "http:"));
  session.on("error", () => undefined);
  cleanUps.push(() => session.destroy());
  return session;
}

function openStream(session: ClientHttp2Session, headers: Readonly<Record<string, string>>): ClientHttp2Stream {
  const stream = session.request({ ":method": "POST", "content-type": "application/grpc", te: "trailers", ...headers });
  stream.on("error", () => undefined);
  stream.resume();
  return stream;
}

function openTunnel(session: ClientHttp2Session, token = `agent-${agentId}`): ClientHttp2Stream {
  return openStream(session, { ":path": CONNECT_PATH, authorization: `Bearer ${token}` });
}

const descriptor = (): Buffer => {
  const services = [{ name: "test.Echo", methods: [{ name: "Echo" }] }];
  return Buffer.concat(frameOf({ case: "descriptor", value: { agentDescriptor: { services } } }));
};

async function openIdleTunnel(session: ClientHttp2Session): Promise<ClientHttp2Stream> {
  const stream = openTunnel(session);
  stream.write(descriptor());
  await until(() => kas.registry.counts().idle === 1);
  return stream;
}

const call = () => {
  const listener = new RecordingListener();
  const request = { agentId, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal };
  return { listener, opened: kas.router.open(request, listener) };
};

/** After an attack nothing of it is left, and a neighbour is served. @returns what would have ended the process */
async function harmDone(session: ClientHttp2Session): Promise<readonly unknown[]> {
  agentId += 1n;
  await until(() => kas.registry.counts().open === 0 && kas.registry.counts().waiting === 0);
  expect(session.destroyed).toBe(false);
  const neighbour = await FakeAgent.connect(kas.agentUrl, {
    token: `agent-${agentId}`,
    onCall: (tunnel) => {
      tunnel.header();
      tunnel.finish();
    },
  });
  const { listener, opened } = call();
  await opened;
  expect(await listener.ended).toMatchObject({ code: 0 });
  neighbour.stop();
  await until(() => kas.registry.counts().open === 0 && kas.registry.counts().agents === 0);
  return errors.seen;
}

/** The main application answers only after the reset has come. */
async function resetWhileChecked(stream: ClientHttp2Stream, rstCode: number): Promise<void> {
  holding = true;
  stream.write(descriptor());
  await until(() => held.length === 1);
  stream.close(rstCode);
  await new Promise((resolve) => stream.session?.ping(resolve));
  for (const answer of held.splice(0)) answer();
  holding = false;
}

const TUNNEL_STATES: Readonly<Record<string, (session: ClientHttp2Session, rstCode: number) => Promise<void>>> = {
  "while its good token is checked": (session, rstCode) => resetWhileChecked(openTunnel(session), rstCode),
  "while its bad token is checked": (session, rstCode) => resetWhileChecked(openTunnel(session, "unknown"), rstCode),
  async "before its descriptor"(session, rstCode) {
    const stream = openTunnel(session);
    await new Promise((resolve) => stream.once("response", resolve));
    stream.close(rstCode);
  },
  async "while it is idle"(session, rstCode) {
    const stream = await openIdleTunnel(session);
    stream.close(rstCode);
  },
  async "while it is reserved"(session, rstCode) {
    const stream = await openIdleTunnel(session);
    const reserved = kas.registry.reserve({ agentId, method: ECHO, impersonation: false, context: contextOf() });
    expect(reserved).toBeDefined();
    stream.close(rstCode);
  },
  async "in the middle of a call"(session, rstCode) {
    const stream = await openIdleTunnel(session);
    const { listener, opened } = call();
    await opened;
    stream.close(rstCode);
    await listener.ended;
  },
  async "while a call has stalled it"(session, rstCode) {
    const stream = await openIdleTunnel(session);
    stream.pause();
    const { listener, opened } = call();
    const started = await opened;
    let room = true;
    while (room) room = started.write([Buffer.alloc(64 * 1024)]);
    stream.write(Buffer.concat(frameOf({ case: "header", value: { meta: {} } })));
    stream.write(Buffer.concat(frameOf({ case: "message", value: { data: new Uint8Array(100) } })));
    await listener.nextMessage();
    started.pause();
    stream.close(rstCode);
    await listener.ended;
  },
  async "while kas ends it"(session, rstCode) {
    const stream = await openIdleTunnel(session);
    const { listener, opened } = call();
    await opened;
    stream.write(Buffer.concat(frameOf({ case: "header", value: { meta: {} } })));
    stream.write(Buffer.concat(frameOf({ case: "trailer", value: { meta: {} } })));
    stream.end();
    stream.close(rstCode);
    await listener.ended;
  },
  async "after kas has refused its bytes"(session, rstCode) {
    const stream = openTunnel(session);
    stream.write(Buffer.concat(frameOf({ case: "trailer", value: { meta: {} } })));
    stream.write(Buffer.alloc(100_000));
    stream.close(rstCode);
    await new Promise((resolve) => session.ping(resolve));
  },
};

test.each(Object.keys(TUNNEL_STATES))("KB1, T13: a tunnel that is reset with any code %s harms no other client", async (state) => {
  const session = sessionTo(kas.agentUrl);
  for (const rstCode of RST_CODES) {
    agentId += 1n;
    await TUNNEL_STATES[state]?.(session, rstCode);
    await until(() => kas.registry.counts().open === 0);
  }
  expect(await harmDone(session)).toEqual([]);
});

const hopTokens = new HopTokens({ secrets: [INTERNAL_SECRET], kasId: "caller", clock: systemClock });

const hop = (session: ClientHttp2Session, path = ECHO): ClientHttp2Stream =>
  openStream(session, {
    ":path": path,
    authorization: hopTokens.sign(kas.kasId, agentId),
    "kas-hop-routing-agent-id": String(agentId),
    [HOP_METHOD_KEY]: ECHO,
  });

const GATEWAY_STATES: Readonly<Record<string, (session: ClientHttp2Session, rstCode: number) => Promise<void>>> = {
  async "while its token is checked"(session, rstCode) {
    const stream = hop(session);
    stream.write(Buffer.alloc(1_000));
    if (stream.pending) await new Promise<void>((resolve) => stream.once("ready", resolve));
    stream.close(rstCode);
  },
  async "while its forged token is checked"(session, rstCode) {
    const stream = openStream(session, { ":path": ECHO, authorization: "Bearer a.b.c", "kas-hop-routing-agent-id": String(agentId) });
    if (stream.pending) await new Promise<void>((resolve) => stream.once("ready", resolve));
    stream.close(rstCode);
  },
  async "after the answer that there is no tunnel"(session, rstCode) {
    const stream = hop(session);
    stream.write(Buffer.concat(encodeFrame([])));
    stream.write(Buffer.concat(encodeFrame([Buffer.from("early")])));
    await new Promise((resolve) => stream.once("data", resolve));
    stream.close(rstCode);
  },
  async "while its callers wait for a tunnel"(session, rstCode) {
    const stream = hop(session, TUNNEL_WAITS_PATH);
    stream.write(Buffer.concat(encodeFrame([encodeWait({ kind: "wait", id: 1, context: "" })])));
    await until(() => kas.registry.counts().waiting === 1);
    stream.close(rstCode);
  },
};

test.each(Object.keys(GATEWAY_STATES))(
  "KB1, T13: a call of another kas that is reset with any code %s harms no other client",
  async (state) => {
    const session = sessionTo(kas.internalUrl);
    for (const rstCode of RST_CODES) {
      agentId += 1n;
      await GATEWAY_STATES[state]?.(session, rstCode);
      await new Promise((resolve) => session.ping(resolve));
      await until(() => kas.registry.counts().waiting === 0);
    }
    expect(await harmDone(session)).toEqual([]);
  },
);

const GATEWAY_CALL_STATES: Readonly<Record<string, (stream: ClientHttp2Stream) => Promise<void> | void>> = {
  "while its tunnel is reserved": () => undefined,
  async "in the middle of the call"(stream) {
    stream.write(Buffer.concat(encodeFrame([])));
    await until(() => kas.registry.counts().idle === 0);
  },
  "while it ends": (stream) => {
    stream.write(Buffer.concat(encodeFrame([])));
    stream.end();
  },
};

test.each(Object.keys(GATEWAY_CALL_STATES))(
  "KB1, T13: a routed call that is reset with any code %s gives its tunnel back",
  async (state) => {
    const session = sessionTo(kas.internalUrl);
    for (const rstCode of RST_CODES) {
      agentId += 1n;
      const agent = await FakeAgent.connect(kas.agentUrl, {
        token: `agent-${agentId}`,
        onCall: (tunnel) => {
          tunnel.header();
          tunnel.onCloseSend = () => tunnel.finish();
        },
      });
      await until(() => kas.registry.counts().idle === 1);
      const stream = hop(session);
      await new Promise((resolve) => stream.once("data", resolve));
      await GATEWAY_CALL_STATES[state]?.(stream);
      stream.close(rstCode);
      await until(() => kas.registry.counts().idle === 1);
      agent.stop();
      await until(() => kas.registry.counts().open === 0);
    }
    expect(await harmDone(session)).toEqual([]);
  },
);
