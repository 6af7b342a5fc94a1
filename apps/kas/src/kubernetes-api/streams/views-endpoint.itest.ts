import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";

import { ByteLedger } from "@binnacle/grpc-wire";
import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectionState } from "@binnacle/proto/dashboard";
import { ViewSpecSchema, ViewSpecsSchema, type ViewSpec } from "@binnacle/proto/kas-views";
import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { COOKIE, ORIGIN, PAT, PREFIX, ProxyUnderTest, USER, type SendOptions } from "../listener/testing/proxy-under-test.ts";
import { ENVIRONMENT } from "../../views/testing/view-reader.ts";
import { ViewFrames } from "../../testing/response-frames.ts";
import { FakeViewsAgent } from "../../views/testing/views-agent.ts";
import { ViewsRouter } from "../../views/testing/views-router.ts";
import { VIEW_BOUNDS } from "../../views/view-bounds.ts";
import { ViewHub } from "../../views/view-hub.ts";
import { noViewsMetrics } from "../../views/views-metrics.ts";
import { ViewsEndpoint } from "./views-endpoint.ts";
import { VIEWS_TYPE } from "./views-response.ts";

const MIB = 1024 * 1024;
const PATH = `${PREFIX}binnacle/v1/views`;
const SPEC = Buffer.from(toBinary(ViewSpecSchema, ENVIRONMENT));
const NAME = "gitlab:user:ann";

let agent: FakeViewsAgent;
let router: ViewsRouter;
let hub: ViewHub;
let ledger: ByteLedger;
let world: ProxyUnderTest;

beforeEach(async () => {
  agent = new FakeViewsAgent();
  router = new ViewsRouter(agent);
  ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB });
  world = await ProxyUnderTest.start({ ledger, viewsOf: (agentId) => hub.engineOf(agentId) }, undefined, ({ callers, clock }) => {
    hub = new ViewHub({ router, clock, ledger, metrics: noViewsMetrics, waitMs: 20_000, onViolation: () => undefined });
    const endpoint = new ViewsEndpoint({ callers, hub, clock, metrics: noViewsMetrics, pathPrefix: PREFIX });
    return (request, response) => endpoint.intercept(request, response);
  });
});

afterEach(() => world.stop());

interface ViewRequest extends SendOptions {
  readonly path?: string;
}

async function ask({ path = PATH, ...request }: ViewRequest = {}): Promise<IncomingMessage> {
  return (await world.send(path, { method: "POST", body: SPEC, ...request })).body;
}

/** A reader of the view. */
async function look(request: ViewRequest = {}): Promise<{ readonly answer: IncomingMessage; readonly frames: ViewFrames }> {
  const answer = await ask(request);
  const frames = new ViewFrames();
  answer.on("data", (chunk: Buffer) => frames.push(chunk));
  return { answer, frames };
}

async function refusal({ path = PATH, ...request }: ViewRequest = {}): Promise<{
  readonly status: number;
  readonly reason: string | undefined;
}> {
  const { status, reason, kind, headers } = await world.refusal(path, { method: "POST", body: SPEC, ...request });
  expect([kind, headers["kas-refusal"] !== undefined]).toEqual(["Status", true]);
  return { status, reason };
}

test("a view is sent as it is, and as it changes, with the caller's identity in the cluster", async () => {
  agent.put("all", { a: "1" });
  const { answer, frames } = await look();
  await until(() => frames.shown["a"] === "1");
  const { "content-type": type, "cache-control": cache, "x-accel-buffering": buffering } = answer.headers;
  expect([answer.statusCode, type, cache, buffering]).toEqual([200, VIEWS_TYPE, "no-store, no-transform", "no"]);
  agent.put("all", { a: "2" });
  await until(() => frames.shown["a"] === "2");
  agent.remove("all", "a");
  await until(() => frames.shown["a"] === undefined);
  expect(agent.topics).toMatchObject([{ carrier: NAME }]);
  expect(frames.updates.some(({ connection }) => connection?.state === ConnectionState.CONNECTED)).toBe(true);
});

test("answers of an agent whose views are known say so, whatever its cluster says", async () => {
  const { answer } = await look();
  expect(answer.headers["kas-agent-views"]).toBe("engine-1");
  world.router.onRequest = (call) => {
    call.respond(200, { "Kas-Agent-Views": ["lie"] });
    call.finish();
  };
  expect((await world.send(`${PREFIX}api`)).headers["kas-agent-views"]).toBe("engine-1");
});

test("nothing is reported about an agent whose views were not requested", async () => {
  world.router.onRequest = (call) => {
    call.respond(200, { "Kas-Agent-Views": ["lie"] });
    call.finish();
  };
  expect((await world.send(`${PREFIX}api`)).headers["kas-agent-views"]).toBeUndefined();
});

test("a stream in which nothing happens says every 10 s that it lives", async () => {
  const { frames } = await look();
  await until(() => frames.updates.length > 0);
  await settle();
  const before = frames.updates.length;
  await world.clock.elapse(10_000);
  await until(() => frames.updates.length > before);
  expect(frames.updates.at(-1)).toMatchObject({ reset: false, entries: [], removed: [], more: false });
});

test.each<readonly [string, ViewRequest, { readonly status: number; readonly reason?: string }]>([
  ["another method", { method: "GET", body: Buffer.alloc(0) }, { status: 405 }],
  ["no credential", { headers: {} }, { status: 401 }],
  ["a session without its CSRF token", { headers: { cookie: COOKIE.cookie, "gitlab-agent-id": "7" } }, { status: 401 }],
  ["another origin", { headers: { ...PAT, origin: "https://evil.example" } }, { status: 403 }],
  ["an identity of the caller's choice", { headers: { ...PAT, "impersonate-user": "root" } }, { status: 400 }],
  ["no spec", { body: Buffer.from([0xff]) }, { status: 400, reason: "invalid_request" }],
  ["a spec of nothing", { body: Buffer.alloc(0) }, { status: 400, reason: "invalid_request" }],
  ["a body that is too large", { body: Buffer.alloc(VIEW_BOUNDS.bodyBytes + 1) }, { status: 413 }],
])("%s is rejected, and the agent is not called", async (_, request, refused) => {
  expect(await refusal(request)).toEqual(refused);
  expect(router.requests).toEqual([]);
});

/** A request whose body comes bit by bit, without a length. */
function begin(): { readonly sent: ClientRequest; readonly status: Promise<number | undefined> } {
  const [host, port] = world.address.split(":");
  const sent = httpRequest({ host, port, path: PATH, method: "POST", headers: { ...PAT, "transfer-encoding": "chunked" } });
  sent.on("error", () => undefined);
  const status = new Promise<number | undefined>((resolve) => {
    sent.on("response", (answer) => {
      answer.on("error", () => undefined);
      resolve(answer.statusCode);
    });
  });
  sent.flushHeaders();
  return { sent, status };
}

test("a body of no announced length is refused as soon as it is too large", async () => {
  const { sent, status } = begin();
  for (let written = 0; written <= VIEW_BOUNDS.bodyBytes; written += MIB) sent.write(Buffer.alloc(MIB));
  expect(await status).toBe(413);
  sent.destroy();
});

test("what has come of a body is in its sender's account until all of it has", async () => {
  const { sent } = begin();
  sent.write(Buffer.alloc(MIB));
  const held = (): number => (ledger.sample(), ledger.held({ kind: "user", id: "user:1" }));
  await until(() => held() >= MIB);
  sent.destroy();
  await until(() => held() === 0);
  expect(router.requests).toEqual([]);
});

test("a client that does not complete its spec is rejected after 20 s", async () => {
  const { sent, status } = begin();
  sent.write(SPEC.subarray(0, 3));
  await until(() => world.application.seen.length === 1);
  await world.answers();
  await world.clock.elapse(20_000);
  expect([await status, router.requests]).toEqual([408, []]);
  sent.destroy();
});

test("a spec that comes in pieces is a spec", async () => {
  agent.put("all", { a: "1" });
  const { sent, status } = begin();
  sent.write(SPEC.subarray(0, 3));
  sent.end(SPEC.subarray(3));
  expect([await status, agent.heard("prove")]).toEqual([200, 1]);
});

test("a page of the main application may ask, with its session", async () => {
  const { answer } = await look({ headers: { ...COOKIE, origin: ORIGIN } });
  expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, ORIGIN]);
});

test("where the agent itself acts, no caller can choose another identity for a view", async () => {
  world.application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  expect(await refusal({ headers: { ...PAT, "impersonate-user": "root" } })).toMatchObject({ status: 400 });
  await look();
  expect(agent.topics).toMatchObject([{ carrier: "" }]);
});

test("an agent without views is 501 at once", async () => {
  router.agent = undefined;
  router.missing = "unknown_method";
  expect(await refusal()).toEqual({ status: 501, reason: "unknown_method" });
});

test("an agent with another engine is 501", async () => {
  agent.engine = "engine-2";
  expect(await refusal()).toEqual({ status: 501, reason: "agent_outdated" });
});

test("a viewer who may not use the agent any more receives that within a minute, and nothing else", async () => {
  const { frames, answer } = await look();
  await until(() => frames.updates.length > 0);
  world.application.answer = () => ({ status: 403 });
  const ended = new Promise((resolve) => answer.once("end", resolve));
  for (let second = 0; second < 60 && frames.updates.at(-1)?.end === undefined; second += 1) {
    await world.clock.elapse(1_000);
    await world.answers();
  }
  await ended;
  expect(frames.updates.at(-1)?.end).toMatchObject({ reason: "401" });
  await until(() => ledger.held({ kind: "user", id: "user:1" }) === 0);
  await world.clock.elapse(20_000);
  expect(agent.topics).toEqual([]);
});

test("a reader that stalls keeps a piece of a change waiting, and receives the newest state when it reads again", async () => {
  agent.pieceEntries = 5;
  for (let index = 0; index < 60; index += 1) agent.table("all").put(`k${index}`, Buffer.alloc(250_000, 97));
  agent.table("all").announce();
  const answer = await ask();
  answer.pause();
  const fast = await look();
  await until(() => Object.keys(fast.frames.shown).length === 60);
  for (let round = 0; round < 100; round += 1) {
    agent.put("all", { k0: `round ${round}` });
    await settle();
  }
  await until(() => fast.frames.shown["k0"] === "round 99");
  ledger.sample();
  expect(ledger.held({ kind: "user", id: "user:1" })).toBeLessThan(2 * MIB);
  const frames = new ViewFrames();
  answer.on("data", (chunk: Buffer) => frames.push(chunk));
  answer.resume();
  await until(() => frames.shown["k0"] === "round 99" && Object.keys(frames.shown).length === 60);
  expect(frames.bytes).toBeLessThan(20_000_000);
});

test("a sign of life in the middle of a change does not end the change", async () => {
  agent.pieceEntries = 5;
  for (let index = 0; index < 80; index += 1) agent.table("all").put(`k${index}`, Buffer.alloc(250_000, 97));
  agent.table("all").announce();
  const answer = await ask();
  answer.pause();
  await until(() => agent.topics.length === 1);
  agent.silent = true;
  for (let second = 0; second < 62; second += 1) {
    await world.clock.elapse(1_000);
    await world.answers();
  }
  const frames = new ViewFrames();
  answer.on("data", (chunk: Buffer) => frames.push(chunk));
  answer.resume();
  await until(() => frames.updates.at(-1)?.connection?.state === ConnectionState.RECONNECTING);
  const before = frames.updates.length;
  await world.clock.elapse(10_000);
  await until(() => frames.updates.length > before);
  expect([frames.updates.at(-1)?.more, frames.updates.at(-1)?.entries, frames.shown]).toEqual([true, [], {}]);
  agent.silent = false;
  await world.clock.elapse(15_000);
  await until(() => Object.keys(frames.shown).length === 80);
});

test("a reader that takes nothing for ten minutes is cut", async () => {
  for (let index = 0; index < 60; index += 1) agent.table("all").put(`k${index}`, Buffer.alloc(250_000, 97));
  agent.pieceEntries = 5;
  const answer = await ask();
  answer.pause();
  await until(() => agent.topics.length === 1);
  for (let turn = 0; turn < 50; turn += 1) await settle();
  let closed = false;
  answer.once("close", () => (closed = true));
  for (let minute = 0; minute < 11; minute += 1) {
    await world.clock.elapse(60_000);
    await world.answers();
  }
  answer.resume();
  await until(() => closed);
  await world.clock.elapse(30_000);
  expect([agent.topics, ledger.held({ kind: "user", id: "user:1" })]).toEqual([[], 0]);
});

test("this kas says that it goes away", async () => {
  const { frames, answer } = await look();
  await until(() => frames.updates.length > 0);
  const ended = new Promise((resolve) => answer.once("end", resolve));
  hub.leave();
  await ended;
  expect(frames.updates.at(-1)?.end).toMatchObject({ reason: "shutting_down", message: expect.stringContaining("goes away") });
  expect(await refusal()).toEqual({ status: 503, reason: "shutting_down" });
});

test("a client that disconnects before it was served leaves no state", async () => {
  agent.silent = true;
  const [host, port] = world.address.split(":");
  const sent = httpRequest({ host, port, path: PATH, method: "POST", headers: { ...PAT, "content-length": SPEC.length } });
  sent.on("error", () => undefined);
  sent.end(SPEC);
  await until(() => agent.heard("prove") === 1);
  sent.destroy();
  await until(() => world.answered.length === 1);
  await world.clock.elapse(30_000);
  expect([world.answered, router.running.size]).toEqual([[499], 0]);
});

/** A request for several views. */
function many(...views: readonly ViewSpec[]): ViewRequest {
  return { path: `${PATH}/many`, body: Buffer.from(toBinary(ViewSpecsSchema, create(ViewSpecsSchema, { views: [...views] }))) };
}

const NODES = create(ViewSpecSchema, { view: { case: "nodes", value: {} } });
const OF_ANOTHER_ENGINE = create(ViewSpecSchema, { view: { case: "environment", value: { engine: "another" } } });

test("several views travel over one answer, each under its number, and one that cannot be had ends alone", async () => {
  agent.put("all", { a: "1" });
  const { answer, frames } = await look(many(ENVIRONMENT, OF_ANOTHER_ENGINE, NODES));
  await until(() => frames.shownOf(1n)["a"] === "1" && frames.shownOf(3n)["a"] === "1");
  const ends = frames.updates.flatMap(({ end }) => (end ? [[end.topic, end.reason]] : []));
  expect([answer.statusCode, frames.shownOf(2n), ends]).toEqual([200, {}, [[2n, "agent_outdated"]]]);
  agent.put("all", { a: "2" });
  await until(() => frames.shownOf(1n)["a"] === "2" && frames.shownOf(3n)["a"] === "2");
  await world.clock.elapse(10_000);
  await until(() => frames.updates.at(-1)?.topic === 0n);
  expect([agent.topics.length, router.requests.length]).toEqual([2, 1]);
});

test("of several views none of which can be had, the first says why", async () => {
  expect(await refusal(many(OF_ANOTHER_ENGINE, OF_ANOTHER_ENGINE))).toEqual({ status: 501, reason: "agent_outdated" });
});

test.each([
  ["no views", many()],
  ["more views than one may look at", many(...Array.from({ length: VIEW_BOUNDS.subscriptionsPerCaller + 1 }, () => NODES))],
  ["bytes that are no views", { path: `${PATH}/many`, body: Buffer.from([0xff, 0xff]) }],
])("%s are refused", async (_, request) => {
  expect(await refusal(request)).toEqual({ status: 400, reason: "invalid_request" });
});

test("T37: updates of several views end too when their rights are gone", async () => {
  agent.put("all", { a: "1" });
  const { frames } = await look(many(ENVIRONMENT, NODES));
  await until(() => frames.shownOf(1n)["a"] === "1" && frames.shownOf(2n)["a"] === "1");
  world.application.answer = () => ({ status: 403 });
  for (let second = 0; second < 60 && frames.updates.at(-1)?.end === undefined; second += 1) {
    await world.clock.elapse(1_000);
    await world.answers();
  }
  await until(() => frames.updates.at(-1)?.end !== undefined);
  expect(frames.updates.at(-1)?.end).toMatchObject({ topic: 0n, reason: "401" });
  await world.clock.elapse(20_000);
  expect(agent.topics).toEqual([]);
});
