import { PassThrough } from "node:stream";

import { LogFilterError } from "@binnacle/pod-logs";
import { KubeClientError, type KubeRequest, type KubeTransport } from "@binnacle/environment-view";
import { LogsFrameSchema, LogsQuerySchema } from "@binnacle/proto/kas-logs";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { ManualClock, settle } from "@binnacle/testing";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test } from "vitest";

import { agentLogStream } from "./agent-log-stream.ts";

const QUERY = create(LogsQuerySchema, { targets: [{ namespace: "app", pod: "web" }], follow: true });
type Frame = NonNullable<MessageInitShape<typeof LogsFrameSchema>["frame"]>;

let clock: ManualClock;
let body: PassThrough;
let status: number;
let requests: KubeRequest[];
let responses: ReadLogsResponse[];
let failure: unknown;
let ended: Promise<void> | undefined;

beforeEach(() => {
  clock = new ManualClock();
  body = new PassThrough();
  status = 200;
  [requests, responses, failure] = [[], [], undefined];
});
afterEach(async () => {
  body.destroy();
  await ended;
  clock.assertIdle();
});

async function read(): Promise<void> {
  const transport: KubeTransport = {
    request: (request) => {
      requests.push(request);
      return Promise.resolve({ status, header: () => undefined, body, close: () => void body.destroy() });
    },
  };
  const all = async (): Promise<void> => {
    for await (const response of agentLogStream({ transport, clock }, QUERY, new AbortController().signal)) responses.push(response);
  };
  ended = all().catch((error: unknown) => void (failure = error));
  await settle();
}

function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  return Buffer.concat([length, bytes]);
}

const framed = (sent: Frame): Buffer => frame(toBinary(LogsFrameSchema, create(LogsFrameSchema, { frame: sent })));
const line = (text: string): Buffer =>
  framed({ case: "response", value: { message: { case: "lines", value: { lines: [{ source: 1, text }] } } } });
const end = (reason: string): Buffer => framed({ case: "end", value: { reason, message: `ended by ${reason}` } });

const texts = (): string[] =>
  responses.flatMap(({ message }) => (message.case === "lines" ? message.value.lines.map(({ text }) => text) : []));

test("what the agent reads comes in order, however it is cut, until all was read", async () => {
  await read();
  const bytes = Buffer.concat([line("one"), framed({ case: "response", value: {} }), line("two"), end("")]);
  for (let start = 0; start < bytes.length; start += 7) {
    body.write(bytes.subarray(start, start + 7));
    await settle();
  }
  await ended;
  expect([texts(), responses.length, failure]).toEqual([["one", "two"], 3, undefined]);
  expect(requests).toMatchObject([
    { method: "POST", path: "/binnacle/v1/logs", accept: "application/vnd.binnacle.logs+proto", purpose: "proof" },
  ]);
});

test.each([
  ["unknown_method", { failure: "api", status: { code: 501 } }],
  ["agent_forbidden", { failure: "api", status: { code: 403 } }],
  ["message_too_large", { failure: "api", status: { code: 400 } }],
  ["queue_full", { failure: "api", status: { code: 429 } }],
  ["401", { failure: "unauthorized" }],
  ["tunnel_broken", { failure: "connection" }],
  ["shutting_down", { failure: "connection" }],
])("a stream that ends with %s fails as that", async (reason, expected) => {
  await read();
  body.write(Buffer.concat([line("one"), end(reason)]));
  await ended;
  expect(texts()).toEqual(["one"]);
  expect(failure).toBeInstanceOf(KubeClientError);
  expect(failure).toMatchObject(expected);
});

test("a query that is rejected before the first message fails as a request, later as an expression that takes too long", async () => {
  await read();
  body.write(end("invalid_request"));
  await ended;
  expect(failure).toMatchObject({ failure: "api", status: { code: 400 } });
  body = new PassThrough();
  await read();
  body.write(Buffer.concat([line("one"), end("invalid_request")]));
  await ended;
  expect(failure).toBeInstanceOf(LogFilterError);
});

test("a rejected request fails with its status: 501 for an agent without logs", async () => {
  status = 501;
  await read();
  await ended;
  expect(failure).toMatchObject({ failure: "api", status: { code: 501 } });
  expect(body.destroyed).toBe(true);
});

test("a stream that breaks off, or is silent for 35 s, fails", async () => {
  await read();
  body.end(line("one"));
  await ended;
  expect(failure).toMatchObject({ failure: "connection" });
  body = new PassThrough();
  await read();
  await clock.elapse(35_000);
  await ended;
  expect(failure).toMatchObject({ failure: "timeout" });
});

test("a frame that is too large or no message fails, and is not read further", async () => {
  await read();
  const huge = Buffer.alloc(4);
  huge.writeUInt32BE(256 * 1024 + 1);
  body.write(huge);
  await ended;
  expect([failure, body.destroyed]).toMatchObject([{ failure: "too_large" }, true]);
  body = new PassThrough();
  await read();
  body.write(frame(Buffer.from("garbage of an agent")));
  await ended;
  expect([failure, body.destroyed]).toMatchObject([{ failure: "connection" }, true]);
});

test("messages beyond their bounds are cut or left out", async () => {
  await read();
  const gap = { source: 1, after: { seconds: 2n ** 62n, nanos: 0 } };
  body.write(
    Buffer.concat([line("x".repeat(100_000)), framed({ case: "response", value: { message: { case: "gap", value: gap } } }), end("")]),
  );
  await ended;
  expect(texts()[0]?.length).toBeLessThanOrEqual(16_384);
  const [, second] = responses;
  expect(second?.message.case === "gap" && second.message.value.after).toBeUndefined();
});

test("a slow consumer holds up what comes", async () => {
  const transport: KubeTransport = {
    request: () => Promise.resolve({ status, header: () => undefined, body, close: () => void body.destroy() }),
  };
  const stream = agentLogStream({ transport, clock }, QUERY, new AbortController().signal);
  let written = 0;
  while (written < 100 && body.write(line("y".repeat(10_000)))) written += 1;
  expect(await stream.next()).toMatchObject({ done: false });
  await settle();
  while (written < 100 && body.write(line("y".repeat(10_000)))) written += 1;
  // Less than 256 KiB: the rest waits at kas.
  expect(written * 10_000).toBeLessThan(256 * 1024);
  await stream.return();
  expect(body.destroyed).toBe(true);
});
