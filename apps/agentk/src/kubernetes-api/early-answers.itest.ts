import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { FakeKas, type FakeTunnel } from "../testing/fake-kas.ts";
import { HastyServer } from "../testing/hasty-server.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import { endBody, readResponse, sendBody, startRequest } from "../testing/tunnelled-request.ts";

const REFUSAL = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: 403, message: "pods is forbidden" });

let kas: FakeKas;
let api: HastyServer;
let agent: RunningAgent;

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await HastyServer.listen();
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(new URL(`http://127.0.0.1:${api.port}`)));
  await kas.configuration();
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await api.close();
});

/** Sends a body in pieces as kas does, whether or not the answer has begun. */
function post(tunnel: FakeTunnel, bytes: number, isChunked: boolean): ReturnType<typeof readResponse> {
  startRequest(tunnel, {
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    ...(isChunked ? {} : { contentLength: BigInt(bytes) }),
  });
  for (let sent = 0; sent < bytes; sent += 32 * 1024) sendBody(tunnel, Buffer.alloc(Math.min(32 * 1024, bytes - sent), "x"));
  endBody(tunnel);
  return readResponse(tunnel);
}

describe.each(["leaves it open", "closes it", "resets it"] as const)("an API server that answers before it reads a body, and %s", (end) => {
  test.each([30, 60_000, 700_000])("30 changes of %i bytes get its 403 with all of the body", async (bytes) => {
    api.answer = { status: 403, body: REFUSAL, end };
    for (let count = 0; count < 30; count += 1) {
      const answer = await post(await kas.tunnel(), bytes, count % 2 === 1);
      expect(answer, `change ${count}`).toMatchObject({ statusCode: 403, body: REFUSAL, end: { code: 0 } });
    }
  });
});

test.each([301, 401, 413, 429, 500])("an early %i stays what it is", async (status) => {
  api.answer = { status, body: REFUSAL, end: "closes it" };
  expect(await post(await kas.tunnel(), 700_000, false)).toMatchObject({ statusCode: status, body: REFUSAL, end: { code: 0 } });
});

describe("a client that waits for a 100 before it sends its body", () => {
  const WAITING = { method: "POST", path: "/api/v1/namespaces/default/pods", contentLength: 4n, awaitsContinue: true } as const;

  test("receives the rejection of the API server, which got the head first", async () => {
    api.answer = { status: 403, body: REFUSAL, end: "closes it" };
    const tunnel = await kas.tunnel();
    startRequest(tunnel, WAITING);
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 403, body: REFUSAL, end: { code: 0 } });
    expect(api.heads.at(-1)).toMatch(/^POST [^]*\r\nExpect: 100-continue/);
  });
});
