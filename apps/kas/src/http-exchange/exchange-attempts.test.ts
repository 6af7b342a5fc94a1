import { PassThrough, Readable } from "node:stream";

import { Fault } from "@binnacle/rpc";
import { settle } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { ExchangeBench } from "./testing/exchange-bench.ts";
import type { ScriptedCall } from "../agent-call/testing/scripted-router.ts";

let bench: ExchangeBench;
beforeEach(() => {
  bench = new ExchangeBench();
});

const bodyOf = (call: ScriptedCall): string =>
  call.messages.map(({ message }) => (message.case === "data" ? Buffer.from(message.value.data).toString() : "")).join("");
const textBody = (...parts: readonly string[]): Readable => Readable.from(parts.map((part) => Buffer.from(part)));

describe.each([
  ["a tunnel that is waited for", false],
  ["a free tunnel", true],
])("attempts on %s", (_, hasFreeTunnel) => {
  beforeEach(() => {
    bench.router.hasFreeTunnel = hasFreeTunnel;
  });

  test("a router that throws ends the exchange, and leaves no timer", async () => {
    bench.router.failure = new Fault("tunnels_busy", "all tunnels are busy");
    await expect(bench.open()).rejects.toMatchObject({ reason: "tunnels_busy" });
    bench.clock.assertIdle();
  });

  test("a router that throws at the second attempt ends the exchange with its reason", async () => {
    const { sink } = await bench.open();
    bench.router.failure = new Fault("tunnels_busy", "all tunnels are busy");
    bench.callAt(0).fail(14, "the tunnel broke", "not_started");
    await settle();
    expect(sink.failure).toMatchObject({ fault: { reason: "tunnels_busy" } });
  });

  test("KS7: a request that broke before the agent saw it is repeated without an error for the client", async () => {
    const { sink } = await bench.open();
    bench.callAt(0).fail(14, "the tunnel broke", "not_started");
    await settle();
    bench.callAt(0).respond(200);
    expect(sink.heard).toEqual([]);
    bench.callAt(1).respond(200);
    bench.callAt(1).finish();
    expect(sink.heard).toEqual(["header 200", "end"]);
    expect(sink.attempts).toBe(2);
  });

  test("KS7: it is made three times at most", async () => {
    const { sink } = await bench.open();
    for (let call = 0; call < 3; call += 1) {
      bench.callAt(call).fail(14, "the tunnel broke", "not_started");
      await settle();
    }
    expect(bench.router.calls).toHaveLength(3);
    expect(sink.failure).toMatchObject({ fault: { reason: "tunnel_broken" }, stage: "not_started", attempts: 3 });
    bench.clock.assertIdle();
  });

  test("KS7: another attempt waits for what is left of the wait, and none is made after it", async () => {
    await bench.open();
    bench.clock.advance(15_000);
    bench.callAt(0).fail(14, "the tunnel broke", "not_started");
    await settle();
    expect(bench.callAt(1).request.context.waitMs).toBe(5_000);
    bench.clock.advance(5_000);
    bench.callAt(1).fail(14, "the tunnel broke", "not_started");
    await settle();
    expect(bench.router.calls).toHaveLength(2);
  });

  test.each([
    ["A8: a safe request", {}],
    ["a mutation", { class: "mutation" }],
    ["a watch", { class: "watch" }],
    ["a safe request with a body", { body: textBody("x") }],
  ] as [string, Parameters<ExchangeBench["open"]>[0]][])(
    "KS7: %s that the agent may have seen is delivered once",
    async (_name, changes) => {
      const { sink } = await bench.open(changes);
      await settle();
      bench.callAt(0).fail(14, "the tunnel broke", "started");
      // It fails at once, without a wait for another tunnel.
      expect(sink.heard).toEqual(["fail"]);
      await settle();
      expect(bench.router.calls).toHaveLength(1);
      expect(sink.failure).toMatchObject({ stage: "started", attempts: 1 });
    },
  );

  test("KS7: a mutation that the agent never saw is made again, with its whole body", async () => {
    const { sink } = await bench.open({ class: "mutation", body: textBody("ab", "cd") });
    await settle();
    bench.callAt(0).fail(14, "no tunnel", "not_started");
    await settle();
    expect(bodyOf(bench.callAt(1))).toBe("abcd");
    expect(bench.callAt(1).messages.at(-1)?.message.case).toBe("trailer");
    expect(bench.callAt(1).messages[0]?.message.case).toBe("header");
    bench.callAt(1).respond(201);
    bench.callAt(1).finish();
    expect(sink.heard).toEqual(["header 201", "end"]);
  });

  test("KS7: a body that goes on while the call is made again arrives whole and in order", async () => {
    const body = new PassThrough();
    await bench.open({ class: "mutation", body });
    body.write("ab");
    await settle();
    bench.callAt(0).fail(14, "no tunnel", "not_started");
    body.write("cd");
    await settle();
    body.end("ef");
    await settle();
    expect(bodyOf(bench.callAt(1))).toBe("abcdef");
    expect(bench.callAt(1).halfClosed).toBe(true);
  });

  test("KS7: a body of more than 64 KiB is not kept, so its call is not made again", async () => {
    const { sink } = await bench.open({ class: "mutation", body: Readable.from([Buffer.alloc(64 * 1024 + 1)]) });
    await settle();
    bench.callAt(0).fail(14, "no tunnel", "not_started");
    await settle();
    expect(bench.router.calls).toHaveLength(1);
    expect(sink.failure?.stage).toBe("not_started");
  });

  test("what has begun to be answered is not made again", async () => {
    const { sink } = await bench.open();
    bench.callAt(0).respond(200);
    bench.callAt(0).fail(14, "the tunnel broke", "answered");
    await settle();
    expect(bench.router.calls).toHaveLength(1);
    expect(sink.heard).toEqual(["header 200", "fail"]);
  });

  test("a request that the agent rejected with an error is not repeated", async () => {
    await bench.open();
    bench.callAt(0).fail(14, "connection refused", "answered");
    await settle();
    expect(bench.router.calls).toHaveLength(1);
  });

  test("a caller that left is not served again", async () => {
    const left = new AbortController();
    await bench.open({ signal: left.signal });
    left.abort();
    bench.callAt(0).fail(1, "the caller left");
    await settle();
    expect(bench.router.calls).toHaveLength(1);
  });

  test("the failure has the reason why no other tunnel was found", async () => {
    const { sink } = await bench.open();
    bench.router.failure = new Fault("agent_not_connected", "agent 7 was not connected");
    bench.callAt(0).fail(14, "the tunnel broke", "not_started");
    await settle();
    expect(sink.failure).toMatchObject({ fault: { reason: "agent_not_connected" }, stage: "not_started", attempts: 2 });
  });

  test("a call that ends before the bench.router has handed it over is made again too", async () => {
    bench.router.onOpen = (call) => {
      if (bench.router.calls.length === 1) call.fail(14, "no tunnel", "not_started");
    };
    const { sink } = await bench.open();
    await settle();
    bench.callAt(1).respond(200);
    bench.callAt(1).finish();
    expect(sink.heard).toEqual(["header 200", "end"]);
  });
});

test("the caller may leave while another tunnel is looked for", async () => {
  const { exchange, sink } = await bench.open();
  bench.callAt(0).fail(14, "the tunnel broke", "not_started");
  exchange.cancel();
  await settle();
  expect(bench.callAt(1).cancelled).toBe(true);
  expect(bench.callAt(1).messages).toHaveLength(0);
  expect(sink.heard).toEqual([]);
  bench.clock.assertIdle();
});
