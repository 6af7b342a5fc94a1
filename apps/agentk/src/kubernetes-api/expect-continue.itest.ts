import { startConnectProxy } from "@binnacle/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import { endBody, nextResponse, readResponse, sendBody, startRequest } from "../testing/tunnelled-request.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
  await kas.configuration();
  // Node's server asks for the body when it is read.
  api.answer = (request, response) => void request.pipe(response);
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await api.close();
});

const CHANGE = { method: "POST", path: "/api/v1/namespaces/default/pods" } as const;

test.each([4n, undefined])(
  "the 100 of an API server that wants a body of length %s is passed on, then body and answer",
  async (contentLength) => {
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { ...CHANGE, awaitsContinue: true, ...(contentLength === undefined ? {} : { contentLength }) });
    expect(await nextResponse(tunnel)).toMatchObject({ case: "header", value: { response: { statusCode: 100 } } });
    sendBody(tunnel, Buffer.from("body"));
    endBody(tunnel);
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 200, body: "body", end: { code: 0 } });
    expect(api.requests.at(-1)?.headers).toMatchObject({ expect: "100-continue", authorization: "Bearer agent-sa" });
  },
);

test("behind an HTTP proxy, where no 100 of the API server arrives, the agent requests the body at once", async () => {
  const proxy = await startConnectProxy();
  onTestFinished(() => proxy.close());
  await agent.stop();
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, { ...plainAccess(api.url), proxy: new URL(`http://127.0.0.1:${proxy.port}`) });
  const tunnel = await kas.tunnel();
  startRequest(tunnel, { ...CHANGE, awaitsContinue: true });
  expect(await nextResponse(tunnel)).toMatchObject({ case: "header", value: { response: { statusCode: 100 } } });
  sendBody(tunnel, Buffer.from("body"));
  endBody(tunnel);
  expect(await readResponse(tunnel)).toMatchObject({ statusCode: 200, body: "body", end: { code: 0 } });
  expect(api.requests.at(-1)?.headers.expect).toBeUndefined();
});

test("a body that comes before the 100 is sent all the same", async () => {
  api.answer = (request, response) => void request.on("end", () => response.end("whole")).resume();
  const tunnel = await kas.tunnel();
  startRequest(tunnel, { ...CHANGE, awaitsContinue: true });
  sendBody(tunnel, Buffer.alloc(700_000, "x"));
  endBody(tunnel);
  expect(await readResponse(tunnel)).toMatchObject({ body: "whole", end: { code: 0 } });
});

test("a client that does not wait hears nothing of it, nor does the API server", async () => {
  const tunnel = await kas.tunnel();
  startRequest(tunnel, { ...CHANGE, headers: [["Expect", ["100-continue"]]] });
  sendBody(tunnel, Buffer.from("body"));
  endBody(tunnel);
  expect(await nextResponse(tunnel)).toMatchObject({ case: "header", value: { response: { statusCode: 200 } } });
  expect(await readResponse(tunnel)).toMatchObject({ body: "body", end: { code: 0 } });
  expect(api.requests.at(-1)?.headers.expect).toBeUndefined();
});

test("a caller that leaves ends the request at the API server", async () => {
  const reached = new Promise<void>((resolve) => {
    api.server.on("checkContinue", (request) => {
      request.on("close", () => resolve());
      tunnel.reset();
    });
  });
  const tunnel = await kas.tunnel();
  startRequest(tunnel, { ...CHANGE, awaitsContinue: true });
  await reached;
  expect(api.requests.filter(({ method }) => method === "POST")).toEqual([]);
});
