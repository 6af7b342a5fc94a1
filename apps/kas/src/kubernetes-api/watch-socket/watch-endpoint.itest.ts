import { once } from "node:events";
import { json } from "node:stream/consumers";

import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { createStatus } from "@binnacle/kube";
import { HeaderExtraSchema } from "@binnacle/proto/kubernetes-api";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";

import { LocalConfigurationErrors } from "../../agent-configuration/configuration-errors.ts";
import type { AuditRecord } from "@binnacle/telemetry/audit";
import { ProxyAuthorizer } from "../../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../../main-application/testing/fake-main-application.ts";
import { ScriptedRouter, type ScriptedCall } from "../../agent-call/testing/scripted-router.ts";
import { KubernetesApiListener } from "../listener/kubernetes-api-listener.ts";
import { CallerAccess } from "../access/caller-access.ts";
import { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";
import { WatchEndpoint } from "./watch-endpoint.ts";

const PREFIX = "/-/k8s-proxy/";
const ORIGIN = "https://gitlab.example.com";
const USER = {
  agent: { id: 7, config_project: { id: 3 } },
  user: { id: 1, username: "ann" },
  access_as: { user: { projects: [{ id: 3, roles: ["reporter"] }], groups: [] } },
};
const PODS = { version: "v1", resource: "pods", namespace: "shop" };

let application: FakeMainApplication;
let router: ScriptedRouter;
let listener: KubernetesApiListener;
let clock: ManualClock;
let refused: string[];
let records: AuditRecord[];
const sockets: WebSocket[] = [];

beforeEach(async () => {
  application = await startMainApplication();
  application.answer = ({ body }) => (body.includes('"good"') ? { status: 200, body: USER } : { status: 401, body: {} });
  router = new ScriptedRouter();
  clock = new ManualClock();
  refused = [];
  // A watch of the test before may end late.
  const own: AuditRecord[] = [];
  records = own;
  const log = createLogger("test", "silent");
  const ttl = { okMs: 60_000, refusedMs: 10_000 };
  const shared = { router, clock, log, pathPrefix: PREFIX, allowedOrigin: ORIGIN, waitMs: 1_000 };
  const settings = {
    ...shared,
    authorizer: new ProxyAuthorizer(application.client({ clock }), clock, { users: ttl, jobs: ttl }),
    errors: new LocalConfigurationErrors(clock, 60_000),
    serverName: "gitlab-kas/test",
    onAnswer: () => undefined,
    audit: { add: (record: AuditRecord) => void own.push(record) },
  };
  const callers = new CallerAccess(settings);
  const proxy = new KubernetesProxy({ ...settings, callers });
  const refusals = { note: ({ reason }: { readonly reason: string }) => void refused.push(reason) };
  const watch = new WatchEndpoint({ ...shared, callers, refusals });
  listener = await KubernetesApiListener.open({
    listen: { host: "127.0.0.1", port: 0 },
    proxy,
    clock,
    graceMs: 60_000,
    refusals,
    upgrade: (request, socket, head) => watch.upgrade(request, socket, head),
    intercept: (request, response) => watch.intercept(request, response),
    onLeave: () => watch.close(),
  });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await listener.close();
  await application.close();
});

const PAT = { authorization: "Bearer pat:7:good" };
const COOKIE = { cookie: "_gitlab_kas=good", "gitlab-agent-id": "7", "x-csrf-token": "t" };

function askToken(headers: Record<string, string> = PAT): Promise<Response> {
  return fetch(`http://${listener.address}${PREFIX}watch?kas-websocket-token-request=true`, { headers });
}

interface Client {
  readonly socket: WebSocket;
  /** Settles with the HTTP status of the handshake. */
  readonly status: Promise<number>;
  send(message: unknown): void;
  next(): Promise<Record<string, unknown>>;
}

/** Opens the WebSocket as a browser does: token by request, then as a sub-protocol. */
async function dial(asker: Record<string, string>, handshake: Record<string, string> = {}): Promise<Client> {
  // The answer to a good request has this shape; the first test looks at it.
  const { token } = (await (await askToken(asker)).json()) as { token: string };
  const protocols = ["gitlab-agent-watch-api", `websocket-token.kas.gitlab.com.${token}`];
  const socket = new WebSocket(`ws://${listener.address}${PREFIX}watch`, protocols, { origin: ORIGIN, headers: handshake });
  sockets.push(socket);
  const messages: Record<string, unknown>[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString())));
  return {
    socket,
    status: new Promise((resolve, reject) => {
      socket.once("open", () => resolve(101));
      socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode ?? 0));
      socket.once("error", reject);
    }),
    send: (message) => socket.send(JSON.stringify(message)),
    async next() {
      await until(() => messages.length > 0);
      return messages.shift() ?? {};
    },
  };
}

async function connected(asker: Record<string, string> = PAT): Promise<Client> {
  const client = await dial(asker);
  expect(await client.status).toBe(101);
  return client;
}

/** Requests a watch and waits until the agent has received the request. */
async function watching(client: Client, params: Record<string, unknown> = PODS): Promise<ScriptedCall> {
  const before = router.calls.length;
  client.send({ type: "watch", watch_id: `w${before + 1}`, watch_params: params });
  await until(() => router.calls[before]?.halfClosed === true);
  const call = router.calls[before];
  if (call === undefined) throw new Error("no call reached the agent");
  return call;
}

function identityOf(call: ScriptedCall) {
  const header = call.messages[0]?.message;
  if (header?.case !== "header" || header.value.extra === undefined) return undefined;
  return anyUnpack(header.value.extra, HeaderExtraSchema)?.impConfig;
}

const event = (type: string, name: string) => ({
  type,
  object: { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "shop", uid: name } },
});

test("a token is handed to who may use the agent, with CORS, and never stored", async () => {
  const answer = await askToken({ ...PAT, origin: ORIGIN });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "access-control-allow-origin": ORIGIN,
    "access-control-allow-credentials": "true",
    "cache-control": "no-store",
    "content-type": "application/json",
  });
});

test("T29: an answer with a token is never compressed, whatever the client takes", async () => {
  const answer = await askToken({ ...PAT, origin: ORIGIN, "accept-encoding": "gzip, br, deflate" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-encoding")).toBeNull();
});

test("no other caller gets a token, and the cluster is not called", async () => {
  expect((await askToken({ authorization: "Bearer pat:7:bad" })).status).toBe(401);
  expect((await askToken({})).status).toBe(401);
  expect((await askToken({ ...PAT, origin: "https://evil.example" })).status).toBe(403);
  expect(router.calls).toHaveLength(0);
});

test("the initial list and later changes come through the tunnel, requested as the caller", async () => {
  const client = await connected();
  router.onRequest = (call) => {
    call.respond(200, { "Content-Type": ["application/json"] });
    call.data(`${JSON.stringify(event("ADDED", "one"))}\n${JSON.stringify(event("ADDED", "two")).slice(0, 20)}`);
  };
  const call = await watching(client, { ...PODS, send_initial_events: true });
  expect(await client.next()).toMatchObject({
    watchId: "w1",
    type: "data",
    watchEvent: { type: "ADDED", object: { metadata: { name: "one" } } },
  });
  call.data(`${JSON.stringify(event("ADDED", "two")).slice(20)}\n`);
  expect(await client.next()).toMatchObject({ watchEvent: { object: { metadata: { name: "two" } } } });
  const header = call.messages[0]?.message;
  if (header?.case !== "header") throw new Error("the first message is no header");
  expect(header.value.request).toMatchObject({
    method: "GET",
    urlPath: "/api/v1/namespaces/shop/pods",
    query: { watch: { value: ["true"] }, sendInitialEvents: { value: ["true"] } },
  });
  expect(identityOf(call)).toMatchObject({ username: "gitlab:user:ann", groups: ["gitlab:user", "gitlab:project_role:3:reporter"] });
  expect(call.request).toMatchObject({ agentId: 7n, impersonation: true });
});

test("a watch that the cluster refuses says why, and the socket goes on", async () => {
  const client = await connected();
  router.onRequest = (call) => {
    call.respond(403, { "Content-Type": ["application/json"] });
    call.data(JSON.stringify(createStatus(403, "pods is forbidden")));
    call.finish();
  };
  await watching(client);
  expect(await client.next()).toMatchObject({
    watchId: "w1",
    error: { type: "WATCH_NOT_ESTABLISHED", message: "pods is forbidden", object: { code: 403 } },
  });
  router.failure = new Fault("agent_not_connected", "the agent is away");
  client.send({ type: "watch", watch_id: "away", watch_params: PODS });
  expect(await client.next()).toMatchObject({
    watchId: "away",
    error: { object: { code: 503, message: expect.stringContaining("the agent is away") } },
  });
  router.failure = undefined;
  router.onRequest = (call) => call.fail(14, "tunnel broken");
  await watching(client);
  expect(await client.next()).toMatchObject({ error: { object: { code: 502, message: expect.stringContaining("tunnel broken") } } });
  expect(client.socket.readyState).toBe(WebSocket.OPEN);
});

test("frames in the wrong order end the watch and its call", async () => {
  const client = await connected();
  router.onRequest = (call) => call.data("{}");
  const call = await watching(client);
  expect(await client.next()).toMatchObject({ error: { object: { code: 502 } } });
  await until(() => call.cancelled);
});

test("unwatch, and a client that leaves, end the calls", async () => {
  const client = await connected();
  router.onRequest = (call) => call.respond(200);
  const [first, second] = [await watching(client), await watching(client)];
  client.send({ type: "unwatch", watch_id: "w1" });
  await until(() => first.cancelled);
  expect(second.cancelled).toBe(false);
  client.socket.terminate();
  await until(() => second.cancelled);
});

test("a token of a browser session is rejected without the cookie of the session", async () => {
  expect(await (await dial(COOKIE, { cookie: "_gitlab_kas=good" })).status).toBe(101);
  expect(await (await dial(COOKIE)).status).toBe(401);
  expect(await (await dial(COOKIE, { cookie: "_gitlab_kas=other" })).status).toBe(401);
});

const OURS = "gitlab-agent-watch-api";
const HANDSHAKES = [
  { title: "of a foreign page", origin: "https://evil.example", protocols: [OURS], code: 403, reason: "foreign_origin" },
  { title: "without our sub-protocol", origin: ORIGIN, protocols: ["chat"], code: 400, reason: "invalid_request" },
  { title: "without a token", origin: ORIGIN, protocols: [OURS], code: 401, reason: "token_unknown" },
  {
    title: "with a made-up token",
    origin: ORIGIN,
    protocols: [OURS, `websocket-token.kas.gitlab.com.${"x".repeat(43)}`],
    code: 401,
    reason: "token_unknown",
  },
];

test.each(HANDSHAKES)("XM13, T9: a handshake $title is refused with a Status, and counted", async (handshake) => {
  const { origin, protocols, code, reason } = handshake;
  const socket = new WebSocket(`ws://${listener.address}${PREFIX}watch`, protocols, { origin });
  socket.on("error", () => undefined);
  sockets.push(socket);
  const [, response] = await once(socket, "unexpected-response");
  expect(response.statusCode).toBe(code);
  expect(response.headers["content-type"]).toBe("application/json");
  expect(await json(response)).toMatchObject({
    kind: "Status",
    status: "Failure",
    code,
    message: expect.stringMatching(/^kas \(agent server\): /),
  });
  expect(refused).toEqual([reason]);
});

/** The first proof of a socket that is awake. */
async function firstProof(client: Client): Promise<void> {
  const pinged = once(client.socket, "ping");
  clock.advance(30_000);
  await pinged;
}

test("XS10, KS4, T23: the socket is closed at its first proof after its caller lost the agent, and its watches end", async () => {
  const client = await connected();
  router.onRequest = (call) => call.respond(200);
  const [first, second] = [await watching(client), await watching(client)];
  application.answer = () => ({ status: 401, body: {} });
  const closed = once(client.socket, "close");
  await firstProof(client);
  expect((await closed)[0]).toBe(1008);
  await until(() => first.cancelled && second.cancelled);
});

test.each([
  ["fewer roles", { user: { projects: [], groups: [] } }],
  ["other roles", { user: { projects: [{ id: 3, roles: ["maintainer"] }], groups: [] } }],
  ["the agent's own rights", { agent: {} }],
])("XS1, T23: %s close the socket: none of its watches continues with another identity", async (_name, access) => {
  const client = await connected();
  router.onRequest = (call) => call.respond(200);
  const call = await watching(client);
  application.answer = () => ({ status: 200, body: { ...USER, access_as: access } });
  const closed = once(client.socket, "close");
  await firstProof(client);
  expect((await closed)[0]).toBe(1008);
  await until(() => call.cancelled);
});

test("XS1: a watch does not begin with another identity than the socket", async () => {
  const client = await connected();
  clock.advance(20_001);
  application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  client.send({ type: "watch", watch_id: "w", watch_params: PODS });
  expect(await client.next()).toMatchObject({ watchId: "w", error: { type: "WATCH_NOT_ESTABLISHED", object: { code: 403 } } });
  expect(router.calls).toHaveLength(0);
});

test("T23: the same rights in another order are the same, and a main application that is down ends nothing", async () => {
  const roles = (...names: string[]) => ({ user: { projects: [{ id: 3, roles: names }], groups: [] } });
  application.answer = () => ({ status: 200, body: { ...USER, access_as: roles("reporter", "developer") } });
  const client = await connected();
  router.onRequest = (call) => call.respond(200);
  await watching(client);
  const before = application.seen.length;
  application.answer = () => ({ status: 200, body: { ...USER, access_as: roles("developer", "reporter") } });
  await firstProof(client);
  await until(() => application.seen.length === before + 1);
  application.answer = () => ({ status: 500, body: {} });
  // In small steps: the next proof is due half a minute after the answer to this one, whenever that is read.
  await clock.advanceUntil(() => application.seen.length === before + 2, 100);
  await settle();
  expect(client.socket.readyState).toBe(WebSocket.OPEN);
});

test("T42: the token, each watch and each refusal are recorded with the principal that opened the socket", async () => {
  const client = await connected();
  router.onRequest = (call) => call.respond(200);
  const call = await watching(client);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  client.send({ type: "watch", watch_id: "w2", watch_params: { version: "v1", resource: "../canary" } });
  await client.next();
  await client.next();
  call.data(`${JSON.stringify(event("ADDED", "a"))}\n`);
  await client.next();
  client.socket.terminate();
  router.failure = new Fault("agent_not_connected", "no");
  const other = await connected();
  other.send({ type: "watch", watch_id: "w3", watch_params: PODS });
  await other.next();
  await until(() => records.length === 8);
  const fields = records.map(({ event: what, principal, as, action, code }) => [what, principal, as, action.verb, action.resource, code]);
  const [ann, as] = [{ kind: "user", username: "ann", id: 1 }, "gitlab:user:ann"];
  expect(fields).toEqual([
    ["complete", ann, as, "create", "watchtokens", 200],
    ["start", ann, as, "watch", "pods", undefined],
    ["complete", ann, as, "watch", "pods", 409],
    ["complete", ann, as, "watch", undefined, 400],
    ["end", ann, as, "watch", "pods", 200],
    ["complete", ann, as, "create", "watchtokens", 200],
    ["start", ann, as, "watch", "pods", undefined],
    ["end", ann, as, "watch", "pods", 503],
  ]);
  expect(JSON.stringify(records, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain("canary");
});

test("another upgrade on the same port is answered as one to the cluster, another request goes there too", async () => {
  const socket = new WebSocket(`ws://${listener.address}${PREFIX}api/v1/pods`, "gitlab-agent-watch-api");
  socket.on("error", () => undefined);
  sockets.push(socket);
  const [, response] = await once(socket, "unexpected-response");
  expect(response.statusCode).toBe(401);
  expect((await fetch(`http://${listener.address}${PREFIX}watch`, { headers: PAT })).status).toBe(200);
  expect(router.calls).toHaveLength(1);
});

test("clients are notified when kas shuts down, and one that does not react cannot delay it", async () => {
  const [polite, deaf] = [await connected(), await connected()];
  // A stopped process takes the bytes and answers nothing.
  deaf.socket.pause();
  const closed = once(polite.socket, "close");
  let isDrained = false;
  const drained = listener.drain(new AbortController().signal).then(() => (isDrained = true));
  await clock.advanceUntil(() => isDrained, 100);
  await drained;
  expect((await closed)[0]).toBe(1012);
});
