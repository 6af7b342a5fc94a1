import { once } from "node:events";
import { text } from "node:stream/consumers";

import { Fault } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { CI, COOKIE, JOB, PAT, PREFIX, ProxyUnderTest, USER } from "./testing/proxy-under-test.ts";
import { linesOf, type AuditRecord } from "@binnacle/telemetry/audit";

let proxy: ProxyUnderTest;
let records: AuditRecord[];
beforeEach(async () => {
  records = [];
  proxy = await ProxyUnderTest.start({ audit: { add: (record) => void records.push(record) } });
});
afterEach(() => proxy.stop());

const POD = `${PREFIX}api/v1/namespaces/shop/pods/web`;

/** The fields of the records without time and request id. */
const recorded = () =>
  linesOf(records, { dropped: 0, isMarked: false })
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { at: _at, request_id: _id, ...fields } = JSON.parse(line);
      return fields;
    });

const ANN = { user: "ann", user_id: 1, as: "gitlab:user:ann", agent_id: 7 };
const OF_POD = { api_group: "", resource: "pods", namespace: "shop", name: "web" };

test("a request has one line: who, as whom, what, where, how it ended, and its request id", async () => {
  const answer = await proxy.send(`${POD}?dryRun=All`, { method: "DELETE", body: "{}xyz" });
  await text(answer.body);
  await until(() => records.length === 1);
  expect(records[0]?.requestId).toBe(answer.headers["x-request-id"]);
  expect(recorded()).toEqual([
    { event: "complete", ...ANN, verb: "delete", ...OF_POD, code: 200, bytes_in: 5, bytes_out: 2, duration_ms: 0 },
  ]);
});

test("a job's line has its id and its project", async () => {
  await text((await proxy.send(POD, { headers: CI })).body);
  await until(() => records.length === 1);
  expect(recorded()[0]).toMatchObject({ job: 5, project: 3, as: "gitlab:ci_job:5", verb: "get" });
});

test("where the agent acts the line says so, or whom the caller has named", async () => {
  proxy.application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  await text((await proxy.send(POD)).body);
  await text((await proxy.send(POD, { headers: { ...PAT, "Impersonate-User": "root" } })).body);
  await until(() => records.length === 2);
  expect(recorded()).toMatchObject([{ as: "agent" }, { as: "root" }]);
});

test("a watch and a followed log have a line at their start and one at their end", async () => {
  proxy.router.onRequest = (call) => {
    call.respond(200, { "Content-Type": ["application/json"] });
    call.data("{}\n");
  };
  const { body } = await proxy.send(`${PREFIX}api/v1/namespaces/shop/pods?watch=1`);
  await once(body, "data");
  expect(recorded()).toEqual([{ event: "start", ...ANN, verb: "watch", api_group: "", resource: "pods", namespace: "shop" }]);
  proxy.clock.advance(1_500);
  proxy.call().finish();
  await text(body);
  await until(() => records.length === 2);
  expect(recorded()[1]).toMatchObject({ event: "end", verb: "watch", code: 200, bytes_out: 3, duration_ms: 1_500 });
  expect(records[0]?.requestId).toBe(records[1]?.requestId);
  const log = await proxy.send(`${POD}/log?follow=true`);
  await once(log.body, "data");
  log.body.destroy();
  await until(() => records.length === 4);
  expect(recorded().slice(2)).toMatchObject([
    { event: "start", verb: "get", subresource: "log" },
    { event: "end", code: 200 },
  ]);
});

test.each([
  ["agent_not_connected", 503],
  ["queue_full", 429],
  ["tunnels_busy", 504],
  ["cannot_impersonate", 501],
] as const)("a request that is refused with %s has a line with %i", async (reason, code) => {
  proxy.router.failure = new Fault(reason, "no");
  expect(await proxy.refusal(POD)).toMatchObject({ status: code });
  await until(() => records.length === 1);
  expect(recorded()).toMatchObject([{ event: "complete", ...ANN, ...OF_POD, code, bytes_in: 0, bytes_out: 0 }]);
});

test("a request that breaks after dispatch has a line with 502, one whose client leaves one with 499", async () => {
  proxy.router.onRequest = (call) => call.fail(14, "gone");
  expect(await proxy.refusal(POD, { method: "DELETE" })).toMatchObject({ status: 502 });
  await until(() => records.length === 1);
  proxy.router.onRequest = () => undefined;
  const socket = proxy.dial();
  socket.write(`DELETE ${POD} HTTP/1.1\r\nHost: kas\r\nAuthorization: Bearer pat:7:good\r\n\r\n`);
  await until(() => proxy.router.calls.length === 2 && proxy.call().halfClosed);
  socket.destroy();
  await until(() => records.length === 2);
  expect(recorded().map(({ code, verb }) => [code, verb])).toEqual([
    [502, "delete"],
    [499, "delete"],
  ]);
});

test("a request that is rejected for its headers or its rights has a record; one with an unknown or without a credential has none", async () => {
  expect(await proxy.refusal(POD, { headers: { ...PAT, "Impersonate-User": "root" } })).toMatchObject({ status: 400 });
  proxy.application.answer = () => ({ status: 200, body: { ...JOB, allowed_agents: [] } });
  expect(await proxy.refusal(POD, { headers: { authorization: "Bearer ci:7:other" } })).toMatchObject({ status: 403 });
  proxy.application.answer = () => ({ status: 200, body: { ...USER, access_as: { unheard_of: {} } } });
  expect(await proxy.refusal(POD, { headers: { authorization: "Bearer pat:7:odd" } })).toMatchObject({ status: 501 });
  proxy.application.answer = () => ({ status: 401, body: {} });
  expect(await proxy.refusal(POD, { headers: { authorization: "Bearer pat:7:unknown" } })).toMatchObject({ status: 401 });
  expect(await proxy.refusal(POD, { headers: {} })).toMatchObject({ status: 401 });
  await until(() => proxy.answered.length === 5);
  expect(recorded().map(({ code, user, job, as }) => [code, user ?? job, as])).toEqual([
    [400, "ann", "gitlab:user:ann"],
    [403, 5, undefined],
    [501, "ann", undefined],
  ]);
});

test("T42: a service's line has its name, method and code, and nothing of its address", async () => {
  await text((await proxy.send(`${PREFIX}-/services/prometheus/canary/x?query=canary`, { method: "POST", body: "canary" })).body);
  await until(() => records.length === 1);
  expect(recorded()).toEqual([
    { event: "complete", ...ANN, service: "prometheus", method: "POST", code: 200, bytes_in: 6, bytes_out: 2, duration_ms: 0 },
  ]);
});

test("T42: nothing of the query, headers, body or an address outside of the API stands in a line", async () => {
  const headers = {
    ...COOKIE,
    cookie: "_gitlab_kas=canary; a=canary",
    "x-csrf-token": "canary",
    "x-request-id": "canary",
    "user-agent": "canary",
  };
  proxy.router.onRequest = (call) => {
    call.respond(201, { "x-canary": ["canary"] });
    call.data("canary");
    call.finish();
  };
  for (const path of [`api/v1/namespaces/shop/configmaps?fieldManager=canary`, "canary/path", "apis/canary", "api/v1?canary"])
    await text((await proxy.send(`${PREFIX}${path}`, { headers, method: "POST", body: '{"data":"canary"}' })).body);
  await until(() => records.length === 4);
  expect(linesOf(records, { dropped: 0, isMarked: true })).not.toContain("canary");
});

test("T42: no mark of a caller suppresses its line", async () => {
  const marks = { "kas-proof": "1", "kas-audit": "false", "audit-id": "x", "kas-watch-budget": "sample", "x-request-id": "x", dnt: "1" };
  await text((await proxy.send(POD, { headers: { ...PAT, ...marks } })).body);
  await until(() => records.length === 1);
  expect(recorded()).toMatchObject([{ event: "complete", ...ANN, verb: "get", ...OF_POD, code: 200 }]);
});

test("T42: a change that is pipelined behind a watch has a line and ends although the watch is never answered to its end", async () => {
  proxy.router.onRequest = (call) => {
    if (call.request.context.class === "watch") call.respond(200, { "Content-Type": ["application/json"] });
  };
  const socket = proxy.dial();
  const head = "Host: kas\r\nAuthorization: Bearer pat:7:good\r\n\r\n";
  socket.write(`GET ${PREFIX}api/v1/pods?watch=1 HTTP/1.1\r\n${head}DELETE ${POD} HTTP/1.1\r\n${head}`);
  await until(() => proxy.router.calls.length === 2 && proxy.call(1).halfClosed);
  socket.destroy();
  await until(() => proxy.router.calls.every(({ cancelled }) => cancelled));
  await until(() => records.length === 3);
  expect(recorded().map(({ event, verb, code }) => [event, verb, code])).toEqual(
    expect.arrayContaining([
      ["end", "watch", 200],
      ["complete", "delete", 499],
    ]),
  );
});
