import { Fault } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";

import { PAT, PREFIX, ProxyUnderTest } from "./testing/proxy-under-test.ts";

let kas: ProxyUnderTest;
beforeEach(async () => {
  kas = await ProxyUnderTest.start();
});
afterEach(() => kas.stop());

test("a failure before the answer is 502 with its words", async () => {
  kas.router.onRequest = (call) => call.fail(14, "connection refused");
  expect(await kas.refusal(`${PREFIX}api`)).toMatchObject({
    status: 502,
    kind: "Status",
    message: expect.stringContaining("connection refused"),
  });
});

test.each([
  ["agent_not_connected", 503],
  ["tunnels_busy", 504],
  ["store_unavailable", 503],
  ["peer_unreachable", 503],
] as const)("I7: %s becomes %s after the whole wait, without Retry-After", async (reason, status) => {
  kas.router.failure = new Fault(reason, `because of ${reason}`, { retryAfterSeconds: 5 });
  const refused = await kas.refusal(`${PREFIX}api`);
  expect(refused).toMatchObject({ status, reason, message: expect.stringContaining(reason) });
  expect(refused.headers["retry-after"]).toBeUndefined();
});

test.each([
  ["queue_full", undefined, "1"],
  ["rate_limited", 7, "7"],
] as const)("I7: %s waited for nothing: 429, and when to come back", async (reason, retryAfterSeconds, retry) => {
  kas.router.failure = new Fault(reason, "too many", retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  expect(await kas.refusal(`${PREFIX}api`)).toMatchObject({ status: 429, headers: { "retry-after": retry }, reason });
});

test("I6: an agent that is too old is 501 with the sentence: trying again does not help", async () => {
  kas.router.failure = new Fault("agent_outdated", "agent 7 does not offer it; is it up to date?");
  const refused = await kas.refusal(`${PREFIX}api`);
  expect(refused).toMatchObject({ status: 501, reason: "agent_outdated", message: expect.stringContaining("is it up to date?") });
  expect(refused.headers["retry-after"]).toBeUndefined();
});

test("I6: a replica that cannot be addressed is 400", async () => {
  kas.router.failure = new Fault("replica_not_addressable", "this replica cannot be addressed");
  expect(await kas.refusal(`${PREFIX}api`)).toMatchObject({ status: 400, reason: "replica_not_addressable" });
});

test("XM10, T31: a refusal names no address of ours", async () => {
  kas.router.failure = new Fault(
    "peer_unreachable",
    "agent 7 is at kas grpc://10.1.2.3:8155, grpcs://kas-1.kas:8155 (https://x/y): no answer",
  );
  const { message } = await kas.refusal(`${PREFIX}api`);
  expect(message).toBe("kas (agent server): agent 7 is at kas [address], [address] ([address]): no answer");
  kas.router.failure = undefined;
  kas.application.answer = () => ({ status: 500, body: {} });
  // Another credential: the good one is remembered.
  const headers = { authorization: "Bearer pat:7:other" };
  expect((await kas.refusal(`${PREFIX}api`, { headers })).message).not.toMatch(/api\/v4|internal|500/);
});

test("T1: an agent that cannot upgrade is 501 in words", async () => {
  kas.router.failure = new Fault("cannot_upgrade", "agent 7 is connected, but cannot upgrade connections");
  expect(await kas.refusal(`${PREFIX}api`, { headers: { ...PAT, connection: "upgrade", upgrade: "SPDY/3.1" } })).toMatchObject({
    status: 501,
    kind: "Status",
    reason: "cannot_upgrade",
    message: expect.stringContaining("cannot upgrade connections"),
  });
});

test("unexpected frames of the response end the exchange", async () => {
  kas.router.onRequest = (call) => {
    call.listener.message(Buffer.from([0x22, 0x00])); // upgrade_data before any header
  };
  expect(await kas.refusal(`${PREFIX}api`)).toMatchObject({ status: 502 });
});
