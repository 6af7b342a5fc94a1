import { StatusSchema } from "@binnacle/proto/rpc-status";
import { ManualClock, until } from "@binnacle/testing";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterEach, expect, test } from "vitest";

import type { AgentCallRequest } from "../agent-call/agent-call.ts";
import type { CallClass } from "../agent-call/call-context.ts";
import { noMetrics } from "../agent-call/routing-metrics.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, FakeAgent, type FakeAgentCall, type FakeAgentOptions } from "../testing/fake-agent.ts";
import { GoAgent } from "../testing/go-agent.ts";
import { startTestKas, type TestKas, type TestKasOptions } from "./testing/kas-bench.ts";
import { LogLines } from "../testing/log-lines.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { SharedRoutes } from "./testing/shared-routes.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

let routes: SharedRoutes;

/** Kas that know each other, the first without agents. */
async function kasOf(count: number, options: TestKasOptions = {}): Promise<readonly TestKas[]> {
  const shared = new SharedRoutes();
  routes = shared;
  const all: TestKas[] = [];
  for (let index = 0; index < count; index += 1) {
    const kas = await startTestKas({ ...options, routes: (kasId, url) => shared.storeOf(kasId, url) });
    cleanUps.push(() => kas.stop());
    all.push(kas);
  }
  return all;
}

async function two(options: TestKasOptions = {}): Promise<{ first: TestKas; second: TestKas }> {
  const [first, second] = await kasOf(2, options);
  if (!first || !second) throw new Error("two were started");
  return { first, second };
}

async function agentOf(kas: TestKas, options: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
  const open = kas.registry.counts().open;
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "agent-1", onCall: (call) => call.header(), ...options });
  cleanUps.push(() => agent.stop());
  await until(() => kas.registry.counts().open === open + (options.tunnels ?? 1));
  return agent;
}

/** The wait is so long that every rejection comes before its end. */
function requestOf(of: { user?: string; class?: CallClass; changes?: Partial<AgentCallRequest> } = {}): AgentCallRequest {
  const context = contextOf({ caller: { kind: "user", id: of.user ?? "1" }, class: of.class ?? "safe", waitMs: 50_000 });
  return { agentId: 1n, method: ECHO, context, signal: new AbortController().signal, ...of.changes };
}

test("I4, KS8: the limit of watches applies over a hop and is reported at once, and short calls still pass", async () => {
  const { first, second } = await two();
  await agentOf(second, { tunnels: 10 });
  for (let count = 0; count < 8; count += 1) await first.router.open(requestOf({ class: "watch" }), new RecordingListener());
  for (const kas of [first, second])
    await expect(kas.router.open(requestOf({ class: "watch" }), new RecordingListener())).rejects.toMatchObject({
      reason: "watch_limit",
      retryAfterSeconds: 5,
    });
  const short = await first.router.open(requestOf(), new RecordingListener());
  expect(short.hops).toBe(1);
});

test("KS8: watches and half a body that are cancelled over a hop cost a Go agent no back-off", async () => {
  const { first, second } = await two();
  const agent = await GoAgent.connect(second.agentUrl, { token: "agent-1", clock: new ManualClock() });
  cleanUps.push(() => agent.stop());
  await until(() => second.registry.counts().idle === 10);
  for (let count = 1; count <= 8; count += 1) {
    const listener = new RecordingListener();
    const left = new AbortController();
    const watch = await first.router.open(requestOf({ class: "watch", changes: { signal: left.signal } }), listener);
    watch.closeSend();
    await until(() => agent.requests[count - 1]?.sent === true);
    left.abort();
    expect(await listener.ended).toMatchObject({ code: 1 });
  }
  await expect(first.router.open(requestOf({ class: "watch" }), new RecordingListener())).rejects.toMatchObject({ reason: "watch_limit" });
  (await first.router.open(requestOf({ class: "mutation" }), new RecordingListener())).cancel();
  await until(() => agent.requests[8]?.state === "cancelled");
  for (const request of agent.requests) request.ends();
  await until(() => second.registry.counts().idle === 10);
  expect(agent.backOffs).toBe(0);
});

test("XS6: the share of a user is counted once, over all kas", async () => {
  const { first, second } = await two();
  await agentOf(second, { tunnels: 10, metadata: { "agentk-caps": "impersonation", "agentk-max-tunnels": "10" } });
  const open = async (kas: TestKas, user: string): Promise<unknown> =>
    kas.router.open(requestOf({ user, class: "watch" }), new RecordingListener());
  for (const kas of [first, second, first, second, first]) await open(kas, "greedy");
  await expect(open(first, "greedy")).rejects.toMatchObject({ reason: "share_exceeded", retryAfterSeconds: 5 });
  await expect(open(second, "greedy")).rejects.toMatchObject({ reason: "share_exceeded" });
  await open(first, "modest");
  await open(second, "modest");
});

test("XS6: what one kas refuses another with the same agent may give", async () => {
  const { first, second } = await two();
  await agentOf(second, { tunnels: 10 });
  for (let count = 0; count < 8; count += 1) await second.router.open(requestOf({ class: "watch" }), new RecordingListener());
  await agentOf(first, { tunnels: 10 });
  expect((await second.router.open(requestOf({ class: "watch" }), new RecordingListener())).hops).toBe(1);
});

test("I4: each call reports the watch budget, here and over a hop", async () => {
  const { first, second } = await two();
  await agentOf(second, { tunnels: 10 });
  const there = await first.router.open(requestOf({ class: "watch" }), new RecordingListener());
  const here = await second.router.open(requestOf({ class: "watch" }), new RecordingListener());
  expect([there.watchBudget, here.watchBudget]).toEqual([
    { limit: 8, free: 7 },
    { limit: 8, free: 6 },
  ]);
});

test("I4: an agent with its configuration stream alone is connected: busy, also over a hop", async () => {
  const clock = new ManualClock();
  const { first, second } = await two({ clock });
  second.registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "s:1" });
  const request = requestOf({ changes: { context: contextOf({ waitMs: 100 }) } });
  for (const kas of [first, second]) {
    const refused = Promise.resolve(kas.router.open(request, new RecordingListener())).catch((fault: unknown) => fault);
    await until(() => second.registry.counts().waiting === 1);
    clock.advance(100);
    expect(await refused).toMatchObject({ reason: "tunnels_busy", retryAfterSeconds: undefined });
    await until(() => second.registry.counts().waiting === 0);
  }
});

test.each<[string, Partial<AgentCallRequest>]>([
  ["cannot_impersonate", { impersonation: true }],
  ["cannot_upgrade", { upgrade: true }],
  ["unknown_method", { method: "/test.Echo/New" }],
  ["replica_not_addressable", { connectionId: 99n }],
])("I6: %s is reported long before the wait ends, here and over a hop, without a retry delay", async (reason, changes) => {
  const { first, second } = await two();
  await agentOf(second);
  for (const kas of [first, second]) {
    const refused = kas.router.open(requestOf({ changes }), new RecordingListener());
    await expect(refused).rejects.toMatchObject({ reason, retryAfterSeconds: undefined });
  }
  await until(() => second.registry.counts().waiting === 0);
});

test("I6: no caller is rejected while a replica at another kas is able to serve it", async () => {
  const [first, second, third] = await kasOf(3);
  if (!first || !second || !third) throw new Error("three were started");
  await agentOf(second);
  await agentOf(third, { metadata: { "agentk-caps": "impersonation" } });
  const able = requestOf({ changes: { impersonation: true } });
  await first.router.open(able, new RecordingListener());
  // Its only tunnel is busy now: that is worth waiting for.
  const waiting = first.router.open(able, new RecordingListener());
  await until(() => third.registry.counts().waiting === 1);
  await agentOf(third, { metadata: { "agentk-caps": "impersonation" }, instance: "second" });
  expect((await waiting).hops).toBe(1);
});

test("I6: an agent that reconnects with too old a version during the wait is reported within a second", async () => {
  const { first } = await two();
  const reason = Promise.resolve(first.router.open(requestOf({ changes: { impersonation: true } }), new RecordingListener()))
    .then(() => "opened")
    .catch((error: { reason: string }) => error.reason);
  await agentOf(first);
  expect(await reason).toBe("cannot_impersonate");
});

test("KS9: details of an error come to the caller as the agent sent them, here and over a hop", async () => {
  const details = [{ typeUrl: "type.googleapis.com/google.rpc.ErrorInfo", value: new Uint8Array([1, 2, 3]) }];
  const onCall = (call: FakeAgentCall): void => {
    call.send({ case: "error", value: { status: { code: 9, message: "no", details } } });
    call.stream.closeSend();
  };
  const { first, second } = await two();
  await agentOf(second, { onCall });
  const bytes = toBinary(StatusSchema, create(StatusSchema, { code: 9, message: "no", details }));
  for (const kas of [first, second]) {
    const listener = new RecordingListener();
    await kas.router.open(requestOf(), listener);
    expect(await listener.ended).toMatchObject({ code: 9, message: "no", details: bytes });
  }
});

test("KS9: a bug of a listener is a line with agent and trace, is counted, and ends only its call, over a hop too", async () => {
  const lines = new LogLines();
  let bugs = 0;
  const { first, second } = await two({ log: lines.log, metrics: { ...noMetrics, listenerBug: () => (bugs += 1) } });
  await agentOf(second, { tunnels: 4, onCall: (call) => (call.header(), void call.message(Buffer.from("x"))) });
  for (const kas of [second, first]) {
    const healthy = new RecordingListener();
    await second.router.open(requestOf(), healthy);
    const listener = new RecordingListener();
    const broken = Object.assign(Object.create(listener), {
      message() {
        throw new TypeError("a bug of ours");
      },
      end: (result: Parameters<RecordingListener["end"]>[0]) => listener.end(result),
      header: () => undefined,
    }) as RecordingListener; // has everything a listener has
    await kas.router.open(requestOf(), broken);
    expect(await listener.ended).toMatchObject({ code: 14 });
    await until(() => healthy.messages.length === 1);
  }
  expect(bugs).toBe(2);
  expect(lines.of("an error of ours ended a call")).toMatchObject([
    { agent_id: "1", method: ECHO, correlation_id: "test" },
    { agent_id: "1", method: ECHO, correlation_id: "test" },
  ]);
});

test("KS9: a violation of an agent is logged with its id", async () => {
  const lines = new LogLines();
  const { second } = await two({ log: lines.log });
  await agentOf(second, { onCall: (call) => call.send({ case: "trailer", value: { meta: {} } }) });
  const listener = new RecordingListener();
  await second.router.open(requestOf(), listener);
  await listener.ended;
  expect(lines.of("an agent broke the rules of a tunnel")).toMatchObject([{ agent_id: "1" }]);
  expect(routes.lookups).toBe(0);
});
