import { PassThrough } from "node:stream";

import { settle } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { ExchangeBench } from "./testing/exchange-bench.ts";
import { MAX_DROP_MS } from "./dropped-rest.ts";

let bench: ExchangeBench;
beforeEach(() => {
  bench = new ExchangeBench();
});

describe("silence", () => {
  test("KS7, T14: an agent that does not begin to answer is cut after 70 s", async () => {
    const { sink } = await bench.open();
    bench.clock.advance(69_999);
    expect(sink.heard).toEqual([]);
    bench.clock.advance(1);
    expect(sink.failure).toMatchObject({ fault: { reason: "agent_silent" }, stage: "started" });
    expect(sink.failure?.fault.message).toContain("70 s");
    expect(bench.callAt(0).cancelled).toBe(true);
    expect(bench.silences).toEqual(["agent_silent"]);
    await settle();
    expect(bench.router.calls).toHaveLength(1);
    bench.clock.assertIdle();
  });

  test("KS7: a request that names its time is given 10 s more", async () => {
    const { sink } = await bench.open({ query: new URLSearchParams({ timeout: "5s" }) });
    bench.clock.advance(14_999);
    expect(sink.heard).toEqual([]);
    bench.clock.advance(1);
    expect(sink.failure?.fault.reason).toBe("agent_silent");
  });

  test("KS7: a watch and an answer that has begun may be silent for ever", async () => {
    const watch = await bench.open({ class: "watch" });
    const begun = await bench.open();
    bench.callAt(-1).respond(200);
    bench.clock.advance(86_400_000);
    expect([watch.sink.heard, begun.sink.heard]).toEqual([[], ["header 200"]]);
    bench.clock.assertIdle();
  });

  test("KS7: an upload that goes on is no silence; the agent's time begins with its last byte", async () => {
    const body = new PassThrough();
    const { sink } = await bench.open({ class: "mutation", body });
    for (let minute = 0; minute < 5; minute += 1) {
      body.write("x");
      await settle();
      bench.clock.advance(59_000);
    }
    body.end("x");
    await settle();
    bench.clock.advance(69_999);
    expect(sink.heard).toEqual([]);
    bench.clock.advance(1);
    expect(sink.failure).toMatchObject({ fault: { reason: "agent_silent" }, stage: "started" });
  });

  test("KS7, T14: a client that stops in the middle of its upload is cut after 60 s", async () => {
    const body = new PassThrough();
    const { sink } = await bench.open({ class: "mutation", body });
    body.write("x");
    await settle();
    bench.clock.advance(59_999);
    expect(sink.heard).toEqual([]);
    bench.clock.advance(1);
    expect(sink.failure).toMatchObject({ fault: { reason: "upload_stalled" }, stage: "started" });
    expect(bench.silences).toEqual(["upload_stalled"]);
    expect(bench.callAt(0).cancelled).toBe(true);
    // It may still send its rest, for a while.
    bench.clock.advance(MAX_DROP_MS);
    expect(sink.heard).toEqual(["fail", "end connection"]);
    bench.clock.assertIdle();
  });

  test("KS7: an agent that takes no more of an upload is the one who is silent", async () => {
    const body = new PassThrough();
    const { sink } = await bench.open({ class: "mutation", body });
    bench.callAt(0).room = false;
    body.write("x");
    await settle();
    bench.clock.advance(60_000);
    expect(sink.heard).toEqual([]);
    bench.callAt(0).drain();
    bench.clock.advance(59_999);
    expect(sink.heard).toEqual([]);
    bench.callAt(0).room = false;
    body.write("y");
    await settle();
    bench.clock.advance(70_000);
    expect(bench.silences).toEqual(["agent_silent"]);
  });

  test("KS7, T14: a reader that takes nothing is cut after 60 s when the agent is short, else after 10 min", async () => {
    const patient = await bench.open();
    bench.callAt(-1).respond(200);
    patient.sink.room = false;
    bench.callAt(-1).data("x");
    bench.clock.advance(599_999);
    expect(patient.sink.failure).toBeUndefined();
    bench.clock.advance(1);
    expect(patient.sink.failure).toMatchObject({ fault: { reason: "reader_stalled" }, stage: "answered" });

    bench.isShort = true;
    const hurried = await bench.open({ class: "watch" });
    bench.callAt(-1).respond(200);
    hurried.sink.room = false;
    bench.callAt(-1).data("x");
    bench.clock.advance(60_000);
    expect(hurried.sink.failure?.fault.reason).toBe("reader_stalled");
    bench.clock.assertIdle();
  });

  test("KS7: a shortage that comes later cuts a reader that has stalled for long enough", async () => {
    const { sink } = await bench.open();
    bench.callAt(-1).respond(200);
    sink.room = false;
    bench.callAt(-1).data("x");
    bench.clock.advance(130_000);
    bench.isShort = true;
    bench.clock.advance(50_000);
    expect(sink.failure?.fault.reason).toBe("reader_stalled");
  });

  test("KS7: a reader that moves now and then is none that stalls", async () => {
    const { sink, exchange } = await bench.open();
    bench.isShort = true;
    bench.callAt(-1).respond(200);
    sink.room = false;
    for (let minute = 0; minute < 20; minute += 1) {
      bench.callAt(-1).data("x");
      bench.clock.advance(59_000);
      exchange.resume();
    }
    expect(sink.failure).toBeUndefined();
  });
});

test.each(["agent", "cluster"] as const)("US6: a request that the %s did not answer is not repeated", async (silent) => {
  const { sink } = await bench.open();
  bench.callAt(0).listener.end({ code: 14, message: "silence", trailer: new Map(), stage: "started", silent });
  await settle();
  expect(sink.failure).toMatchObject({ fault: { reason: `${silent}_silent`, message: "silence" }, stage: "started" });
  expect(bench.silences).toEqual([`${silent}_silent`]);
  expect(bench.router.calls).toHaveLength(1);
  bench.clock.assertIdle();
});
