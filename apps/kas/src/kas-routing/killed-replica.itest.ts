import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { expect, test } from "vitest";

import { MAKE_REQUEST } from "../agent-call/routed-methods.ts";
import { openHttpExchange } from "../http-exchange/open-http-exchange.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { RecordingSink } from "../http-exchange/testing/exchange-bench.ts";
import type { FakeAgentCall } from "../testing/fake-agent.ts";
import type { TestKas } from "./testing/kas-bench.ts";
import { agentOf, kasOf } from "./testing/kas-of.ts";
import { SharedRoutes } from "./testing/shared-routes.ts";

/** Longer than a test takes: who waits for it fails the test. */
const WAIT_MS = 3_600_000;

/** A GET of agent 1 that may wait for ever. */
async function get(kas: TestKas): Promise<RecordingSink> {
  const sink = new RecordingSink();
  const request = { method: "GET", path: "/api/v1/pods", query: new URLSearchParams(), header: {} };
  const of = { agentId: 1n, context: contextOf({ class: "safe", waitMs: WAIT_MS }), signal: new AbortController().signal };
  await openHttpExchange({ router: kas.router, clock: systemClock }, { ...request, ...of }, sink);
  return sink;
}

test.each([
  ["by gRPC", "agentUrl", 0],
  ["by WebSocket", "webSocketUrl", 0],
  ["by gRPC at another kas", "agentUrl", 1],
  ["by WebSocket at another kas", "webSocketUrl", 1],
] as const)(
  "A8: a request in flight to a replica that is killed, connected %s, ends at once and is sent to no other",
  async (_name, url, hops) => {
    const routes = new SharedRoutes();
    const all = [await kasOf({ routes: (...own) => routes.storeOf(...own) }), await kasOf({ routes: (...own) => routes.storeOf(...own) })];
    const [entry, connected] = [all[0] as TestKas, all[hops] as TestKas];
    const calls: FakeAgentCall[] = [];
    const options = { methods: [MAKE_REQUEST], onCall: (call: FakeAgentCall) => void calls.push(call) };
    const killed = await agentOf(connected[url], options);
    await until(() => connected.registry.counts().idle === 1);
    const inFlight = await get(entry);
    await until(() => calls.length === 1);
    const others = await agentOf(connected[url], { ...options, tunnels: 3 });
    await until(() => connected.registry.counts().idle === 3);
    killed.stop();
    await until(() => inFlight.heard.length > 0);
    expect(inFlight.failure).toMatchObject({ fault: { reason: "tunnel_broken" }, stage: "started", attempts: 1 });
    expect(calls).toHaveLength(1);
    others.stop();
  },
);

test("A8: a request that waits for the killed replica's tunnel keeps waiting, and goes to the next that comes", async () => {
  const kas = await kasOf();
  const calls: FakeAgentCall[] = [];
  const options = { methods: [MAKE_REQUEST], onCall: (call: FakeAgentCall) => void calls.push(call) };
  const killed = await agentOf(kas.agentUrl, options);
  await until(() => kas.registry.counts().idle === 1);
  const inFlight = await get(kas);
  await until(() => calls.length === 1);
  const waiting = get(kas);
  await until(() => kas.registry.counts().waiting === 1);
  killed.stop();
  await until(() => inFlight.heard.length > 0);
  expect(kas.registry.counts().waiting).toBe(1);
  await agentOf(kas.agentUrl, options);
  await until(() => calls.length === 2);
  expect((await waiting).heard).toEqual([]);
});

test("A8: a request that was sent through a kas that is killed ends at once", async () => {
  const routes = new SharedRoutes();
  const entry = await kasOf({ routes: (...own) => routes.storeOf(...own) });
  const connected = await kasOf({ routes: (...own) => routes.storeOf(...own) });
  const calls: FakeAgentCall[] = [];
  await agentOf(connected.agentUrl, { methods: [MAKE_REQUEST], onCall: (call) => void calls.push(call) });
  await until(() => connected.registry.counts().idle === 1);
  const inFlight = await get(entry);
  await until(() => calls.length === 1);
  await connected.stop();
  await until(() => inFlight.heard.length > 0);
  expect(inFlight.failure).toMatchObject({ stage: "started", attempts: 1 });
});
