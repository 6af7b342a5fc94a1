import { until } from "@binnacle/testing";
import { expect, test } from "vitest";

import { callEcho, echoAgentOf, requestOf, twoKas } from "./testing/echo-calls.ts";
import type { FakeAgentCall } from "../testing/fake-agent.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";

/** Bytes an agent could send to a caller that does not read: windows and buffers of the way. */
const WINDOW = 1024 * 1024;
const MIB = 1024 * 1024;

test.each([{ hops: 0 }, { hops: 1 }])(
  "a caller that does not read holds no more than the windows of the way ($hops hops), and loses nothing",
  async ({ hops }) => {
    const total = 32 * MIB;
    const chunk = Buffer.alloc(64 * 1024, 1);
    let sent = 0;
    const onCall = (call: FakeAgentCall): void => {
      call.header();
      const send = (): void => {
        while (sent < total) {
          sent += chunk.length;
          if (!call.message(chunk)) return;
        }
        call.finish();
      };
      call.stream.onDrain(send);
      send();
    };
    const { first, second } = await twoKas({ onCall });
    const listener = new RecordingListener();
    const call = await (hops === 0 ? second : first).router.open(requestOf(), listener);
    expect(call.hops).toBe(hops);
    call.pause();
    // Stalled: nothing more is sent while two hundred calls of another agent go through the same kas.
    await echoAgentOf(second.agentUrl, { token: "agent-2" });
    for (let count = 0; count < 200; count += 1) await callEcho(hops === 0 ? second : first, { agentId: 2n });
    const stalled = sent;
    for (let count = 0; count < 50; count += 1) await callEcho(hops === 0 ? second : first, { agentId: 2n });
    expect(sent).toBe(stalled);
    expect(stalled).toBeLessThanOrEqual((hops + 1) * (WINDOW + 512 * 1024));
    call.resume();
    expect(await listener.ended).toMatchObject({ code: 0 });
    expect(listener.bytes).toBe(total);
  },
);

test("an agent that does not read stops the caller, and gets everything when it reads again", async () => {
  const total = 16 * MIB;
  const chunk = Buffer.alloc(64 * 1024, 1);
  let received = 0;
  let agentCall: FakeAgentCall | undefined;
  const onCall = (call: FakeAgentCall): void => {
    agentCall = call;
    call.header();
    call.stream.pause();
    call.onMessage = (data) => (received += data.byteLength);
    call.onCloseSend = () => call.finish();
  };
  const { first } = await twoKas({ onCall });
  const listener = new RecordingListener();
  const call = await first.router.open(requestOf(), listener);
  await until(() => agentCall !== undefined);
  let sent = 0;
  let full = false;
  const send = (): void => {
    while (sent < total) {
      sent += chunk.length;
      if (!call.write([chunk])) {
        full = true;
        return;
      }
    }
    call.closeSend();
  };
  call.onDrain(send);
  send();
  await until(() => full);
  expect(sent).toBeLessThan(total);
  agentCall?.stream.resume();
  expect(await listener.ended).toMatchObject({ code: 0 });
  expect(received).toBe(total);
});

test.each([{ hops: 0 }, { hops: 1 }])(
  "uploads that the agent answers before they are over leave nothing behind ($hops hops)",
  async ({ hops }) => {
    const calls: FakeAgentCall[] = [];
    const onCall = (call: FakeAgentCall): void => {
      calls.push(call);
      call.stream.pause();
      call.header();
    };
    const { first, second } = await twoKas({ onCall, tunnels: 4 });
    // Each leaves half a MiB unsent: together more than Node lets one session hold, if any of it stayed.
    for (let count = 0; count < 40; count += 1) {
      const listener = new RecordingListener();
      const call = await (hops === 0 ? second : first).router.open(requestOf(), listener);
      let sent = 0;
      const send = (): void => {
        do sent += 64 * 1024;
        while (call.write([Buffer.alloc(64 * 1024)]));
      };
      call.onDrain(send);
      send();
      // A reader that stalls holds a window; of the one before it, HTTP/2 gives back no less than half.
      await until(() => sent >= WINDOW + (hops * WINDOW) / 2 && calls.length === count + 1);
      for (let more = 0; more < 8; more += 1) call.write([Buffer.alloc(64 * 1024)]);
      calls[count]?.finish();
      calls[count]?.stream.resume();
      expect(await listener.ended).toMatchObject({ code: 0 });
    }
    await until(() => second.registry.counts().idle === 4);
  },
);

test.each([{ hops: 0 }, { hops: 1 }])(
  "US6: an agent that answers pings and nothing else blames its cluster ($hops hops)",
  async ({ hops }) => {
    let gone = 0;
    const { first, second } = await twoKas({ onCall: (call) => void (call.onGone = () => (gone += 1)) });
    const listener = new RecordingListener();
    const request = requestOf();
    const context = { ...request.context, answerWithinMs: 1_000 };
    const call = await (hops === 0 ? second : first).router.open({ ...request, context }, listener);
    expect(call.hops).toBe(hops);
    expect(await listener.ended).toMatchObject({ silent: "cluster", stage: "started" });
    await until(() => gone === 1);
  },
);

test.each([{ hops: 0 }, { hops: 1 }])("US6: an agent that fails before any header has answered ($hops hops)", async ({ hops }) => {
  const fail = (call: FakeAgentCall): void => {
    call.send({ case: "error", value: { status: { code: 14, message: "the cluster is away" } } });
    call.stream.closeSend();
  };
  const { first, second } = await twoKas({ onCall: fail });
  const listener = new RecordingListener();
  await (hops === 0 ? second : first).router.open(requestOf(), listener);
  expect(await listener.ended).toMatchObject({ code: 14, stage: "answered" });
});
