import type { IncomingMessage } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import { ByteLedger, GRPC_CODE } from "@binnacle/grpc-wire";
import { LogsQuerySchema } from "@binnacle/proto/kas-logs";
import { Fault } from "@binnacle/rpc";
import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { AuditRecord } from "@binnacle/telemetry/audit";
import { LOG_BOUNDS } from "../../logs/logs-call.ts";
import type { LogsMetrics } from "../../logs/logs-metrics.ts";
import { LogFrames } from "../../testing/response-frames.ts";
import { LogsRouter, type LogsAnswer, type LogsConversation } from "../../logs/testing/logs-router.ts";
import { COOKIE, ORIGIN, PAT, PREFIX, ProxyUnderTest, USER, type SendOptions } from "../listener/testing/proxy-under-test.ts";
import { LogsEndpoint } from "./logs-endpoint.ts";
import { LOGS_TYPE } from "./logs-stream.ts";

const MIB = 1024 * 1024;
const PATH = `${PREFIX}binnacle/v1/logs`;
const CANARY = "canary-of-the-search";
const QUERY = Buffer.from(
  toBinary(
    LogsQuerySchema,
    create(LogsQuerySchema, { targets: [{ namespace: "app", pod: "web" }], follow: true, filter: { pattern: CANARY } }),
  ),
);

class CountingMetrics implements LogsMetrics {
  open = 0;
  readonly counted = { in: 0, out: 0 };
  streams(change: 1 | -1): void {
    this.open += change;
  }
  bytes(direction: "in" | "out", bytes: number): void {
    this.counted[direction] += bytes;
  }
}

let router: LogsRouter;
let ledger: ByteLedger;
let metrics: CountingMetrics;
let violations: string[];
let audited: AuditRecord[];
let world: ProxyUnderTest;
let endpoint: LogsEndpoint;

beforeEach(async () => {
  router = new LogsRouter();
  metrics = new CountingMetrics();
  ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB });
  violations = [];
  audited = [];
  world = await ProxyUnderTest.start({ ledger, audit: { add: (record) => audited.push(record) } }, undefined, ({ callers, clock }) => {
    endpoint = new LogsEndpoint({
      callers,
      router,
      clock,
      metrics,
      pathPrefix: PREFIX,
      waitMs: 20_000,
      onViolation: (agentId, { message }) => violations.push(`${agentId} ${message}`),
    });
    return (request, response) => endpoint.intercept(request, response);
  });
});

afterEach(() => world.stop());

async function send(options: SendOptions = {}): Promise<IncomingMessage> {
  return (await world.send(PATH, { method: "POST", body: QUERY, ...options })).body;
}

/** A reader whose stream has begun. */
async function read(
  options: SendOptions = {},
): Promise<{ readonly answer: IncomingMessage; readonly frames: LogFrames; readonly call: LogsConversation }> {
  router.onCall = (call) => call.sayBytes(new Uint8Array());
  const answer = await send(options);
  const frames = new LogFrames();
  answer.on("data", (chunk: Buffer) => frames.push(chunk));
  const call = router.calls.at(-1);
  if (call === undefined) throw new Error("no agent was called");
  return { answer, frames, call };
}

async function refusal(options: SendOptions = {}): Promise<{ readonly status: number; readonly reason: string | undefined }> {
  const { status, reason, kind, headers } = await world.refusal(PATH, { method: "POST", body: QUERY, ...options });
  expect([kind, headers["kas-refusal"] !== undefined]).toEqual(["Status", true]);
  return { status, reason };
}

const line = (text: string): LogsAnswer => ({ case: "lines", value: { lines: [{ source: 1, text }] } });

test("the agent reads as the caller's identity in the cluster, on the caller's account, and its messages pass unchanged", async () => {
  const { answer, frames, call } = await read();
  expect([answer.statusCode, answer.headers["content-type"], answer.headers["x-accel-buffering"]]).toEqual([200, LOGS_TYPE, "no"]);
  expect(call.query).toMatchObject({
    query: { targets: [{ namespace: "app", pod: "web" }], filter: { pattern: CANARY } },
    viewer: { identity: { username: "gitlab:user:ann", groups: expect.arrayContaining(["gitlab:user"]) } },
  });
  expect(call.request).toMatchObject({ impersonation: true, context: { caller: { kind: "user", id: "1" }, class: "watch" } });
  call.say(line("one"));
  call.say(line("two"));
  await until(() => frames.lines.length === 2);
  call.end();
  await until(() => frames.end !== undefined);
  expect([frames.lines, frames.end]).toMatchObject([["one", "two"], { reason: "" }]);
});

test("with access_as agent the agent reads as itself", async () => {
  world.application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  const { call } = await read();
  expect([call.query?.viewer?.identity, call.request.impersonation]).toEqual([undefined, false]);
});

test.each<readonly [string, SendOptions, { readonly status: number; readonly reason?: string }]>([
  ["another method", { method: "GET", body: Buffer.alloc(0) }, { status: 405 }],
  ["no credential", { headers: {} }, { status: 401 }],
  ["a session without its CSRF token", { headers: { cookie: COOKIE.cookie, "gitlab-agent-id": "7" } }, { status: 401 }],
  ["another origin", { headers: { ...PAT, origin: "https://evil.example" } }, { status: 403 }],
  ["an identity of the caller's choice", { headers: { ...PAT, "impersonate-user": "root" } }, { status: 400 }],
  ["no query", { body: Buffer.from([0xff]) }, { status: 400, reason: "invalid_request" }],
  ["a query of nothing", { body: Buffer.alloc(0) }, { status: 400, reason: "invalid_request" }],
  ["a body that is too large", { body: Buffer.alloc(LOG_BOUNDS.bodyBytes + 1) }, { status: 413 }],
])("%s is rejected, and no call reaches the agent", async (_, options, rejected) => {
  expect(await refusal(options)).toEqual(rejected);
  expect(router.calls).toEqual([]);
});

test("the dashboard's own origin may ask with its session", async () => {
  const { answer } = await read({ headers: { ...COOKIE, origin: ORIGIN } });
  expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, ORIGIN]);
});

test("an agent that does not offer logs is 501, whether the router knows it or another kas finds out", async () => {
  router.failure = new Fault("unknown_method", "agent 7 does not offer it");
  expect(await refusal()).toEqual({ status: 501, reason: "unknown_method" });
  router.failure = undefined;
  router.onCall = (call) => call.end(GRPC_CODE.unimplemented, "no such method");
  expect(await refusal()).toEqual({ status: 501, reason: "unknown_method" });
});

test("what the agent refuses before it has begun is a refusal, and afterwards the last frame", async () => {
  router.onCall = (call) => call.end(GRPC_CODE.invalidArgument, "bad pattern");
  expect(await refusal()).toEqual({ status: 400, reason: "invalid_request" });
  router.onCall = (call) => call.end(GRPC_CODE.resourceExhausted, "too many");
  expect(await refusal()).toEqual({ status: 429, reason: "queue_full" });
  const { frames, call } = await read();
  call.end(GRPC_CODE.unavailable, "this agent goes away");
  await until(() => frames.end !== undefined);
  expect(frames.end).toMatchObject({ reason: "tunnel_broken", message: expect.stringContaining("goes away") });
});

test("an idle stream has a heartbeat every 10 s", async () => {
  const { frames } = await read();
  await until(() => frames.responses.length === 1);
  await world.clock.elapse(10_000);
  await until(() => frames.responses.length === 2);
  expect(frames.responses[1]?.message.case).toBeUndefined();
});

test.each([
  ["a message that is too large", Buffer.concat([Buffer.from([0x12, 0xfd, 0xff, 0x07]), Buffer.alloc(LOG_BOUNDS.messageBytes)])],
  ["bytes that are no message", Buffer.from("garbage of an agent")],
  ["two messages in one", Buffer.from([0x12, 0, 0x12, 0])],
  ["a length beyond its end", Buffer.from([0x12, 9, 1])],
])("%s cuts the agent, also as its first message", async (_, bytes) => {
  const { frames, call } = await read();
  call.sayBytes(bytes);
  await until(() => frames.end !== undefined);
  expect([frames.end?.reason, call.isCancelled, violations.length]).toEqual(["answer_broken", true, 1]);
  router.onCall = (first) => first.sayBytes(bytes);
  expect(await refusal()).toEqual({ status: 503, reason: "answer_broken" });
  router.onCall = () => undefined;
  router.onOpen = (early) => early.sayBytes(bytes);
  expect(await refusal()).toEqual({ status: 503, reason: "answer_broken" });
  expect([violations.length, router.calls.every(({ isCancelled }) => isCancelled)]).toEqual([3, true]);
});

/** Sends lines from the agent until no more are taken. @returns how many */
async function fill(call: LogsConversation): Promise<number> {
  let sent = 0;
  for (let quiet = 0; quiet < 50; quiet += 1) {
    for (; !call.isPaused; sent += 1, quiet = 0) call.say(line("x".repeat(60_000)));
    await settle();
  }
  return sent;
}

test("for a stalled reader less than 256 KiB wait, the agent pauses, and the reader gets everything once it reads", async () => {
  const { answer, frames, call } = await read();
  answer.pause();
  const sent = await fill(call);
  ledger.sample();
  expect(ledger.held({ kind: "user", id: "user:1" })).toBeGreaterThan(0);
  expect(ledger.held({ kind: "user", id: "user:1" })).toBeLessThan(256 * 1024);
  answer.resume();
  await until(() => frames.lines.length === sent);
  expect(call.isPaused).toBe(false);
});

test("a reader that takes nothing for ten minutes is cut, and its call ends", async () => {
  const { answer, call } = await read();
  answer.pause();
  await fill(call);
  for (let minute = 0; minute < 11; minute += 1) {
    await world.clock.elapse(60_000);
    await world.answers();
  }
  await until(() => call.isCancelled);
  expect([metrics.open, ledger.held({ kind: "user", id: "user:1" })]).toEqual([0, 0]);
});

test("T57: a stream ends when the access behind it is withdrawn or is another, with the reason", async () => {
  const { frames, call } = await read();
  await world.clock.elapse(30_000);
  await world.answers();
  expect(frames.end).toBeUndefined();
  world.application.answer = () => ({ status: 200, body: { ...USER, user: { id: 1, username: "another" } } });
  await world.clock.elapse(30_000);
  await until(() => frames.end !== undefined);
  expect([frames.end?.reason, call.isCancelled]).toEqual(["agent_forbidden", true]);
  const next = await read();
  world.application.answer = () => ({ status: 401 });
  await world.clock.elapse(30_000);
  await until(() => next.frames.end !== undefined);
  expect([next.frames.end?.reason, next.call.isCancelled]).toEqual(["401", true]);
});

test("a reader that leaves ends the call, and a kas that shuts down names that as the reason", async () => {
  const left = await read();
  left.answer.destroy();
  await until(() => left.call.isCancelled);
  await until(() => metrics.open === 0);
  const { frames, call } = await read();
  expect(metrics.open).toBe(1);
  endpoint.leave();
  await until(() => frames.end !== undefined);
  expect([frames.end?.reason, call.isCancelled]).toEqual(["shutting_down", true]);
});

test("a stream is two lines of the audit, without its pattern", async () => {
  const { answer, frames, call } = await read();
  call.say(line("one"));
  await until(() => frames.lines.length === 1);
  call.end();
  await new Promise((resolve) => answer.once("end", resolve));
  await until(() => audited.length === 2);
  const action = { verb: "get", apiGroup: "binnacle", resource: "logs" };
  expect(audited).toMatchObject([
    { event: "start", as: "gitlab:user:ann", agentId: 7n, action },
    { event: "end", as: "gitlab:user:ann", agentId: 7n, action, code: 200, bytesIn: QUERY.length, bytesOut: frames.bytes },
  ]);
  expect(JSON.stringify(audited, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(CANARY);
});
