import { PassThrough } from "node:stream";

import { settle } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { ExchangeBench } from "./testing/exchange-bench.ts";
import type { ScriptedCall } from "../agent-call/testing/scripted-router.ts";
import { MAX_DROPPED_BYTES, MAX_DROP_MS } from "./dropped-rest.ts";

let bench: ExchangeBench;
let body: PassThrough;
beforeEach(() => {
  bench = new ExchangeBench();
  // It holds what the client sends, as its connection does.
  body = new PassThrough({ highWaterMark: 8 * MAX_DROPPED_BYTES });
});

const GO_ERROR = "gRPC -> HTTP: request body write: io: read/write on closed pipe";
const kinds = (call: ScriptedCall): (string | undefined)[] => call.messages.map(({ message }) => message.case);

/** A change whose client has sent a part of its body. */
async function upload() {
  const opened = await bench.open({ class: "mutation", body });
  body.write("part");
  await settle();
  return { ...opened, call: bench.callAt(0) };
}

describe("an answer that comes before the request was read", () => {
  test.each([301, 401, 403, 413, 429, 500])("%i is the answer, and the request ends in order instead of being sent on", async (status) => {
    const { sink, call } = await upload();
    call.respond(status, { "Content-Length": ["2"] });
    body.write("more");
    await settle();
    expect(kinds(call)).toEqual(["header", "data"]);
    call.data("no");
    call.listener.message(TRAILER);
    expect(sink.heard).toEqual([`header ${status}`, "no", "end"]);
    expect(kinds(call)).toEqual(["header", "data", "trailer"]);
    expect([call.halfClosed, call.cancelled]).toEqual([true, false]);
    call.fail(14, GO_ERROR, "answered");
    body.end("rest");
    await settle();
    expect(sink.heard).toEqual([`header ${status}`, "no", "end"]);
    bench.clock.assertIdle();
  });

  test("a success does not end the request: its server may read on while it answers", async () => {
    const { sink, call } = await upload();
    call.respond(200);
    body.write("more");
    await settle();
    expect(kinds(call)).toEqual(["header", "data", "data"]);
    body.end();
    await settle();
    call.finish();
    expect(sink.heard).toEqual(["header 200", "end"]);
    bench.clock.assertIdle();
  });

  test("the trailer is sent also when the client has ended its body by itself meanwhile", async () => {
    const { sink, call } = await upload();
    call.respond(403);
    body.end("rest");
    await settle();
    expect([kinds(call), call.halfClosed]).toEqual([["header", "data"], false]);
    call.listener.message(TRAILER);
    expect([kinds(call), call.halfClosed]).toEqual([["header", "data", "trailer"], true]);
    expect(sink.heard).toEqual(["header 403", "end"]);
    call.listener.end({ code: 0, message: "", trailer: new Map(), stage: "answered" });
    bench.clock.assertIdle();
  });

  test("an agent that does not end its call after its answer is cancelled", async () => {
    const { call } = await upload();
    call.respond(403);
    call.listener.message(TRAILER);
    body.end();
    await settle();
    bench.clock.advance(4_999);
    expect(call.cancelled).toBe(false);
    bench.clock.advance(1);
    expect(call.cancelled).toBe(true);
    bench.clock.assertIdle();
  });
});

describe("a call that fails after its answer", () => {
  test.each([
    ["the end was marked", {}, true],
    ["all bytes that were announced have come", { "Content-Length": ["2"] }, false],
  ])("is the answer when %s, whatever the status of the call", async (_name, header, isMarked) => {
    const { sink } = await bench.open();
    const call = bench.callAt(0);
    call.respond(403, header);
    call.data("no");
    if (isMarked) call.listener.message(TRAILER);
    call.fail(14, GO_ERROR, "answered");
    expect(sink.heard).toEqual(["header 403", "no", "end"]);
    bench.clock.assertIdle();
  });

  test.each([
    ["a byte is missing", { "Content-Length": ["3"] }],
    ["its length is unknown", {}],
  ])("is broken when %s, and is not made again", async (_name, header) => {
    const { sink } = await bench.open();
    const call = bench.callAt(0);
    call.respond(403, header);
    call.data("no");
    call.fail(14, GO_ERROR, "answered");
    await settle();
    expect(sink.heard).toEqual(["header 403", "no", "fail"]);
    expect(sink.failure).toMatchObject({ fault: { reason: "tunnel_broken" }, stage: "answered" });
    expect(bench.router.calls).toHaveLength(1);
  });

  test("an answer without a body is whole with its header", async () => {
    const { sink } = await bench.open({ method: "HEAD" });
    bench.callAt(0).respond(403, { "Content-Length": ["200"] });
    bench.callAt(0).fail(14, GO_ERROR, "answered");
    expect(sink.heard).toEqual(["header 403", "end"]);
  });
});

describe("T45: what a client sends after its answer", () => {
  async function answered() {
    const { sink, call } = await upload();
    call.respond(403);
    call.finish();
    return sink;
  }

  test("is thrown away up to 1 MiB, then its connection ends", async () => {
    const sink = await answered();
    body.write(Buffer.alloc(MAX_DROPPED_BYTES));
    while (body.readableLength > 0) await settle();
    expect(sink.heard).toEqual(["header 403", "end"]);
    body.write(Buffer.alloc(MAX_DROPPED_BYTES));
    await settle();
    expect(sink.heard).toEqual(["header 403", "end", "end connection"]);
    body.write("unread");
    await settle();
    expect(body.readableLength).toBe(6);
    bench.clock.assertIdle();
  });

  test("is waited for 30 s", async () => {
    const sink = await answered();
    bench.clock.advance(MAX_DROP_MS - 1);
    body.write("x");
    await settle();
    bench.clock.advance(1);
    expect(sink.heard).toEqual(["header 403", "end", "end connection"]);
    bench.clock.assertIdle();
  });

  test("leaves no timer when the client has left", async () => {
    const sink = await answered();
    body.destroy();
    await settle();
    expect(sink.heard).toEqual(["header 403", "end"]);
    bench.clock.assertIdle();
  });
});

describe("a client that waits for 100 Continue before it sends its body", () => {
  async function waiting() {
    const opened = await bench.open({ class: "mutation", body, awaitsContinue: true });
    await settle();
    return { ...opened, call: bench.callAt(0) };
  }

  test("sends it when the API server says so, and not before", async () => {
    const { sink, call } = await waiting();
    expect([kinds(call), sink.heard]).toEqual([["header"], []]);
    expect(call.request.metadata?.get("kas-caps")).toEqual(["continue"]);
    call.respond(100);
    call.respond(100);
    body.end("part");
    await settle();
    expect([kinds(call), sink.heard]).toEqual([["header", "data", "trailer"], ["continue"]]);
    call.respond(201);
    call.finish();
    expect(sink.heard).toEqual(["continue", "header 201", "end"]);
    bench.clock.assertIdle();
  });

  test("gets no 100 of kas when the agent passes on that of the server, however late that comes", async () => {
    const { sink, call } = await waiting();
    bench.clock.advance(60_000);
    expect([kinds(call), sink.heard]).toEqual([["header"], []]);
    call.respond(100);
    body.end("part");
    await settle();
    expect([kinds(call), sink.heard]).toEqual([["header", "data", "trailer"], ["continue"]]);
  });

  test("may send it after a second without a 100, and all of it reaches a server that has begun to answer", async () => {
    const { sink, call } = await waiting();
    bench.clock.advance(1_000);
    body.write("part");
    await settle();
    expect([kinds(call), sink.heard]).toEqual([["header", "data"], []]);
    call.respond(200);
    body.end("rest");
    await settle();
    expect(kinds(call)).toEqual(["header", "data", "data", "trailer"]);
    call.finish();
    expect(sink.heard).toEqual(["header 200", "end"]);
    bench.clock.assertIdle();
  });

  test("ends when the server says nothing: the exchange waited for the agent, not for the client", async () => {
    const { sink } = await waiting();
    bench.clock.advance(71_000);
    expect([sink.heard, bench.silences]).toEqual([["fail"], ["agent_silent"]]);
    body.destroy();
    await settle();
    bench.clock.assertIdle();
  });

  test("sends it after a second to an agent that cannot tell", async () => {
    bench.router.agentIsOurs = false;
    const { sink, call } = await waiting();
    bench.clock.advance(999);
    expect(sink.heard).toEqual([]);
    bench.clock.advance(1);
    expect(sink.heard).toEqual(["continue"]);
    body.end("part");
    await settle();
    expect(kinds(call)).toEqual(["header", "data", "trailer"]);
  });

  test.each([403, 200])("gets no 100 when the API server answers %i without the body", async (status) => {
    const { sink, call } = await waiting();
    call.respond(status);
    call.finish();
    expect([kinds(call), sink.heard]).toEqual([
      ["header", "trailer"],
      [`header ${status}`, "end"],
    ]);
    body.destroy();
    await settle();
    bench.clock.assertIdle();
  });

  test("a request without Expect does not announce it", async () => {
    await bench.open({ class: "mutation", body });
    expect(bench.callAt(0).request.metadata?.size).toBe(0);
  });
});

/** The empty trailer of an answer. */
const TRAILER = Uint8Array.of(0x1a, 0);
