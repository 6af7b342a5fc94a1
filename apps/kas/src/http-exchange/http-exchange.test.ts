import { settle } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { ExchangeBench } from "./testing/exchange-bench.ts";

let bench: ExchangeBench;
beforeEach(() => {
  bench = new ExchangeBench();
});

describe("an answer", () => {
  test("comes as header, data and end, and leaves no timer", async () => {
    const { sink } = await bench.open();
    const call = bench.callAt(-1);
    call.respond(200);
    call.data("a");
    call.finish();
    expect(sink.heard).toEqual(["header 200", "a", "end"]);
    bench.clock.assertIdle();
  });

  test("KB3, T12, T15: an agent that answers more than it announced is cut and counted, and the rest is not heard", async () => {
    const { sink } = await bench.open();
    const call = bench.callAt(-1);
    call.respond(200, { "Content-Length": ["2"] });
    call.data("{}");
    call.data("HTTP/1.1 200 OK");
    call.data("more");
    expect(sink.heard).toEqual(["header 200", "{}", "fail"]);
    expect(sink.failure).toMatchObject({ fault: { reason: "answer_broken" }, stage: "answered" });
    expect(call.cancelled).toBe(true);
    expect(bench.violations).toEqual([[7n, "answer_broken"]]);
    bench.clock.assertIdle();
  });

  test("KB3, T15: an agent that answers less than it announced is cut and counted", async () => {
    const { sink } = await bench.open();
    const call = bench.callAt(-1);
    call.respond(200, { "Content-Length": ["9"] });
    call.data("{}");
    call.finish();
    expect(sink.heard).toEqual(["header 200", "{}", "fail"]);
    expect(bench.violations).toEqual([[7n, "answer_broken"]]);
  });

  test("T15: bytes that are no message end the exchange, not the process", async () => {
    const { sink } = await bench.open();
    bench.callAt(-1).listener.message(Buffer.from([0xff, 0xff, 0xff]));
    expect(sink.failure).toMatchObject({ fault: { reason: "answer_broken" } });
    expect(bench.violations).toHaveLength(1);
  });

  test("a violation is never tried again", async () => {
    await bench.open();
    bench.callAt(-1).data("no header");
    await settle();
    expect(bench.router.calls).toHaveLength(1);
  });

  test("waits while the sink is full, and goes on when it has room", async () => {
    const { sink, exchange } = await bench.open();
    const call = bench.callAt(-1);
    call.respond(200);
    sink.room = false;
    call.data("a");
    expect(call.paused).toBe(true);
    exchange.resume();
    expect(call.paused).toBe(false);
  });

  test("gives others their turn after 128 KiB", async () => {
    await bench.open();
    const call = bench.callAt(-1);
    call.respond(200);
    call.data(Buffer.alloc(128 * 1024));
    expect(call.paused).toBe(true);
    await settle();
    expect(call.paused).toBe(false);
  });

  test("nothing is heard after the caller has left", async () => {
    const { sink, exchange } = await bench.open();
    exchange.cancel();
    bench.callAt(-1).respond(200);
    bench.callAt(-1).fail(1, "cancelled");
    expect(sink.heard).toEqual([]);
    expect(bench.callAt(-1).cancelled).toBe(true);
    bench.clock.assertIdle();
  });
});
