import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ReadLogsResponseSchema } from "@binnacle/proto/dashboard-logs";
import { LogsQuerySchema, ReadRequestSchema, type ReadRequest } from "@binnacle/proto/kas-logs";
import { ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import type { Fault } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import { LOGS_CALL } from "../agent-call/routed-methods.ts";
import type { FakeAgentCall } from "../testing/fake-agent.ts";
import type { TestKas } from "../kas-routing/testing/kas-bench.ts";
import { agentOf, kasOf } from "../kas-routing/testing/kas-of.ts";
import { SharedRoutes } from "../kas-routing/testing/shared-routes.ts";
import { LOG_BOUNDS, LogsCall } from "./logs-call.ts";

const ANN = create(ImpersonationConfigSchema, { username: "gitlab:user:ann", groups: ["gitlab:user"] });
const LINE = toBinary(
  ReadLogsResponseSchema,
  create(ReadLogsResponseSchema, { message: { case: "lines", value: { lines: [{ source: 1, text: "x".repeat(60_000) }] } } }),
);
const EACH = [{ hops: 0 }, { hops: 1 }];

/** Two kas, the agent at one of them. @returns the kas that is so many hops away from it */
async function kasAt(hops: number, onCall: (call: FakeAgentCall) => void, methods = [LOGS_CALL]): Promise<TestKas> {
  const routes = new SharedRoutes();
  const options = { routes: (kasId: string, url: string) => routes.storeOf(kasId, url) };
  const [near, far] = [await kasOf(options), await kasOf(options)];
  await agentOf(near.agentUrl, { methods, metadata: { "agentk-caps": "impersonation" }, tunnels: 4, onCall });
  await until(() => near.registry.counts().idle === 4);
  return hops === 0 ? near : far;
}

/** A client that reads logs through it. */
class Reader {
  readonly messages: Uint8Array[] = [];
  readonly violations: string[] = [];
  ended: { readonly fault: Fault | undefined } | undefined;
  call: LogsCall | undefined;

  static async open(kas: TestKas): Promise<Reader> {
    const [reader, left] = [new Reader(), new AbortController()];
    onTestFinished(() => left.abort());
    const request = {
      router: kas.router,
      agentId: 1n,
      query: create(LogsQuerySchema, { targets: [{ namespace: "app" }], follow: true }),
      identity: ANN,
      caller: { kind: "user", id: "1" } as const,
      traceId: "trace",
      waitMs: 5_000,
      signal: left.signal,
      onViolation: ({ message }: Fault) => void reader.violations.push(message),
    };
    reader.call = await LogsCall.open(request, {
      message: (data) => void reader.messages.push(data.slice()),
      ended: (fault) => void (reader.ended = { fault }),
    });
    return reader;
  }
}

/** Begins to answer when the query has come. @param onQuery receives the query */
function answers(onQuery: (request: ReadRequest, call: FakeAgentCall) => void): (call: FakeAgentCall) => void {
  return (call) => {
    call.onMessage = (data) => {
      call.header();
      onQuery(fromBinary(ReadRequestSchema, data), call);
    };
  };
}

test.each(EACH)("the agent reads as the viewer, and its messages arrive in order ($hops hops)", async ({ hops }) => {
  let heard: ReadRequest | undefined;
  const kas = await kasAt(
    hops,
    answers((request, call) => {
      heard = request;
      for (let count = 0; count < 100; count += 1) call.message(LINE);
      call.finish();
    }),
  );
  const reader = await Reader.open(kas);
  await until(() => reader.ended !== undefined);
  expect(heard).toMatchObject({ query: { follow: true }, viewer: { identity: { username: "gitlab:user:ann" } } });
  expect([reader.ended, reader.messages.length]).toEqual([{ fault: undefined }, 100]);
  expect(reader.messages.every((message) => Buffer.compare(message, LINE) === 0)).toBe(true);
});

test.each(EACH)("a reader that pauses stops the agent after some windows, and loses nothing ($hops hops)", async ({ hops }) => {
  const most = 2_000;
  let [sent, isFull] = [0, false];
  const kas = await kasAt(
    hops,
    answers((_, call) => {
      const speak = (): void => {
        isFull = false;
        while (!isFull && sent < most) {
          sent += 1;
          isFull = !call.message(LINE);
        }
        if (sent === most) call.finish();
      };
      call.stream.onDrain(speak);
      speak();
    }),
  );
  const reader = await Reader.open(kas);
  reader.call?.pause();
  let [before, quiet] = [-1, 0];
  await until(() => {
    quiet = sent === before && isFull ? quiet + 1 : 0;
    before = sent;
    return quiet > 100;
  });
  const heldBytes = (sent - reader.messages.length) * LINE.byteLength;
  expect(sent).toBeLessThan(most);
  expect(heldBytes).toBeLessThan(16 * 1024 * 1024);
  reader.call?.resume();
  await until(() => reader.ended !== undefined);
  expect([reader.messages.length, reader.ended]).toEqual([most, { fault: undefined }]);
});

test.each(EACH)("a cancelled call ends at the agent at once ($hops hops)", async ({ hops }) => {
  let isGone = false;
  const kas = await kasAt(
    hops,
    answers((_, call) => {
      call.onGone = () => (isGone = true);
      call.message(LINE);
    }),
  );
  const reader = await Reader.open(kas);
  await until(() => reader.messages.length === 1);
  reader.call?.cancel();
  await until(() => isGone);
  expect(reader.ended).toBeUndefined();
});

test.each(EACH)("no call reaches an agent without logs ($hops hops)", async ({ hops }) => {
  let isCalled = false;
  const kas = await kasAt(hops, () => (isCalled = true), ["/test.Echo/Echo"]);
  await expect(Reader.open(kas)).rejects.toMatchObject({ reason: "unknown_method" });
  expect(isCalled).toBe(false);
});

test.each(
  EACH.flatMap(({ hops }) => [
    { hops, what: "a message that is too large", bytes: new Uint8Array(LOG_BOUNDS.messageBytes + 1) },
    { hops, what: "garbage", bytes: Buffer.from("garbage of an agent") },
  ]),
)("T57: an agent that says $what is cut ($hops hops)", async ({ hops, bytes }) => {
  let isGone = false;
  const kas = await kasAt(
    hops,
    answers((_, call) => {
      call.onGone = () => (isGone = true);
      call.message(LINE);
      call.message(bytes);
      call.message(LINE);
    }),
  );
  const reader = await Reader.open(kas);
  await until(() => reader.ended !== undefined && isGone);
  expect(reader.ended?.fault).toMatchObject({ reason: "answer_broken" });
  expect([reader.messages.length, reader.violations.length]).toEqual([1, 1]);
});
