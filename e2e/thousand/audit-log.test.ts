import { expect, test } from "vitest";

import { mostOpen, mostWithin, requestsOf, type AuditedRequest } from "./audit-log.ts";

const AT = Date.parse("2026-05-01T12:00:00Z");

function line(id: string, stage: string, seconds: readonly [received: number, now: number]): string {
  const [received, now] = seconds.map((second) => new Date(AT + second * 1_000).toISOString());
  return `${JSON.stringify({
    auditID: id,
    stage,
    verb: "watch",
    requestURI: "/api/v1/pods?watch=true",
    userAgent: "agentk/v0.1.0/source",
    user: { username: "system:serviceaccount:gitlab-agent:agentk" },
    impersonatedUser: { username: "gitlab:user:colleague-1" },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: received,
    stageTimestamp: now,
  })}\n`;
}

function during(beganMs: number, endedMs: number): AuditedRequest {
  return { verb: "watch", uri: "/", userAgent: "", user: "", code: 200, beganMs, endedMs };
}

test("a long request is one request, from its receipt to its end, in whatever order its lines stand", () => {
  const [begun, ended] = [line("a", "ResponseStarted", [0, 0.1]), line("a", "ResponseComplete", [0, 9])];
  const expected = { user: "gitlab:user:colleague-1", beganMs: AT, endedMs: AT + 9_000 };
  expect(requestsOf(begun + ended)).toEqual([expect.objectContaining(expected)]);
  expect(requestsOf(ended + begun)).toEqual([expect.objectContaining(expected)]);
});

test("a request without an end goes on, and half a line is nothing yet", () => {
  const text = line("a", "ResponseStarted", [0, 0]) + line("b", "ResponseStarted", [1, 1]).slice(0, 40);
  expect(requestsOf(text)).toEqual([expect.objectContaining({ endedMs: Number.POSITIVE_INFINITY })]);
});

test("those that are open at one moment are counted, not those that follow each other", () => {
  expect(mostOpen([])).toBe(0);
  expect(mostOpen([during(0, 5), during(5, 9), during(9, Number.POSITIVE_INFINITY)])).toBe(1);
  expect(mostOpen([during(0, 5), during(4, 9), during(4, 6), during(6, 7)])).toBe(3);
});

test("the busiest time is found wherever it begins", () => {
  const requests = [0, 900, 1_000, 1_800, 1_899, 5_000].map((atMs) => during(atMs, atMs));
  expect(mostWithin(requests, 1_000)).toBe(4);
  expect(mostWithin([], 1_000)).toBe(0);
});
