import { ServiceRight } from "@binnacle/proto/service-proxy";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas, type FakeTunnel } from "../testing/fake-kas.ts";
import { HastyServer } from "../testing/hasty-server.ts";
import { plainAccess, runAgent, type RunningAgent } from "../testing/running-agent.ts";
import { endBody, readResponse, sendBody, startRequest } from "../testing/tunnelled-request.ts";

const BODY = JSON.stringify({ error: "too much" });
const PIECE = 32 * 1024;
const RAW = { service: "prometheus", right: ServiceRight.RAW, caller: { username: "ann" } };

let kas: FakeKas;
let api: ApiStandIn;
let service: HastyServer;
let agent: RunningAgent;

beforeEach(async () => {
  [kas, api, service] = await Promise.all([FakeKas.listen(), ApiStandIn.listen(), HastyServer.listen()]);
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url), {
    serviceEndpoints: new Map([["monitoring/prometheus", { address: "127.0.0.1", port: service.port }]]),
  });
  const entry = {
    name: "prometheus",
    namespace: "monitoring",
    service: "prometheus",
    port: "9090",
    scheme: "http",
    pathPrefix: "/api/v1/",
    methods: ["POST"],
    answerWithinSeconds: 30,
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
