import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createHttpsTransport, type HttpsTransport } from "./https-transport.ts";
import { readText } from "./read-body.ts";

const NEVER = new AbortController().signal;
const LIMITS = { mostBytes: 1_000 };
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let received: IncomingMessage[];
let server: Server;
let baseUrl: string;
let transport: HttpsTransport;

beforeEach(async () => {
  received = [];
  answer = (_request, response) => response.end("{}");
  server = createServer((request, response) => {
    received.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix/`;
  transport = createHttpsTransport({ baseUrl });
});

afterEach(async () => {
  transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("appends the path to the base's, sends what it is given and asks for plain text", async () => {
  const request = { method: "POST", path: "/api/v1?limit=1", accept: "application/json", ifNoneMatch: '"1"', body: '{"a":"ä"}' } as const;
  const content = Promise.withResolvers<string>();
  answer = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => content.resolve(Buffer.concat(chunks).toString()));
    response.writeHead(201, { etag: '"2"' }).end("ü");
  };
  const response = await transport.request(request, NEVER);
  expect([response.status, response.header("ETag"), response.header("none"), await readText(response, LIMITS)]).toEqual([
    201,
    '"2"',
    undefined,
    "ü",
  ]);
  expect(await content.promise).toBe('{"a":"ä"}');
  expect(received[0]).toMatchObject({ method: "POST", url: "/prefix/api/v1?limit=1" });
  expect(received[0]?.headers).toMatchObject({
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "if-none-match": '"1"',
  });
  expect(received[0]?.headers.authorization).toBeUndefined();
});

test("asks for the token before each request, because tokens are renewed", async () => {
  let count = 0;
  const renewing = createHttpsTransport({ baseUrl, token: () => Promise.resolve(`t${(count += 1)}`) });
  for (let turn = 0; turn < 2; turn += 1) {
    await readText(await renewing.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER), LIMITS);
  }
  expect(received.map(({ headers }) => headers.authorization)).toEqual(["Bearer t1", "Bearer t2"]);
  renewing.close();
});

test("an answer that breaks off fails where it is read, and one that is given up fails nowhere", async () => {
  answer = (_request, response) => {
    response.write("half");
    setImmediate(() => response.destroy());
  };
  const broken = await transport.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER);
  await expect(readText(broken, LIMITS)).rejects.toMatchObject({ failure: "connection" });
  const closed = Promise.withResolvers<void>();
  answer = (_request, response) => {
    response.on("close", closed.resolve);
    response.write("half");
  };
  const left = await transport.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER);
  left.close();
  await closed.promise;
});

test("a signal ends a request before its answer and after it has begun", async () => {
  const stop = new AbortController();
  answer = () => stop.abort();
  await expect(transport.request({ method: "GET", path: "/api", accept: "*/*" }, stop.signal)).rejects.toThrow(/abort/i);
  const later = new AbortController();
  answer = (_request, response) => response.write("half");
  const begun = await transport.request({ method: "GET", path: "/api", accept: "*/*" }, later.signal);
  later.abort();
  await expect(readText(begun, LIMITS)).rejects.toMatchObject({ failure: "connection" });
});

test("waits so long for the first line of an answer and no longer", async () => {
  const clock = new ManualClock();
  const impatient = createHttpsTransport({ baseUrl, clock, answerTimeoutMs: 5_000 });
  answer = () => {};
  const failure = impatient.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER);
  const waiting = async (): Promise<void> => {
    await until(() => received.length === 1);
    clock.advance(5_000);
  };
  await Promise.all([expect(failure).rejects.toThrow("no answer in time"), waiting()]);
  clock.assertIdle();
  impatient.close();
});
