import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { ServiceRight, type ServiceHeaderExtraSchema } from "@binnacle/proto/service-proxy";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas, type FakeConfigurationStream } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import {
  endBody,
  exchange,
  nextResponse,
  readResponse,
  sendBody,
  startRequest,
  type TunnelledRequest,
} from "../testing/tunnelled-request.ts";

const ANN = { username: "ann" };
const RAW = { service: "prometheus", right: ServiceRight.RAW, caller: ANN };
const ENTRY: MessageInitShape<typeof ServiceOptionsSchema> = {
  name: "prometheus",
  namespace: "monitoring",
  service: "prometheus",
  port: "9090",
  scheme: "http",
  pathPrefix: "/api/v1/",
  methods: ["GET", "HEAD", "POST"],
  answerWithinSeconds: 30,
  raw: { users: ["ann"] },
};

let kas: FakeKas;
let api: ApiStandIn;
let service: ApiStandIn;
let agent: RunningAgent;
let configuration: FakeConfigurationStream;
let commit = 0;

beforeEach(async () => {
  [kas, api, service] = await Promise.all([FakeKas.listen(), ApiStandIn.listen(), ApiStandIn.listen()]);
  const at = { address: "127.0.0.1", port: Number(service.url.port) };
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url), {
    serviceEndpoints: new Map([["monitoring/prometheus", at]]),
  });
  configuration = await kas.configuration();
  await configure(ENTRY);
  api.requests.length = 0;
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await Promise.all([api.close(), service.close()]);
});

/** Settles when the agent has it. */
async function configure(...services: MessageInitShape<typeof ServiceOptionsSchema>[]): Promise<void> {
  commit += 1;
  const before = agent.lines.length;
  configuration.send({ commitId: `c${commit}`, configuration: { agentId: 1n, binnacle: { services } } });
  await until(() => agent.lines.slice(before).some((line) => line.includes("configuration received")));
}

const ask = async (path: string, over: Partial<TunnelledRequest> = {}) => exchange(await kas.tunnel(), { path, service: RAW, ...over });
/** The machine's word and the sentence of a refusal. */
async function refused(path: string, over: Partial<TunnelledRequest> = {}) {
  const answer = await ask(path, over);
  // Every refusal of agentk has this shape.
  const { message } = JSON.parse(answer.body) as { message: string };
  return { code: answer.statusCode, reason: answer.headers.get("binnacle-service-refusal")?.[0], message };
}

describe("a request of one's own", () => {
  test("arrives at the service as it was written, and its answer comes back whole", async () => {
    service.answer = (_request, response) =>
      void response
        .writeHead(200, { "content-type": "application/json", "binnacle-service-refusal": "forged" })
        .end('{"status":"success"}');
    const answer = await ask("/api/v1/query", { query: [["query", ["sum(up) > 0"]]] });
    expect(answer).toMatchObject({ statusCode: 200, body: '{"status":"success"}', end: { code: 0 } });
    expect(answer.headers.has("binnacle-service-refusal")).toBe(false);
    const [seen] = service.requests;
    expect(seen?.url).toBe("/api/v1/query?query=sum%28up%29+%3E+0");
    expect(seen?.headers.host).toBe(`prometheus.monitoring.svc:${service.url.port}`);
    expect(api.requests).toEqual([]);
  });

  test("T36: no credential and no claim of an identity reaches a service", async () => {
    const names = ["Authorization", "Cookie", "X-Csrf-Token", "X_Csrf_Token", "Gitlab-Agent-Id", "Private-Token", "Job-Token"];
    const claims = ["Proxy-Authorization", "Impersonate-User", "X-Forwarded-For", "Forwarded", "X-Remote-User", "X-Anything", "Host"];
    const headers = [...names, ...claims].map((name) => [name, ["canary"]] as const);
    await ask("/api/v1/query", { headers: [...headers, ["Accept", ["text/plain"]], ["X-Request-Id", ["one"]]] });
    expect(service.requests[0]?.rawHeaders.join("\n")).not.toContain("canary");
    expect(service.requests[0]?.headers).toMatchObject({ accept: "text/plain", "x-request-id": "one" });
  });

  test("with a body is streamed both ways, whole", async () => {
    const MIB = 1024 * 1024;
    const bytes = 24 * MIB;
    service.answer = (request, response) => void request.pipe(response);
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { method: "POST", path: "/api/v1/write", service: RAW });
    const answer = readResponse(tunnel);
    for (let sent = 0; sent < bytes; sent += MIB) sendBody(tunnel, Buffer.alloc(MIB, 97));
    endBody(tunnel);
    expect((await answer).body.length).toBe(bytes);
    expect(service.requests[0]?.headers["transfer-encoding"]).toBe("chunked");
  });

  test("T36: a body that is longer or shorter than it says never ends up as another request", async () => {
    const smuggled = Buffer.from("abcGET /admin HTTP/1.1\r\nHost: a\r\n\r\n");
    for (const [contentLength, body] of [
      [3n, smuggled],
      [10n, Buffer.from("abc")],
    ] as const) {
      const tunnel = await kas.tunnel();
      startRequest(tunnel, { method: "POST", path: "/api/v1/write", service: RAW, contentLength });
      sendBody(tunnel, body);
      endBody(tunnel);
      expect((await readResponse(tunnel)).end).toMatchObject({ code: 3, message: "the body is not as long as it says" });
    }
    expect(service.requests.filter(({ url }) => url === "/admin")).toEqual([]);
  });

  test("a GET with a body is framed too", async () => {
    const seen: string[] = [];
    service.answer = (request, response) => {
      request.on("data", (chunk: Buffer) => seen.push(chunk.toString()));
      request.on("end", () => response.end("{}"));
    };
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/api/v1/query", service: RAW });
    sendBody(tunnel, Buffer.from("GET /admin HTTP/1.1\r\n\r\n"));
    endBody(tunnel);
    expect((await readResponse(tunnel)).statusCode).toBe(200);
    expect(seen.join("")).toBe("GET /admin HTTP/1.1\r\n\r\n");
    expect(service.requests).toHaveLength(1);
  });

  test("ends at the service when its caller leaves", async () => {
    service.answer = (_request, response) => response.flushHeaders();
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/api/v1/query", service: RAW });
    endBody(tunnel);
    await nextResponse(tunnel);
    const closed = service.connectionClosed();
    tunnel.reset();
    await expect(closed).resolves.toBeUndefined();
  });
});

describe("what is not allowed has a message", () => {
  test("T36: an entry that is not there and one that is for others look the same, and no request is sent", async () => {
    const other = await refused("/api/v1/query", { service: { ...RAW, caller: { username: "bob" } } });
    expect(other).toEqual({
      code: 403,
      reason: "service_not_allowed",
      message:
        'agent: the agent\'s configuration allows you no service "prometheus" (services in binnacle.yaml; raw of its entry says who may send requests)',
    });
    const unknown = await refused("/api/v1/query", { service: { ...RAW, service: "grafana" } });
    expect(unknown).toEqual({ ...other, message: other.message.replace("prometheus", "grafana") });
    const wrong: readonly MessageInitShape<typeof ServiceHeaderExtraSchema>[] = [
      { ...RAW, right: ServiceRight.UNSPECIFIED },
      { ...RAW, right: ServiceRight.METRICS },
      { service: "prometheus", right: ServiceRight.RAW },
    ];
    for (const each of wrong) expect(await refused("/api/v1/query", { service: each })).toEqual(other);
    expect([...service.requests, ...api.requests]).toEqual([]);
  });

  test("a method and a path beside the entry", async () => {
    expect(await refused("/api/v1/x", { method: "DELETE" })).toMatchObject({ code: 403, reason: "service_request_refused" });
    expect(await refused("/admin")).toMatchObject({ message: "agent: service prometheus accepts only paths below /api/v1/" });
    expect(service.requests).toEqual([]);
  });

  test("the answer to a HEAD has no body", async () => {
    const answer = await ask("/admin", { method: "HEAD" });
    expect(answer).toMatchObject({ statusCode: 403, body: "", end: { code: 0 } });
  });

  test("T15: a request that does not say who asks, in a way that can be read, ends its call and no other", async () => {
    const extras = [
      { typeUrl: "type.googleapis.com/kas.v1.ServiceHeaderExtra", value: Uint8Array.of(0xff) },
      { typeUrl: "type.googleapis.com/gitlab.agent.kubernetes_api.rpc.HeaderExtra", value: new Uint8Array() },
      undefined,
    ];
    for (const extra of extras) {
      const tunnel = await kas.tunnel();
      tunnel.requestInfo("/kas.v1.ServiceProxy/MakeRequest");
      const header = { request: { method: "GET", urlPath: "/api/v1/query" }, ...(extra && { extra }) };
      tunnel.message(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "header", value: header } })));
      expect((await readResponse(tunnel)).end.code).toBe(3);
    }
    expect((await ask("/api/v1/query")).statusCode).toBe(200);
    expect(service.requests).toHaveLength(1);
  });

  test("T36: a service on loopback is rejected when its endpoint is not named by flag", async () => {
    const slice = {
      endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready: true } }],
      ports: [{ name: "web", port: Number(service.url.port) }],
    };
    api.answer = (request, response) =>
      void response.end(
        request.url?.includes("/endpointslices")
          ? JSON.stringify({ items: [slice] })
          : JSON.stringify({ spec: { ports: [{ name: "web", port: 9090 }] } }),
      );
    await configure({ ...ENTRY, service: "other" });
    expect(await refused("/api/v1/query")).toMatchObject({
      code: 403,
      reason: "service_address_refused",
      message: expect.stringContaining("loopback"),
    });
    expect(service.requests).toEqual([]);
  });

  test("T36: a redirect to the metadata address is refused, one within the service is passed on", async () => {
    let location = "http://169.254.169.254/latest/meta-data/";
    service.answer = (_request, response) => void response.writeHead(302, { location }).end();
    expect(await refused("/api/v1/query")).toMatchObject({
      code: 502,
      reason: "service_redirects",
      message: "agent: the service redirects to another place; only redirects within the same service are passed on",
    });
    location = "/api/v1/labels";
    expect((await ask("/api/v1/query")).headers.get("location")).toEqual(["/api/v1/labels"]);
  });

  test("a service that never answers", async () => {
    service.answer = () => {};
    await configure({ ...ENTRY, answerWithinSeconds: 1 });
    expect(await refused("/api/v1/query")).toEqual({
      code: 504,
      reason: "service_silent",
      message: "agent: service prometheus has not begun to answer in 1 s",
    });
  });

  test("a service that breaks off, one that speaks no HTTP, and one that is gone", async () => {
    service.answer = (request) => request.socket.destroy();
    expect(await refused("/api/v1/query")).toMatchObject({ code: 502, reason: "service_answer_refused" });
    service.answer = (request) => request.socket.end("SSH-2.0-x\r\n");
    expect(await refused("/api/v1/query")).toMatchObject({ code: 502, reason: "service_answer_refused" });
    await service.close();
    expect(await refused("/api/v1/query")).toMatchObject({
      code: 503,
      reason: "service_unreachable",
      message: "agent: service monitoring/prometheus cannot be connected to (ECONNREFUSED)",
    });
  });
});

describe("a WebSocket", () => {
  const HANDSHAKE = [
    ["Upgrade", ["websocket"]],
    ["Sec-Websocket-Key", ["key"]],
    ["Cookie", ["canary"]],
    ["Origin", ["https://app.example"]],
  ] as const;
  const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: yes\r\n\r\n";
  const upgradeData = (text: string) =>
    toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "upgradeData", value: { data: Buffer.from(text) } } }));

  test("is opened when the entry says so; its bytes are passed until the client ends", async () => {
    await configure({ ...ENTRY, upgrades: true });
    let seen: IncomingMessage | undefined;
    service.server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
      seen = request;
      socket.write(`${SWITCHED}hello`);
      socket.pipe(socket);
    });
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/api/v1/live", service: RAW, headers: HANDSHAKE });
    tunnel.message(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: {} } })));
    expect(await nextResponse(tunnel)).toMatchObject({ case: "header", value: { response: { statusCode: 101 } } });
    expect(await nextResponse(tunnel)).toMatchObject({ case: "trailer" });
    expect(await nextResponse(tunnel)).toMatchObject({ case: "upgradeData", value: { data: Buffer.from("hello") } });
    tunnel.message(upgradeData("there"));
    expect(await nextResponse(tunnel)).toMatchObject({ case: "upgradeData", value: { data: Buffer.from("there") } });
    tunnel.closeSend();
    expect(await nextResponse(tunnel)).toMatchObject({ code: 0 });
    expect(seen?.headers).toMatchObject({ connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "key" });
    expect(seen?.headers).not.toHaveProperty("cookie");
  });

  test("T1: is refused without that, and no raw byte passes that the service has not answered with 101", async () => {
    expect(await refused("/api/v1/live", { headers: HANDSHAKE })).toMatchObject({
      code: 403,
      reason: "service_request_refused",
      message: "agent: service prometheus does not accept WebSockets",
    });
    await configure({ ...ENTRY, upgrades: true, answerWithinSeconds: 1 });
    expect(await refused("/api/v1/live", { headers: HANDSHAKE })).toMatchObject({
      code: 502,
      message: expect.stringContaining("answers 200"),
    });
    let raw = "";
    service.server.on(
      "upgrade",
      (_request: IncomingMessage, socket: Duplex) => void socket.on("data", (chunk: Buffer) => (raw += chunk.toString())),
    );
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/api/v1/live", service: RAW, headers: HANDSHAKE });
    tunnel.message(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: {} } })));
    tunnel.message(upgradeData("GET /admin HTTP/1.1"));
    expect((await readResponse(tunnel)).end).toMatchObject({ code: 3, message: expect.stringContaining("before it was upgraded") });
    expect(await refused("/api/v1/live", { headers: HANDSHAKE })).toMatchObject({ code: 504, reason: "service_silent" });
    expect(raw).toBe("");
  });
});

test("a request whose entry is taken away ends at once; others go on", async () => {
  service.answer = (_request, response) => response.flushHeaders();
  await configure(ENTRY, { ...ENTRY, name: "kept" });
  const [taken, kept] = [await kas.tunnel(), await kas.tunnel()];
  startRequest(taken, { path: "/api/v1/query", service: RAW });
  startRequest(kept, { path: "/api/v1/query", service: { ...RAW, service: "kept" } });
  for (const tunnel of [taken, kept]) {
    endBody(tunnel);
    await nextResponse(tunnel);
  }
  await configure({ ...ENTRY, name: "kept" });
  expect(await nextResponse(taken)).toMatchObject({ code: 14, message: expect.stringContaining("has changed") });
  expect(kept.open).toBe(true);
  expect(kept.pending).toBe(0);
});
