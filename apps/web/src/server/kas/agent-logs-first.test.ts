import { Readable } from "node:stream";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { KubeTransport } from "@binnacle/environment-view";
import { LogFilterError, type LogsQuery } from "@binnacle/pod-logs";
import { ReadLogsResponseSchema, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { LogsFrameSchema, LogsQuerySchema } from "@binnacle/proto/kas-logs";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { agentLogsFirst } from "./agent-logs-first.ts";
import { RememberedRefusal } from "../base/remembered-refusal.ts";

const QUERY: LogsQuery = {
  targets: [{ namespace: "app", labelSelector: "app=web" }],
  containers: ["web"],
  previous: false,
  follow: true,
  sinceNanos: 1_700_000_000_000_000_001n,
  tailLines: 5,
  filter: { pattern: "x", levels: [4] },
  positions: [],
};
type Frame = NonNullable<MessageInitShape<typeof LogsFrameSchema>["frame"]>;

const sourcesOf = (isReadByAgent: boolean) => ({ message: { case: "sources" as const, value: { isReadByAgent } } });
const end = (reason: string): Frame => ({ case: "end", value: { reason } });

/** Reads to the end through a kas that answers like this. @returns whether the agent has read each message */
async function read(
  status: number,
  frames: readonly Frame[],
  withoutLogs = new RememberedRefusal(new ManualClock()),
): Promise<{ readonly byAgent: boolean[]; readonly requests: Uint8Array; readonly failure: unknown }> {
  const bytes = frames.map((frame) => {
    const message = toBinary(LogsFrameSchema, create(LogsFrameSchema, { frame }));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.byteLength);
    return Buffer.concat([length, message]);
  });
  let requests: Uint8Array = new Uint8Array();
  const transport: KubeTransport = {
    request: async ({ body }) => {
      if (typeof body === "object") for await (const chunk of body) requests = chunk;
      return { status, header: () => undefined, body: Readable.from(bytes), close: () => undefined };
    },
  };
  async function* readHere(): AsyncGenerator<ReadLogsResponse> {
    yield create(ReadLogsResponseSchema, sourcesOf(false));
  }
  const byAgent: boolean[] = [];
  let failure: unknown;
  try {
    const source = { transport, clock: new ManualClock() };
    for await (const { message } of agentLogsFirst(source, { query: QUERY, readHere, withoutLogs }, new AbortController().signal))
      if (message.case === "sources") byAgent.push(message.value.isReadByAgent);
  } catch (error) {
    failure = error;
  }
  return { byAgent, requests, failure };
}

test("what the agent reads is passed on, and nothing is read here", async () => {
  const { byAgent, requests, failure } = await read(200, [{ case: "response", value: sourcesOf(true) }, end("")]);
  expect([byAgent, failure]).toEqual([[true], undefined]);
  expect(fromBinary(LogsQuerySchema, requests)).toMatchObject({
    targets: [{ namespace: "app", pod: "", labelSelector: "app=web" }],
    containers: ["web"],
    follow: true,
    since: { seconds: 1_700_000_000n, nanos: 1 },
    tailLines: 5,
    filter: { pattern: "x", levels: [4] },
  });
});

test.each([400, 404, 405, 413, 429, 501])("with an agent that answers %i logs are read here", async (status) => {
  expect(await read(status, [])).toMatchObject({ byAgent: [false], failure: undefined });
});

test("an expression that takes too long at the agent ends the read, and nothing is read here", async () => {
  const slow: Frame = { case: "end", value: { reason: "invalid_request", message: "it takes more than a second for a line" } };
  const { byAgent, failure } = await read(200, [{ case: "response", value: sourcesOf(true) }, slow]);
  expect([byAgent, failure]).toEqual([[true], new LogFilterError("it takes more than a second for a line")]);
});

test.each([
  [404, true],
  [405, true],
  [501, true],
  [400, false],
  [413, false],
  [429, false],
])("after an answer %i the agent is skipped by the next request: %s", async (status, isSkipped) => {
  const clock = new ManualClock();
  const withoutLogs = new RememberedRefusal(clock);
  await read(status, [], withoutLogs);
  const frames: Frame[] = [{ case: "response", value: sourcesOf(true) }, end("")];
  const next = await read(200, frames, withoutLogs);
  expect([next.byAgent, next.requests.length > 0]).toEqual([[!isSkipped], !isSkipped]);
  clock.advance(10 * 60_000);
  expect((await read(200, frames, withoutLogs)).byAgent).toEqual([true]);
});

test.each([401, 403, 503])("after an answer %i of kas nothing is read here", async (status) => {
  expect(await read(status, [])).toMatchObject({ byAgent: [], failure: { status: { code: status } } });
});

test("a stream that has begun is not started over here: its sources have other numbers", async () => {
  const frames: Frame[] = [{ case: "response", value: sourcesOf(true) }, end("queue_full")];
  expect(await read(200, frames)).toMatchObject({ byAgent: [true], failure: { status: { code: 429 } } });
});
