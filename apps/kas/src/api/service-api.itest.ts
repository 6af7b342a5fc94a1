import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { ByteLedger } from "@binnacle/grpc-wire";
import { createClient, type ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { ServiceApi, ServiceApiHeaderExtraSchema, ServiceHeaderExtraSchema, ServiceRight } from "@binnacle/proto/service-proxy";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { SignJWT } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { AuditRecord } from "@binnacle/telemetry/audit";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import type { Http2Listener } from "../http2-listener/http2-listener.ts";
import { ProxyAuthorizer } from "../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import { USER } from "../kubernetes-api/listener/testing/proxy-under-test.ts";
import { ScriptedRouter } from "../agent-call/testing/scripted-router.ts";
import { openApiListener } from "./api-listener.ts";
import { JwtGate } from "./jwt-gate.ts";
import { serviceApi } from "./service-api.ts";

const SECRET = Buffer.alloc(64, 9);
const MIB = 1024 * 1024;

let application: FakeMainApplication;
let router: ScriptedRouter;
let listener: Http2Listener;
let authorization: string;
let ledger: ByteLedger;
let records: AuditRecord[];
const clock = new ManualClock(Date.now());

beforeEach(async () => {
  application = await startMainApplication();
  application.answer = ({ body }) => (body.includes('"good"') ? { status: 200, body: USER } : { status: 401, body: {} });
  router = new ScriptedRouter();
  records = [];
  ledger = new ByteLedger({ processBytes: 64 * MIB, agentBytes: 64 * MIB, userBytes: 16 * MIB });
  const log = createLogger("test", "silent");
  const ttl = { okMs: 60_000, refusedMs: 10_000 };
  const authorizer = new ProxyAuthorizer(application.client({ clock }), clock, { users: ttl, jobs: ttl });
  listener = await openApiListener({
    listen: { host: "127.0.0.1", port: 0 },
    maxConnectionAgeMs: 3_600_000,
    shutdownGraceMs: 0,
    clock,
    log,
    gate: new JwtGate({ secret: SECRET, issuers: ["gitlab"], clock }),
    connectHandler: createTypedHandler({
      routes: serviceApi({ router, clock, log, authorizer, ledger, waitMs: 1_000, audit: { add: (record) => void records.push(record) } }),
      readMaxBytes: 10 * MIB,
    }),
  });
  const jwt = new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setIssuer("gitlab").setAudience("gitlab-kas").setExpirationTime("4m");
  authorization = `Bearer ${await jwt.sign(SECRET)}`;
});

afterEach(async () => {
  await listener.close();
  await application.close();
});

type Message = NonNullable<MessageInitShape<typeof HttpRequestSchema>["message"]>;

const header = (over: MessageInitShape<typeof ServiceApiHeaderExtraSchema> = {}, method = "GET"): Message => ({
  case: "header",
  value: {
    request: {
      method,
      urlPath: "/api/v1/query",
      query: { query: { value: ["up"] } },
      header: { Accept: { value: ["*/*"] }, Cookie: { value: ["canary"] } },
    },
    extra: anyPack(
      ServiceApiHeaderExtraSchema,
      create(ServiceApiHeaderExtraSchema, { service: "prometheus", right: ServiceRight.RAW, authorization: "Bearer pat:7:good", ...over }),
    ),
  },
});
const TRAILER: Message = { case: "trailer", value: {} };

/** Status and body of the answer. */
async function ask(...messages: readonly Message[]) {
  return askUntil(undefined, ...messages);
}

async function askUntil(signal: AbortSignal | undefined, ...messages: readonly Message[]) {
  const client = createClient(ServiceApi, createGrpcTransport({ baseUrl: `http://${listener.address}` }));
  async function* requests() {
    for (const message of messages) yield create(HttpRequestSchema, { message });
  }
  const body: Uint8Array[] = [];
  let [status, whole, names] = [0, false, [] as string[]];
  for await (const { message } of client.makeRequest(requests(), { headers: { authorization }, ...(signal && { signal }) })) {
    if (message.case === "header") status = message.value.response?.statusCode ?? 0;
    if (message.case === "header") names = Object.keys(message.value.response?.header ?? {});
    if (message.case === "data") body.push(message.value.data);
    whole = message.case === "trailer";
  }
  return { status, whole, names, body: Buffer.concat(body).toString() };
}

const failure = (...messages: readonly Message[]) =>
  ask(...messages).then(
    () => undefined,
    (error: ConnectError) => ({ reason: error.metadata.get("binnacle-reason"), message: error.rawMessage }),
  );

test("a service request with a user's credential reaches the agent with that user's identity", async () => {
  expect(await ask(header(), TRAILER)).toMatchObject({ status: 200, whole: true, body: "{}" });
  const [call] = router.calls;
  expect(call?.request).toMatchObject({
    agentId: 7n,
    method: "/kas.v1.ServiceProxy/MakeRequest",
    context: { caller: { kind: "user", id: "1" } },
  });
  const message = call?.messages[0]?.message;
  if (message?.case !== "header" || message.value.extra === undefined) throw new Error("the agent got no header");
  expect(message.value.request).toMatchObject({ urlPath: "/api/v1/query", header: { accept: { value: ["*/*"] } } });
  expect(JSON.stringify(message.value.request)).not.toContain("canary");
  expect(anyUnpack(message.value.extra, ServiceHeaderExtraSchema)).toMatchObject({
    service: "prometheus",
    right: ServiceRight.RAW,
    caller: { username: "ann" },
    identity: { username: "gitlab:user:ann" },
  });
});

test("bodies and answers are streamed whole", async () => {
  router.onRequest = (call) => {
    call.respond(200, { "Set-Cookie": ["a=b"], "Content-Type": ["text/plain"] });
    for (let sent = 0; sent < 4; sent += 1) call.data("x".repeat(MIB / 2));
    call.finish();
  };
  const data: Message = { case: "data", value: { data: Buffer.from("hello") } };
  const { names, body, whole } = await ask(header({}, "POST"), data, data, TRAILER);
  expect([body.length, whole]).toEqual([2 * MIB, true]);
  expect(names).toContain("content-type");
  expect(names).not.toContain("set-cookie");
  const sent = router.calls[0]?.messages.flatMap(({ message }) =>
    message.case === "data" ? [Buffer.from(message.value.data).toString()] : [],
  );
  expect(sent?.join("")).toBe("hellohello");
});

test("T36: without a valid credential of a user or job no agent gets the request, whatever the JWT is", async () => {
  expect(await failure(header({ authorization: "" }), TRAILER)).toMatchObject({ reason: "token_unknown" });
  expect(await failure(header({ authorization: "Bearer pat:7:bad" }), TRAILER)).toEqual({
    reason: "token_unknown",
    message: "Unauthorized",
  });
  authorization = "Bearer none";
  await expect(ask(header(), TRAILER)).rejects.toThrow("unauthenticated");
  expect(router.calls).toEqual([]);
});

test.each([
  ["no header", [TRAILER], "the first message must be a header"],
  ["no extra", [{ case: "header", value: {} }, TRAILER], "does not say which service"],
  [
    "an extra that cannot be read",
    [
      {
        case: "header",
        value: { extra: { ...anyPack(ServiceApiHeaderExtraSchema, create(ServiceApiHeaderExtraSchema)), value: Uint8Array.of(0xff) } },
      },
      TRAILER,
    ],
    "cannot be read",
  ],
  ["a second header", [header(), header()], "data or the trailer must follow"],
  ["a header in the body", [header({}, "POST"), { case: "data", value: { data: Buffer.from("a") } }, header()], "must follow data"],
] as const)("frames out of order are refused: %s", async (_what, messages, message) => {
  expect(await failure(...messages)).toMatchObject({ message: expect.stringContaining(message) });
});

test("a caller who leaves, and one whose rights are gone, end the request at the agent", async () => {
  router.onRequest = (call) => call.respond(200);
  const leave = new AbortController();
  const left = askUntil(leave.signal, header(), TRAILER);
  await until(() => router.calls[0]?.halfClosed === true);
  leave.abort();
  await expect(left).rejects.toThrow("canceled");
  await until(() => router.calls[0]?.cancelled === true);
  const refused = failure(header(), TRAILER);
  await until(() => router.calls[1]?.halfClosed === true);
  application.answer = () => ({ status: 401, body: {} });
  clock.advance(30_000);
  expect(await refused).toMatchObject({ reason: "agent_forbidden" });
  expect(router.calls[1]?.cancelled).toBe(true);
});

test("T14: what the main application does not read is booked on the caller, and is gone with the request", async () => {
  router.onRequest = (call) => {
    call.respond(200);
    call.data(new Uint8Array(8 * MIB));
  };
  const client = createClient(ServiceApi, createGrpcTransport({ baseUrl: `http://${listener.address}` }));
  const leave = new AbortController();
  const messages = [header(), TRAILER].map((message) => create(HttpRequestSchema, { message }));
  async function* requests() {
    yield* messages;
  }
  const answers = client.makeRequest(requests(), { headers: { authorization }, signal: leave.signal })[Symbol.asyncIterator]();
  await answers.next();
  const held = (): number => {
    ledger.sample();
    return ledger.held({ kind: "user", id: "user:1" });
  };
  await until(() => held() >= 8 * MIB);
  leave.abort();
  await expect(answers.next()).rejects.toThrow("canceled");
  await until(() => held() === 0 && ledger.counts().streams === 0);
  expect(router.calls[0]?.cancelled).toBe(true);
});

test("a failure of the way is its code", async () => {
  router.failure = new Fault("unknown_method", "agent 7 does not offer it");
  expect(await failure(header(), TRAILER)).toMatchObject({ reason: "unknown_method" });
});

test("T42: a request of the main application is recorded as that of whose credential it bears", async () => {
  await ask(header(), TRAILER);
  router.failure = new Fault("agent_not_connected", "no");
  await failure(header(), TRAILER);
  await failure(header({ authorization: "Bearer pat:7:unknown" }), TRAILER);
  const whose = {
    principal: { kind: "user", username: "ann", id: 1 },
    as: "gitlab:user:ann",
    action: { service: "prometheus", method: "GET" },
  };
  expect(records).toMatchObject([
    { ...whose, event: "complete", code: 200, bytesOut: 2 },
    { ...whose, event: "complete", code: 503 },
  ]);
});
