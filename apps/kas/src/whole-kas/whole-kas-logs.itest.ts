import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ReadLogsResponseSchema } from "@binnacle/proto/dashboard-logs";
import { LogsQuerySchema, ReadRequestSchema, type ReadRequest } from "@binnacle/proto/kas-logs";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

import { LOGS_CALL } from "../agent-call/routed-methods.ts";
import { agentOf } from "../kas-routing/testing/kas-of.ts";
import { LogFrames } from "../testing/response-frames.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

/** Neither names of pods nor patterns are logged. */
const CANARY = "canary-of-the-search";
const QUERY = create(LogsQuerySchema, { targets: [{ namespace: "app", pod: CANARY }], filter: { pattern: CANARY } });

let kas: WholeKas;
let queries: ReadRequest[];

beforeEach(async () => {
  kas = await startWholeKas();
  queries = [];
});
afterEach(() => kas.stop());

/** An agent that sends one line. */
async function connect(methods = [LOGS_CALL]): Promise<void> {
  const lines = { lines: [{ source: 1, text: "one" }] };
  const line = toBinary(ReadLogsResponseSchema, create(ReadLogsResponseSchema, { message: { case: "lines", value: lines } }));
  await agentOf(`grpc://${kas.bound.agent}`, {
    methods,
    metadata: { "agentk-caps": "impersonation" },
    tunnels: 4,
    onCall: (call) => {
      call.onMessage = (data) => {
        queries.push(fromBinary(ReadRequestSchema, data));
        call.header();
        call.message(line);
      };
    },
  });
}

async function read(): Promise<{ readonly answer: Response; readonly frames: LogFrames; readonly leave: () => void }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`http://${kas.bound.k8sProxy ?? ""}/binnacle/v1/logs`, {
    method: "POST",
    headers: { authorization: "Bearer pat:1:good" },
    body: Buffer.from(toBinary(LogsQuerySchema, QUERY)),
    signal: stop.signal,
  });
  const frames = new LogFrames();
  void collect(answer, frames);
  return { answer, frames, leave: () => stop.abort() };
}

async function collect(answer: Response, frames: LogFrames): Promise<void> {
  try {
    for await (const chunk of answer.body ?? []) frames.push(chunk);
  } catch {
    // The test is over.
  }
}

test("a kas as it is started has logs read for a user, counts them, and records nothing of what was searched", async () => {
  await connect();
  const { answer, frames, leave } = await read();
  await until(() => frames.lines.length === 1);
  expect([answer.status, queries[0]?.viewer?.identity?.username]).toEqual([200, "gitlab:user:ann"]);
  const metrics = await kas.metrics.registry.metrics();
  expect(metrics).toContain("kas_log_streams_open 1");
  expect(metrics).toMatch(/^kas_log_bytes_total\{direction="in"\} [1-9]/m);
  leave();
  const ended = async (): Promise<boolean> => (await kas.metrics.registry.metrics()).includes("kas_log_streams_open 0");
  while (!(await ended())) await new Promise(setImmediate);
  const audited = await kas.audited();
  const line = { user: "ann", as: "gitlab:user:ann", verb: "get", api_group: "binnacle", resource: "logs" };
  expect(audited).toMatchObject([
    { event: "start", ...line },
    { event: "end", ...line, code: 200, bytes_in: toBinary(LogsQuerySchema, QUERY).byteLength },
  ]);
  expect(JSON.stringify(audited)).not.toContain(CANARY);
});

test("an agent without logs is 501", async () => {
  await connect(["/test.Echo/Echo"]);
  const { answer } = await read();
  expect([answer.status, answer.headers.get("kas-refusal"), queries]).toEqual([501, "unknown_method", []]);
});

test("a kas that shuts down ends the stream with that reason", async () => {
  await connect();
  const { frames } = await read();
  await until(() => frames.lines.length === 1);
  await kas.leave();
  await until(() => frames.end !== undefined);
  expect(frames.end).toMatchObject({ reason: "shutting_down", message: expect.stringContaining("goes away") });
});
