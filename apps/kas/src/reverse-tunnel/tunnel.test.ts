import { ConnectRequestSchema } from "@binnacle/proto/reverse-tunnel";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";

import type { AgentCall, SilentParty } from "../agent-call/agent-call.ts";
import { FakeTunnelStream } from "./testing/fake-tunnel-stream.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { Tunnel, type TunnelHost } from "./tunnel.ts";

type Msg = NonNullable<MessageInitShape<typeof ConnectRequestSchema>["msg"]>;

const DESCRIPTOR: Msg = { case: "descriptor", value: { agentDescriptor: { services: [{ name: "s.S", methods: [{ name: "M" }] }] } } };
const HEADER: Msg = { case: "header", value: { meta: { k: { value: ["v"] } } } };
const MESSAGE: Msg = { case: "message", value: { data: Buffer.from("hello") } };
const TRAILER: Msg = { case: "trailer", value: { meta: { t: { value: ["1"] } } } };
const ERROR: Msg = { case: "error", value: { status: { code: 7, message: "no" } } };

let stream: FakeTunnelStream;
let tunnel: Tunnel;
let listener: RecordingListener;
let done: number;
let violations: string[];
/** Waits that have begun: their limit, and the callback for silence; `undefined` once they have ended. */
let waits: ({ readonly limitMs: number; readonly silent: (who: SilentParty) => void } | undefined)[];

beforeEach(() => createTunnel());

function createTunnel(changes: Partial<TunnelHost> = {}): void {
  stream = new FakeTunnelStream();
  listener = new RecordingListener();
  done = 0;
  violations = [];
  waits = [];
  tunnel = new Tunnel(
    {
      agentId: 1n,
      replica: "i:a",
      can: () => false,
      awaitAnswer: (limitMs, silent) => {
        const index = waits.push({ limitMs, silent }) - 1;
        return () => (waits[index] = undefined);
      },
      onReady: () => undefined,
      onDone: () => (done += 1),
      onViolation: (fault) => violations.push(fault.reason),
      ...changes,
    },
    stream,
  );
}

function receive(...frames: readonly Msg[]): void {
  for (const msg of frames) tunnel.receive(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg })));
}

function started(signal: AbortSignal = new AbortController().signal, answerWithinMs?: number): AgentCall {
  receive(DESCRIPTOR);
  tunnel.reserve();
  const metadata = new Map([
    ["traceparent", ["00-1"]],
    ["authorization", ["Bearer canary"]],
    ["kas-hop-routing-agent-id", ["1"]],
    ["cookie", ["canary"]],
  ]);
  return tunnel.start({ method: "/s.S/M", metadata, signal, hops: 0, answerWithinMs }, listener);
}

test("goes from accepted over ready, reserved and started to half-closed and done", async () => {
  expect(tunnel.state).toBe("accepted");
  receive(DESCRIPTOR);
  expect(tunnel.state).toBe("ready");
  tunnel.reserve();
  expect(tunnel.state).toBe("reserved");
  const call = tunnel.start({ method: "/s.S/M", metadata: new Map(), signal: new AbortController().signal, hops: 0 }, listener);
  expect(tunnel.state).toBe("started");
  call.closeSend();
  expect(tunnel.state).toBe("half-closed");
  receive(HEADER, MESSAGE, TRAILER);
  tunnel.halfClosed();
  expect(tunnel.state).toBe("done");
  expect(await listener.ended).toMatchObject({ code: 0, trailer: new Map([["t", ["1"]]]) });
  expect(listener.messages).toEqual(["hello"]);
  expect(stream.ends).toEqual([{ code: 0, message: "" }]);
  expect(done).toBe(1);
});

test("serves what its descriptor names, by service and method", () => {
  receive(DESCRIPTOR);
  const served = (method: string): boolean => tunnel.serves({ method });
  expect([served("/s.S/M"), served("/s.S/N"), served("/s.T/M")]).toEqual([true, false, false]);
  expect(tunnel.serves({ method: "/s.S/M", impersonation: true })).toBe(false);
});

test("T31: the agent sees allow-listed metadata and nothing else", () => {
  started();
  expect(stream.sent).toMatchObject([{ case: "requestInfo", value: { methodName: "/s.S/M" } }]);
  const info = stream.sent[0];
  expect(info?.case === "requestInfo" && Object.keys(info.value.meta)).toEqual(["traceparent"]);
});

test("messages go to the agent in pieces and arrive as one, and nothing after closeSend", () => {
  const call = started();
  call.write([Buffer.from("a"), Buffer.from("bc")]);
  call.closeSend();
  call.write([Buffer.from("late")]);
  call.closeSend();
  expect(stream.sent.slice(1)).toMatchObject([{ case: "message", value: { data: Buffer.from("abc") } }, { case: "closeSend" }]);
});

test("the caller is notified when the stream is full, and when it has room again", () => {
  const call = started();
  stream.room = false;
  let drains = 0;
  call.onDrain(() => (drains += 1));
  expect(call.write([Buffer.from("x")])).toBe(false);
  stream.drained();
  expect(drains).toBe(1);
});

test("pause and resume reach the stream of the agent", () => {
  const call = started();
  call.pause();
  expect(stream.paused).toBe(true);
  call.resume();
  expect(stream.paused).toBe(false);
});

test("an error straight after the request is a legal answer and keeps its code", async () => {
  started();
  receive(ERROR);
  tunnel.halfClosed();
  expect(await listener.ended).toMatchObject({ code: 7, message: "no" });
  expect(violations).toEqual([]);
});

test("an error after the trailer is the status of the call, with that trailer", async () => {
  started();
  receive(HEADER, TRAILER, ERROR);
  tunnel.halfClosed();
  expect(await listener.ended).toMatchObject({ code: 7, trailer: new Map([["t", ["1"]]]) });
});

test("KS9: the stage of a call is its progress: unseen by the agent, sent, answered", async () => {
  const stages: string[] = [];
  for (const frames of [[], [HEADER]]) {
    started();
    receive(...frames);
    tunnel.closed();
    stages.push((await listener.ended).stage);
    createTunnel();
  }
  receive(DESCRIPTOR);
  tunnel.reserve();
  stream.ended = true;
  tunnel.start({ method: "/s.S/M", metadata: new Map(), signal: new AbortController().signal, hops: 0 }, listener);
  tunnel.closed();
  stages.push((await listener.ended).stage);
  expect(stages).toEqual(["started", "answered", "not_started"]);
});

test.each(["agent", "cluster"] as const)(
  "US6: a call that must be answered soon ends when the %s keeps silent, as one that was started",
  async (who) => {
    started(undefined, 6_000);
    expect(waits[0]?.limitMs).toBe(6_000);
    waits[0]?.silent(who);
    expect(await listener.ended).toMatchObject({ code: 14, silent: who, stage: "started" });
    expect([stream.resets, tunnel.state, done]).toEqual([1, "done", 1]);
    tunnel.closed();
  },
);

test("US6: the wait for an answer ends when the call is answered, cancelled or broken, and there is none without a limit", () => {
  const ends: ((call: AgentCall) => void)[] = [() => receive(HEADER), (call) => call.cancel(), () => tunnel.closed()];
  for (const end of ends) {
    const call = started(undefined, 6_000);
    expect(waits).toHaveLength(1);
    end(call);
    expect(waits).toEqual([undefined]);
    createTunnel();
  }
  started();
  expect(waits).toEqual([]);
});

test("cancel resets the stream and ends the call at once, as cancelled", async () => {
  const call = started();
  call.cancel();
  call.cancel();
  expect(stream.resets).toBe(1);
  expect(stream.ends).toEqual([]);
  expect(tunnel.state).toBe("done");
  expect(await listener.ended).toMatchObject({ code: 1 });
});

test("the caller's signal cancels, also when it had aborted before", async () => {
  const left = new AbortController();
  left.abort();
  started(left.signal);
  expect(tunnel.state).toBe("done");
  expect(stream.resets).toBe(1);
  expect(await listener.ended).toMatchObject({ code: 1 });
});

test("the end of the agent's connection breaks the call", async () => {
  started();
  receive(HEADER);
  tunnel.closed();
  tunnel.closed();
  expect(await listener.ended).toMatchObject({ code: 14, message: "the tunnel broke" });
  expect(done).toBe(1);
});

test("a reserved tunnel that is lost is reported, and one that was given back is not", () => {
  let lost = 0;
  receive(DESCRIPTOR);
  tunnel.reserve();
  tunnel.onLost(() => (lost += 1));
  expect(tunnel.unreserve()).toBe(true);
  tunnel.reserve();
  tunnel.onLost(() => (lost += 10));
  tunnel.closed();
  expect(lost).toBe(10);
  expect(tunnel.unreserve()).toBe(false);
});

test("an idle tunnel the agent closes ends normally", () => {
  receive(DESCRIPTOR);
  tunnel.halfClosed();
  expect(tunnel.state).toBe("done");
  expect(stream.ends).toEqual([{ code: 0, message: "" }]);
  expect(violations).toEqual([]);
});

test("KS1, A8: a call that crosses the end of an idle tunnel of our agent was not started", async () => {
  createTunnel({ poolMaximum: 100 });
  started();
  tunnel.halfClosed();
  expect(await listener.ended).toMatchObject({ code: 14, stage: "not_started" });
  expect(violations).toEqual([]);
});

test("A8: an agent that is not ours and ends a call without an answer may have started it", async () => {
  started();
  tunnel.halfClosed();
  expect(await listener.ended).toMatchObject({ code: 14, stage: "started" });
  expect(violations).toEqual(["frame_order"]);
});

test("retire ends an idle tunnel and leaves a running call alone", () => {
  started();
  tunnel.retire();
  expect(tunnel.state).toBe("started");
  expect(stream.ends).toEqual([]);
});

const ILLEGAL: readonly { readonly title: string; readonly before: readonly Msg[]; readonly bad: Msg }[] = [
  { title: "a second descriptor", before: [], bad: DESCRIPTOR },
  { title: "a message before the header", before: [], bad: MESSAGE },
  { title: "a trailer before the header", before: [], bad: TRAILER },
  { title: "a second header", before: [HEADER], bad: HEADER },
  { title: "an error after a message", before: [HEADER, MESSAGE], bad: ERROR },
  { title: "a message after the trailer", before: [HEADER, TRAILER], bad: MESSAGE },
  { title: "an error without a status", before: [], bad: { case: "error", value: {} } },
];

test.each(ILLEGAL)("$title ends the tunnel as invalid_argument", async ({ before, bad }) => {
  started();
  receive(...before, bad);
  expect(tunnel.state).toBe("done");
  expect(stream.ends[0]?.code).toBe(3);
  expect(violations).toEqual(["frame_order"]);
  expect(await listener.ended).toMatchObject({ code: 14 });
});

test.each([
  { title: "bytes that are no message", bytes: Buffer.from([0xff, 0xff, 0xff]) },
  { title: "an empty message", bytes: Buffer.alloc(0) },
])("$title ends the tunnel as invalid_argument", ({ bytes }) => {
  started();
  tunnel.receive(bytes);
  expect(stream.ends[0]?.code).toBe(3);
});

test("an answer without a request ends the tunnel", () => {
  receive(DESCRIPTOR, HEADER);
  expect(stream.ends[0]?.code).toBe(3);
  expect(violations).toEqual(["frame_order"]);
});

test("the end in the middle of an answer breaks the call", async () => {
  started();
  receive(HEADER, MESSAGE);
  tunnel.halfClosed();
  expect(await listener.ended).toMatchObject({ code: 14 });
  expect(violations).toEqual(["frame_order"]);
});

test("a descriptor with more than 256 services is refused", () => {
  const services = Array.from({ length: 257 }, (_, index) => ({ name: `s${index}`, methods: [] }));
  receive({ case: "descriptor", value: { agentDescriptor: { services } } });
  expect(tunnel.state).toBe("done");
  expect(stream.ends[0]?.code).toBe(3);
});

test("what comes after the end is ignored", () => {
  started().cancel();
  receive(HEADER, DESCRIPTOR);
  tunnel.halfClosed();
  expect(violations).toEqual([]);
  expect(done).toBe(1);
});
