import { createStatus } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { RequestPace } from "../limits/request-pace.ts";
import type { KubeRequest } from "./kube-transport.ts";
import { createPatientTransport } from "./patient-transport.ts";
import { ScriptedTransport, type ScriptedAnswer } from "./scripted-transport.ts";
import { streamOf } from "./transport-scene.ts";

const NEVER = new AbortController().signal;
const READ: KubeRequest = { method: "GET", path: "/api/v1/pods", accept: "*/*" };
const CHANGE: KubeRequest = { method: "PATCH", path: "/api/v1/namespaces/a/pods/b", accept: "*/*", body: "{}" };
const LATER: ScriptedAnswer = { status: 429, headers: { "retry-after": "1" }, body: createStatus(429, "too many requests") };
const BUSY: ScriptedAnswer = {
  failure: new KubeClientError("busy", "callers wait already", {
    status: createStatus(429, "callers wait already"),
    retryAfterSeconds: 1,
    stage: "not_started",
  }),
};

/** What is answered so many times before all is well. */
function patient(refusal: ScriptedAnswer, times: number, mostMs = 20_000) {
  const clock = new ManualClock();
  const inner = new ScriptedTransport(() => (inner.requests.length <= times ? refusal : { body: "well" }));
  const transport = createPatientTransport(inner, { clock, mostMs, random: () => 0 });
  const ask = async (request: KubeRequest, signal = NEVER): Promise<number | string> =>
    transport.request(request, signal).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof KubeClientError ? error.failure : "bug"),
    );
  return { clock, inner, ask };
}

test.each([
  ["a read of the API server's", READ, LATER],
  ["a watch", { ...READ, purpose: "watch" as const }, LATER],
  ["a change", CHANGE, LATER],
  ["what kas has no room for", READ, BUSY],
])("%s is repeated when the time is over, and the caller does not see the rejections", async (_what, request, refusal) => {
  const { clock, inner, ask } = patient(refusal, 3);
  const answer = ask(request);
  await clock.elapse(1_000);
  expect(inner.requests).toHaveLength(1);
  await clock.elapse(9_000);
  expect(await answer).toBe(200);
  expect(inner.requests).toEqual([request, request, request, request]);
  clock.assertIdle();
});

test.each([
  [LATER, 429],
  [BUSY, "busy"],
])("a refusal that lasts is the answer", async (refusal, outcome) => {
  const { clock, inner, ask } = patient(refusal, 1_000, 10_000);
  const answer = ask(READ);
  await clock.elapse(60_000);
  expect(await answer).toBe(outcome);
  expect(inner.requests.length).toBeGreaterThan(4);
  expect(clock.pending).toBe(0);
});

test.each([
  ["a 429 that says no time", READ, { ...LATER, headers: {} }],
  ["a 503 that says a time", READ, { ...LATER, status: 503 }],
  ["a streamed change, whose body is used up", { ...CHANGE, body: streamOf(["{}"]) }, LATER],
  [
    "a kas that lost the request on the way",
    CHANGE,
    {
      failure: new KubeClientError("busy", "late", { status: createStatus(429, "late"), retryAfterSeconds: 1, stage: "started" as const }),
    },
  ],
  ["a way that broke", CHANGE, { failure: new KubeClientError("connection", "reset", { stage: "started" as const }) }],
] satisfies [string, KubeRequest, ScriptedAnswer][])(
  "%s is answered at once, and sent once",
  async (_what, request, refusal: ScriptedAnswer) => {
    const { inner, clock, ask } = patient(refusal, 1);
    const outcome = refusal.failure instanceof KubeClientError ? refusal.failure.failure : refusal.status;
    expect(await ask(request)).toBe(outcome);
    expect(inner.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  },
);

test("a probe of the connection receives the rejection before its own time limit", async () => {
  const { clock, ask } = patient({ ...LATER, headers: { "retry-after": "2" } }, 1_000);
  const answer = ask({ ...READ, answerWithinSeconds: 6 });
  await clock.elapse(0);
  expect(await answer).toBe(429);
});

test("a request that is aborted while it waits ends at once", async () => {
  const { clock, inner, ask } = patient(LATER, 1_000);
  const leave = new AbortController();
  const answer = ask(READ, leave.signal);
  await clock.elapse(100);
  inner.requests.length = 0;
  leave.abort();
  await answer;
  expect(clock.pending).toBe(0);
});

test("each attempt waits for its turn", async () => {
  const clock = new ManualClock();
  const times: number[] = [];
  const startMs = clock.now();
  const inner = new ScriptedTransport(() => (times.push(clock.now() - startMs), {}));
  const transport = createPatientTransport(inner, { clock, mostMs: 1, pace: new RequestPace(clock, 10, 2) });
  const responses = Promise.all(Array.from({ length: 5 }, () => transport.request(READ, NEVER)));
  await clock.elapse(10_000);
  await responses;
  expect(times).toEqual([0, 0, 100, 200, 300]);
});
