import { PassThrough, Readable } from "node:stream";

import { Fault } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import type { CallClass } from "../agent-call/call-context.ts";
import { contextOf } from "../testing/call-context.ts";
import { ScriptedRouter, type ScriptedCall } from "../testing/scripted-router.ts";
import {
  openHttpExchange,
  type AnswerHead,
  type ExchangeFailure,
  type HttpExchange,
  type HttpExchangeRequest,
  type HttpExchangeSink,
} from "./http-exchange.ts";

let clock: ManualClock;
let router: ScriptedRouter;
let violations: [bigint, string][];
let silences: string[];
let isShort: boolean;

beforeEach(() => {
  clock = new ManualClock();
  router = new ScriptedRouter();
  router.onRequest = () => undefined;
  violations = [];
  silences = [];
  isShort = false;
});

/** Remembers what it is told; takes everything unless `room` is false. */
class RecordingSink implements HttpExchangeSink {
  readonly heard: string[] = [];
  room = true;
  attempts = 0;
  failure: ExchangeFailure | undefined;

  header({ status, attempts }: AnswerHead): void {
    this.attempts = attempts;
    this.heard.push(`header ${status}`);
  }

  data(body: Uint8Array): boolean {
    this.heard.push(Buffer.from(body.subarray(0, 20)).toString());
    return this.room;
  }

  end(): void {
    this.heard.push("end");
  }

  fail(failure: ExchangeFailure): void {
    this.heard.push("fail");
    this.failure = failure;
  }
}

async function open(
  changes: Partial<HttpExchangeRequest> & { readonly class?: CallClass } = {},
): Promise<{ sink: RecordingSink; exchange: HttpExchange }> {
  const sink = new RecordingSink();
  const { class: callClass = "safe", ...rest } = changes;
  const exchange = await openHttpExchange(
    {
      router,
      clock,
      isShort: () => isShort,
      onViolation: (agentId, fault) => violations.push([agentId, fault.reason]),
      onSilence: (reason) => silences.push(reason),
    },
    {
      agentId: 7n,
      context: contextOf({ class: callClass, waitMs: 20_000 }),
      signal: new AbortController().signal,
      method: callClass === "mutation" ? "POST" : "GET",
      path: "/api/v1/pods",
      query: new URLSearchParams(),
      header: {},
      ...rest,
    },
    sink,
  );
  return { sink, exchange };
}

function callAt(index: number): ScriptedCall {
  const call = router.calls.at(index);
  if (!call) throw new Error(`there is no call ${index}`);
  return call;
}

const bodyOf = (call: ScriptedCall): string =>
  call.messages.map(({ message }) => (message.case === "data" ? Buffer.from(message.value.data).toString() : "")).join("");
const textBody = (...parts: readonly string[]): Readable => Readable.from(parts.map((part) => Buffer.from(part)));

describe("an answer", () => {
  test("comes as header, data and end, and leaves no timer", async () => {
    const { sink } = await open();
    const call = callAt(-1);
    call.respond(200);
    call.data("a");
    call.finish();
    expect(sink.heard).toEqual(["header 200", "a", "end"]);
    clock.assertIdle();
  });

  test("KB3, T12, T15: an agent that answers more than it announced is cut and counted, and the rest is not heard", async () => {
    const { sink } = await open();
    const call = callAt(-1);
    call.respond(200, { "Content-Length": ["2"] });
    call.data("{}");
    call.data("HTTP/1.1 200 OK");
    call.data("more");
    expect(sink.heard).toEqual(["header 200", "{}", "fail"]);
    expect(sink.failure).toMatchObject({ fault: { reason: "answer_broken" }, stage: "answered" });
    expect(call.cancelled).toBe(true);
    expect(violations).toEqual([[7n, "answer_broken"]]);
    clock.assertIdle();
  });

  test("KB3, T15: an agent that answers less than it announced is cut and counted", async () => {
    const { sink } = await open();
    const call = callAt(-1);
    call.respond(200, { "Content-Length": ["9"] });
    call.data("{}");
    call.finish();
    expect(sink.heard).toEqual(["header 200", "{}", "fail"]);
    expect(violations).toEqual([[7n, "answer_broken"]]);
  });

  test("T15: bytes that are no message end the exchange, not the process", async () => {
    const { sink } = await open();
    callAt(-1).listener.message(Buffer.from([0xff, 0xff, 0xff]));
    expect(sink.failure).toMatchObject({ fault: { reason: "answer_broken" } });
    expect(violations).toHaveLength(1);
  });

  test("a violation is never tried again", async () => {
    await open();
    callAt(-1).data("no header");
    await settle();
    expect(router.calls).toHaveLength(1);
  });

  test("waits while the sink is full, and goes on when it has room", async () => {
    const { sink, exchange } = await open();
    const call = callAt(-1);
    call.respond(200);
    sink.room = false;
    call.data("a");
    expect(call.paused).toBe(true);
    exchange.resume();
    expect(call.paused).toBe(false);
  });

  test("gives others their turn after 128 KiB", async () => {
    await open();
    const call = callAt(-1);
    call.respond(200);
    call.data(Buffer.alloc(128 * 1024));
    expect(call.paused).toBe(true);
    await settle();
    expect(call.paused).toBe(false);
  });

  test("nothing is heard after the caller has left", async () => {
    const { sink, exchange } = await open();
    exchange.cancel();
    callAt(-1).respond(200);
    callAt(-1).fail(1, "cancelled");
    expect(sink.heard).toEqual([]);
    expect(callAt(-1).cancelled).toBe(true);
    clock.assertIdle();
  });
});

describe("attempts", () => {
  test.each(["not_started", "started"] as const)(
    "KS7: a safe request that broke %s is made again, and nobody hears of it",
    async (stage) => {
      const { sink } = await open();
      callAt(0).fail(14, "the tunnel broke", stage);
      await settle();
      callAt(0).respond(200);
      expect(sink.heard).toEqual([]);
      callAt(1).respond(200);
      callAt(1).finish();
      expect(sink.heard).toEqual(["header 200", "end"]);
      expect(sink.attempts).toBe(2);
    },
  );

  test("KS7: it is made three times at most", async () => {
    const { sink } = await open();
    for (let call = 0; call < 3; call += 1) {
      callAt(call).fail(14, "the tunnel broke");
      await settle();
    }
    expect(router.calls).toHaveLength(3);
    expect(sink.failure).toMatchObject({ fault: { reason: "tunnel_broken" }, stage: "started", attempts: 3 });
    clock.assertIdle();
  });

  test("KS7: another attempt waits for what is left of the wait, and none is made after it", async () => {
    await open();
    clock.advance(15_000);
    callAt(0).fail(14, "the tunnel broke");
    await settle();
    expect(callAt(1).request.context.waitMs).toBe(5_000);
    clock.advance(5_000);
    callAt(1).fail(14, "the tunnel broke");
    await settle();
    expect(router.calls).toHaveLength(2);
  });

  test.each([
    ["a mutation", { class: "mutation" }],
    ["a watch", { class: "watch" }],
    ["a safe request with a body", { body: textBody("x") }],
  ] as [string, Parameters<typeof open>[0]][])("KS7: %s that the agent may have seen is delivered once", async (_name, changes) => {
    const { sink } = await open(changes);
    await settle();
    callAt(0).fail(14, "the tunnel broke", "started");
    await settle();
    expect(router.calls).toHaveLength(1);
    expect(sink.failure).toMatchObject({ stage: "started", attempts: 1 });
  });

  test("KS7: a mutation that the agent never saw is made again, with its whole body", async () => {
    const { sink } = await open({ class: "mutation", body: textBody("ab", "cd") });
    await settle();
    callAt(0).fail(14, "no tunnel", "not_started");
    await settle();
    expect(bodyOf(callAt(1))).toBe("abcd");
    expect(callAt(1).messages.at(-1)?.message.case).toBe("trailer");
    expect(callAt(1).messages[0]?.message.case).toBe("header");
    callAt(1).respond(201);
    callAt(1).finish();
    expect(sink.heard).toEqual(["header 201", "end"]);
  });

  test("KS7: a body that goes on while the call is made again arrives whole and in order", async () => {
    const body = new PassThrough();
    await open({ class: "mutation", body });
    body.write("ab");
    await settle();
    callAt(0).fail(14, "no tunnel", "not_started");
    body.write("cd");
    await settle();
    body.end("ef");
    await settle();
    expect(bodyOf(callAt(1))).toBe("abcdef");
    expect(callAt(1).halfClosed).toBe(true);
  });

  test("KS7: a body of more than 64 KiB is not kept, so its call is not made again", async () => {
    const { sink } = await open({ class: "mutation", body: Readable.from([Buffer.alloc(64 * 1024 + 1)]) });
    await settle();
    callAt(0).fail(14, "no tunnel", "not_started");
    await settle();
    expect(router.calls).toHaveLength(1);
    expect(sink.failure?.stage).toBe("not_started");
  });

  test("what has begun to be answered is not made again", async () => {
    const { sink } = await open();
    callAt(0).respond(200);
    callAt(0).fail(14, "the tunnel broke", "answered");
    await settle();
    expect(router.calls).toHaveLength(1);
    expect(sink.heard).toEqual(["header 200", "fail"]);
  });

  test("an agent that refused in words is not asked again", async () => {
    await open();
    callAt(0).fail(14, "connection refused", "answered");
    await settle();
    expect(router.calls).toHaveLength(1);
  });

  test("a caller that left is not served again", async () => {
    const left = new AbortController();
    await open({ signal: left.signal });
    left.abort();
    callAt(0).fail(1, "the caller left");
    await settle();
    expect(router.calls).toHaveLength(1);
  });

  test("when no other tunnel is found the reason is said", async () => {
    const { sink } = await open();
    router.failure = new Fault("agent_not_connected", "agent 7 was not connected");
    callAt(0).fail(14, "the tunnel broke");
    await settle();
    expect(sink.failure).toMatchObject({ fault: { reason: "agent_not_connected" }, stage: "started", attempts: 2 });
  });

  test("a call that ends before the router has handed it over is made again too", async () => {
    router.onOpen = (call) => {
      if (router.calls.length === 1) call.fail(14, "no tunnel", "not_started");
    };
    const { sink } = await open();
    await settle();
    callAt(1).respond(200);
    callAt(1).finish();
    expect(sink.heard).toEqual(["header 200", "end"]);
  });

  test("the caller may leave while another tunnel is looked for", async () => {
    const { exchange, sink } = await open();
    callAt(0).fail(14, "the tunnel broke");
    exchange.cancel();
    await settle();
    expect(callAt(1).cancelled).toBe(true);
    expect(callAt(1).messages).toHaveLength(0);
    expect(sink.heard).toEqual([]);
    clock.assertIdle();
  });
});

describe("silence", () => {
  test("KS7, T14: an agent that does not begin to answer is cut after 70 s", async () => {
    const { sink } = await open();
    clock.advance(69_999);
    expect(sink.heard).toEqual([]);
    clock.advance(1);
    expect(sink.failure).toMatchObject({ fault: { reason: "agent_silent" }, stage: "started" });
    expect(sink.failure?.fault.message).toContain("70 s");
    expect(callAt(0).cancelled).toBe(true);
    expect(silences).toEqual(["agent_silent"]);
    await settle();
    expect(router.calls).toHaveLength(1);
    clock.assertIdle();
  });

  test("KS7: a request that names its time is given 10 s more", async () => {
    const { sink } = await open({ query: new URLSearchParams({ timeout: "5s" }) });
    clock.advance(14_999);
    expect(sink.heard).toEqual([]);
    clock.advance(1);
    expect(sink.failure?.fault.reason).toBe("agent_silent");
  });

  test("KS7: a watch and an answer that has begun may be silent for ever", async () => {
    const watch = await open({ class: "watch" });
    const begun = await open();
    callAt(-1).respond(200);
    clock.advance(86_400_000);
    expect([watch.sink.heard, begun.sink.heard]).toEqual([[], ["header 200"]]);
    clock.assertIdle();
  });

  test("KS7: an upload that goes on is no silence; the agent's time begins with its last byte", async () => {
    const body = new PassThrough();
    const { sink } = await open({ class: "mutation", body });
    for (let minute = 0; minute < 5; minute += 1) {
      body.write("x");
      await settle();
      clock.advance(59_000);
    }
    body.end("x");
    await settle();
    clock.advance(69_999);
    expect(sink.heard).toEqual([]);
    clock.advance(1);
    expect(sink.failure).toMatchObject({ fault: { reason: "agent_silent" }, stage: "started" });
  });

  test("KS7, T14: a client that stops in the middle of its upload is cut after 60 s", async () => {
    const body = new PassThrough();
    const { sink } = await open({ class: "mutation", body });
    body.write("x");
    await settle();
    clock.advance(59_999);
    expect(sink.heard).toEqual([]);
    clock.advance(1);
    expect(sink.failure).toMatchObject({ fault: { reason: "upload_stalled" }, stage: "started" });
    expect(silences).toEqual(["upload_stalled"]);
    expect(callAt(0).cancelled).toBe(true);
    clock.assertIdle();
  });

  test("KS7: an agent that takes no more of an upload is the one who is silent", async () => {
    const body = new PassThrough();
    const { sink } = await open({ class: "mutation", body });
    callAt(0).room = false;
    body.write("x");
    await settle();
    clock.advance(60_000);
    expect(sink.heard).toEqual([]);
    callAt(0).drain();
    clock.advance(59_999);
    expect(sink.heard).toEqual([]);
    callAt(0).room = false;
    body.write("y");
    await settle();
    clock.advance(70_000);
    expect(silences).toEqual(["agent_silent"]);
  });

  test("KS7, T14: a reader that takes nothing is cut after 60 s when the agent is short, else after 10 min", async () => {
    const patient = await open();
    callAt(-1).respond(200);
    patient.sink.room = false;
    callAt(-1).data("x");
    clock.advance(599_999);
    expect(patient.sink.failure).toBeUndefined();
    clock.advance(1);
    expect(patient.sink.failure).toMatchObject({ fault: { reason: "reader_stalled" }, stage: "answered" });

    isShort = true;
    const hurried = await open({ class: "watch" });
    callAt(-1).respond(200);
    hurried.sink.room = false;
    callAt(-1).data("x");
    clock.advance(60_000);
    expect(hurried.sink.failure?.fault.reason).toBe("reader_stalled");
    clock.assertIdle();
  });

  test("KS7: a shortage that comes later cuts a reader that has stalled for long enough", async () => {
    const { sink } = await open();
    callAt(-1).respond(200);
    sink.room = false;
    callAt(-1).data("x");
    clock.advance(130_000);
    isShort = true;
    clock.advance(50_000);
    expect(sink.failure?.fault.reason).toBe("reader_stalled");
  });

  test("KS7: a reader that moves now and then is none that stalls", async () => {
    const { sink, exchange } = await open();
    isShort = true;
    callAt(-1).respond(200);
    sink.room = false;
    for (let minute = 0; minute < 20; minute += 1) {
      callAt(-1).data("x");
      clock.advance(59_000);
      exchange.resume();
    }
    expect(sink.failure).toBeUndefined();
  });
});
