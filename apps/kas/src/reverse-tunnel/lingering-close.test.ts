import { ConnectRequestSchema } from "@binnacle/proto/reverse-tunnel";
import { ManualClock } from "@binnacle/testing";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { FakeTunnelStream } from "./testing/fake-tunnel-stream.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { LINGER_BYTES, LINGER_MS, LingeringClose } from "./lingering-close.ts";
import { Tunnel } from "./tunnel.ts";

type Msg = NonNullable<MessageInitShape<typeof ConnectRequestSchema>["msg"]>;

const DESCRIPTOR: Msg = { case: "descriptor", value: { agentDescriptor: { services: [{ name: "s.S", methods: [{ name: "M" }] }] } } };

/** A tunnel whose call was cancelled after its last byte. */
function cancelled() {
  const clock = new ManualClock();
  const stream = new FakeTunnelStream();
  const listener = new RecordingListener();
  const tunnel = new Tunnel(
    {
      agentId: 1n,
      replica: "i:a",
      can: () => false,
      linger: (giveUp) => new LingeringClose(clock, giveUp),
      onReady: () => undefined,
      onDone: () => undefined,
    },
    stream,
  );
  const receive = (msg: Msg): void => tunnel.receive(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg })));
  receive(DESCRIPTOR);
  tunnel.reserve();
  const call = tunnel.start({ method: "/s.S/M", metadata: new Map(), signal: new AbortController().signal, hops: 0 }, listener);
  receive({ case: "header", value: { meta: {} } });
  call.closeSend();
  call.cancel();
  return { clock, stream, listener, tunnel, call, receive };
}

test("KS8: a whole request that is cancelled is neither reset nor ended: its caller is notified, and the agent ends it", async () => {
  const { clock, stream, listener, tunnel, receive } = cancelled();
  expect(await listener.ended).toMatchObject({ code: 1, stage: "answered" });
  expect([tunnel.state, stream.resets, stream.ends.length]).toEqual(["lingering", 0, 0]);
  receive({ case: "trailer", value: { meta: {} } });
  tunnel.halfClosed();
  expect([tunnel.state, stream.resets]).toEqual(["done", 0]);
  expect(stream.ends).toEqual([{ code: 0, message: "" }]);
  clock.assertIdle();
});

test("KS8: pieces of a body count as complete messages do, and the listener gets neither", () => {
  const { clock, stream, listener, tunnel, receive } = cancelled();
  receive({ case: "message", value: { data: new Uint8Array(1_000) } });
  tunnel.receiveBody(new Uint8Array(LINGER_BYTES - 2_000), "data");
  expect([tunnel.state, stream.resets]).toEqual(["lingering", 0]);
  tunnel.receiveBody(new Uint8Array(2_000), "data");
  tunnel.receiveBody(new Uint8Array(2_000), "data");
  expect([tunnel.state, stream.resets, listener.bytes]).toEqual(["done", 1, 0]);
  clock.assertIdle();
});

test("KS8: after its last word the call can do nothing more to the tunnel", () => {
  const { stream, tunnel, call } = cancelled();
  const sent = stream.sent.length;
  call.cancel();
  call.closeSend();
  call.write([new Uint8Array(1)]);
  call.pause();
  expect([tunnel.state, stream.sent.length, stream.resets, stream.paused]).toEqual(["lingering", sent, 0, false]);
});

test("KS8: what breaks the order of frames while it lingers ends the tunnel, and so does kas", () => {
  for (const end of ["violation", "abort", "closed"] as const) {
    const { clock, tunnel, receive } = cancelled();
    if (end === "violation") receive(DESCRIPTOR);
    else if (end === "abort") tunnel.abort({ code: 16, message: "revoked" });
    else tunnel.closed();
    expect(tunnel.state).toBe("done");
    clock.assertIdle();
    clock.advance(LINGER_MS);
  }
});
