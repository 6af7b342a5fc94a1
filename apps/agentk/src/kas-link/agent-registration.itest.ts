import { connect, type ClientHttp2Session } from "node:http2";

import { NO_METADATA } from "@binnacle/grpc-wire";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent } from "../whole-agent/running-agent.ts";
import { AgentRegistration } from "./agent-registration.ts";
import { KasLink } from "./kas-link.ts";

const OK = { code: 0, message: "" };
let kas: FakeKas;

beforeEach(async () => {
  kas = await FakeKas.listen();
});
afterEach(() => kas.close());

describe("an agent", () => {
  let api: ApiStandIn;
  beforeEach(async () => {
    api = await ApiStandIn.listen();
  });
  afterEach(() => api.close());

  const run = () => runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));

  test("registers when it connects, on every connection, and takes leave of the last one", async () => {
    kas.registers = OK;
    const agent = await run();
    await until(() => kas.registrations.length === 1);
    kas.sessions[0]?.destroy();
    await until(() => kas.registrations.length === 2);
    await agent.stop();
    const [first] = kas.registrations;
    expect(first?.podId).toBeGreaterThan(0n);
    const who = { podId: first?.podId, podName: "pod-1" };
    expect(kas.registrations).toEqual(["Register", "Register", "Unregister"].map((method) => ({ method, ...who })));
  });

  test("continues without a log line when kas does not support registration", async () => {
    const agent = await run();
    await until(() => kas.registrations.length === 1);
    await kas.tunnel();
    await agent.stop();
    expect(agent.lines.filter((line) => line.startsWith("warn"))).toEqual([]);
  });
});

/** A registration by a clock that is set by hand, over one connection. */
async function registration(clock: ManualClock) {
  const stop = new AbortController();
  let refused = 0;
  const link = new KasLink({
    clock: systemClock,
    log: createLogger("test", "silent"),
    dial: () =>
      new Promise<ClientHttp2Session>((resolve) => {
        const session = connect(`http://127.0.0.1:${kas.port}`);
        session.once("connect", () => resolve(session));
      }),
  });
  const module = new AgentRegistration({
    link,
    metadata: { get: () => NO_METADATA, refused: () => (refused += 1), podId: 5n },
    meta: () => Promise.resolve({}),
    clock,
    log: createLogger("test", "silent"),
    backoff: { initialMs: 1_000, maxMs: 1_000, random: () => 0.5 },
  });
  const running = Promise.all([link.run(stop.signal), module.run(stop.signal)]);
  const close = async (): Promise<void> => {
    stop.abort();
    await Promise.all([link.close(), running]);
  };
  return { module, close, refused: () => refused };
}

test("registers again every five minutes, and sooner after a rejection that is temporary", async () => {
  const clock = new ManualClock();
  kas.registers = { code: 14, message: "away" };
  const { close } = await registration(clock);
  const came = async (count: number): Promise<void> => until(() => kas.registrations.length === count && clock.pending === 1);
  await came(1);
  await clock.elapse(500);
  await came(2);
  kas.registers = OK;
  await clock.elapse(500);
  await came(3);
  await clock.elapse(299_000);
  await came(3);
  await clock.elapse(1_000);
  await came(4);
  await close();
  expect(new Set(kas.registrations.map(({ method }) => method))).toEqual(new Set(["Register"]));
});

test("a kas without registration gets one attempt in five minutes, and no Unregister", async () => {
  const clock = new ManualClock();
  const { module, close } = await registration(clock);
  await until(() => kas.registrations.length === 1 && clock.pending === 1);
  await clock.elapse(299_000);
  await module.drain(new AbortController().signal);
  expect(kas.registrations).toHaveLength(1);
  await close();
});

test("a token that is refused is read again", async () => {
  kas.registers = { code: 16, message: "unauthenticated" };
  const clock = new ManualClock();
  const { close, refused } = await registration(clock);
  await until(() => refused() > 0);
  await close();
  expect(kas.registrations.length).toBe(refused());
});

test("a kas that keeps silent does not keep the agent from leaving", async () => {
  kas.registers = OK;
  const clock = new ManualClock();
  const { module, close } = await registration(clock);
  await until(() => kas.registrations.length === 1 && clock.pending === 1);
  kas.server.removeAllListeners("stream");
  kas.server.on("stream", () => {});
  const leaving = module.drain(new AbortController().signal);
  await until(() => clock.pending === 2);
  await clock.elapse(1_000);
  await expect(leaving).resolves.toBeUndefined();
  await close();
});
