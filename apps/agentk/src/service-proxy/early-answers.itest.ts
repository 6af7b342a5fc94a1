import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { ServiceRight } from "@binnacle/proto/service-proxy";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas, type FakeTunnel } from "../testing/fake-kas.ts";
import { HastyServer } from "../testing/hasty-server.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import { endBody, nextResponse, readResponse, sendBody, startRequest } from "../testing/tunnelled-request.ts";

const BODY = JSON.stringify({ error: "too much" });
const PIECE = 32 * 1024;
const RAW = { service: "prometheus", right: ServiceRight.RAW, caller: { username: "ann" } };

const endpoints = new Map<string, { readonly address: string; readonly port: number }>();
let kas: FakeKas;
let api: ApiStandIn;
let service: HastyServer;
let agent: RunningAgent;

beforeEach(async () => {
  [kas, api, service] = await Promise.all([FakeKas.listen(), ApiStandIn.listen(), HastyServer.listen()]);
  endpoints.set("monitoring/prometheus", { address: "127.0.0.1", port: service.port });
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url), {
    serviceEndpoints: endpoints,
  });
  const entry = {
    name: "prometheus",
    namespace: "monitoring",
    service: "prometheus",
    port: "9090",
    scheme: "http",
    pathPrefix: "/api/v1/",
    methods: ["POST"],
    answerWithinSeconds: 2,
    raw: { users: ["ann"] },
  };
  (await kas.configuration()).send({ commitId: "c", configuration: { agentId: 1n, binnacle: { services: [entry] } } });
  await until(() => agent.lines.some((line) => line.includes("configuration received")));
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await Promise.all([api.close(), service.close()]);
});

/** Sends a body in pieces as kas does, whether or not the answer has begun. */
function post(tunnel: FakeTunnel, bytes: number, isChunked: boolean): ReturnType<typeof readResponse> {
  const path = "/api/v1/write";
  startRequest(tunnel, { method: "POST", path, service: RAW, ...(isChunked ? {} : { contentLength: BigInt(bytes) }) });
  for (let sent = 0; sent < bytes; sent += PIECE) sendBody(tunnel, Buffer.alloc(Math.min(PIECE, bytes - sent), "x"));
  endBody(tunnel);
  return readResponse(tunnel);
}

describe.each(["leaves it open", "closes it", "resets it"] as const)("a service that answers before it reads a body, and %s", (end) => {
  test.each([30, 60_000, 700_000])("30 requests of %i bytes get its 413 with all of the body", async (bytes) => {
    service.answer = { status: 413, body: BODY, end };
    for (let count = 0; count < 30; count += 1) {
      const answer = await post(await kas.tunnel(), bytes, count % 2 === 1);
      expect(answer, `request ${count}`).toMatchObject({ statusCode: 413, body: BODY, end: { code: 0 } });
    }
  });
});

describe("a service whose client waits for a 100 before it sends its body", () => {
  const WAITING = { method: "POST", path: "/api/v1/write", service: RAW, awaitsContinue: true } as const;
  let running: Server;
  afterEach(() => {
    running.closeAllConnections();
    running.close();
  });

  /** The service is this server from now on. */
  async function serve(server: Server): Promise<void> {
    running = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A TCP server has an address object once it listens.
    endpoints.set("monitoring/prometheus", { address: "127.0.0.1", port: (server.address() as AddressInfo).port });
  }

  test.each([4n, undefined])("passes its own 100 on, then a body of length %s and its answer", async (contentLength) => {
    await serve(createServer((request, response) => void request.pipe(response)));
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { ...WAITING, ...(contentLength === undefined ? {} : { contentLength }) });
    expect(await nextResponse(tunnel)).toMatchObject({ case: "header", value: { response: { statusCode: 100 } } });
    sendBody(tunnel, Buffer.from("body"));
    endBody(tunnel);
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 200, body: "body", end: { code: 0 } });
  });

  test("refuses it without having been sent a byte", async () => {
    const server = createServer();
    server.on("checkContinue", (_request, response) => response.writeHead(413).end(BODY));
    await serve(server);
    const tunnel = await kas.tunnel();
    startRequest(tunnel, WAITING);
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 413, body: BODY });
  });

  test("says nothing: after its own deadline that is the answer", async () => {
    await serve(createServer().on("checkContinue", () => {}));
    const tunnel = await kas.tunnel();
    startRequest(tunnel, WAITING);
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 504 });
  });
});
