import { text } from "node:stream/consumers";

import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { ServiceHeaderExtraSchema, ServiceRight } from "@binnacle/proto/service-proxy";
import { Fault } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";

import { CI, COOKIE, ORIGIN, PAT, PREFIX, ProxyUnderTest, USER } from "./testing/proxy-under-test.ts";

const SERVICE = `${PREFIX}-/services/prometheus`;

let proxy: ProxyUnderTest;
beforeEach(async () => {
  proxy = await ProxyUnderTest.start();
});
afterEach(() => proxy.stop());

/** The extra of the header that the agent receives. */
function receivedExtra() {
  const message = proxy.call().messages[0]?.message;
  if (message?.case !== "header" || message.value.extra === undefined) throw new Error("there is no extra");
  return anyUnpack(message.value.extra, ServiceHeaderExtraSchema);
}

test("a request to a service is one to the agent's service proxy, with who asks", async () => {
  const answer = await proxy.send(`${SERVICE}/api/v1/query?query=up&private_token=canary`);
  expect(await text(answer.body)).toBe("{}");
  expect(proxy.call().request).toMatchObject({
    agentId: 7n,
    method: "/kas.v1.ServiceProxy/MakeRequest",
    impersonation: false,
    context: { caller: { kind: "user", id: "1" }, class: "safe" },
  });
  expect(proxy.requestHead()).toMatchObject({ method: "GET", urlPath: "/api/v1/query" });
  expect(Object.keys(proxy.requestHead().query)).toEqual(["query"]);
  expect(receivedExtra()).toMatchObject({
    service: "prometheus",
    right: ServiceRight.RAW,
    caller: { username: "ann", projects: [{ id: 3n, roles: ["reporter", "developer"] }], groups: [] },
    identity: { username: "gitlab:user:ann" },
  });
});

test("a cookie is as good as a token; a person whose requests the agent makes has a name and no roles", async () => {
  proxy.application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  await proxy.send(`${SERVICE}/x`, { headers: COOKIE });
  expect(receivedExtra()).toMatchObject({ caller: { username: "ann", projects: [], groups: [] } });
  expect(receivedExtra()?.identity).toBeUndefined();
});

test("a job is no person: it has a role of its own in its project and groups", async () => {
  await proxy.send(`${SERVICE}/x`, { headers: CI });
  expect(receivedExtra()?.caller).toMatchObject({
    username: "",
    projects: [{ id: 3n, roles: ["ci_job"] }],
    groups: [{ id: 9n, roles: ["ci_job"] }],
  });
});

test("measurements are a right of their own, and are only read", async () => {
  await proxy.send(`${SERVICE}/-/metrics?metric=cpu&namespace=shop`);
  expect(receivedExtra()?.right).toBe(ServiceRight.METRICS);
  expect(await proxy.refusal(`${SERVICE}/-/metrics`, { method: "POST" })).toMatchObject({ status: 405 });
});

test("T36: nothing that is a credential goes to the agent, and no client says as whom it acts", async () => {
  const headers = { ...COOKIE, "private-token": "canary", "x-forwarded-user": "canary", "gitlab-agent-id": "7" };
  await proxy.send(`${SERVICE}/x`, { headers });
  const names = Object.keys(proxy.requestHead().header);
  expect(names).not.toContain("cookie");
  expect(names.filter((name) => /token|cookie|authorization|forwarded|gitlab/.test(name))).toEqual([]);
  proxy.application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  expect(
    await proxy.refusal(`${SERVICE}/x`, { headers: { ...PAT, authorization: "Bearer pat:7:other", "Impersonate-User": "root" } }),
  ).toMatchObject({ status: 400, message: expect.stringContaining("impersonate-user") });
});

test("T11, T36: what a service answers sets no cookie, runs nothing, and redirects only within itself", async () => {
  proxy.router.onRequest = (call) => {
    call.respond(302, {
      "Content-Type": ["text/html"],
      "Set-Cookie": ["a=b"],
      Refresh: ["0;url=//evil"],
      "Kas-Refusal": ["forged"],
      Location: ["/graph?x=1"],
    });
    call.finish();
  };
  const { headers } = await proxy.send(`${SERVICE}/x`, { headers: { ...PAT, origin: ORIGIN } });
  expect(headers).toMatchObject({
    location: `${SERVICE}/graph?x=1`,
    "content-disposition": "attachment",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "access-control-allow-origin": ORIGIN,
  });
  for (const name of ["set-cookie", "refresh", "kas-refusal"]) expect(headers).not.toHaveProperty(name);
});

test("the reason of a response by agentk instead of the service is reported; the Kubernetes API cannot set it", async () => {
  proxy.router.onRequest = (call) => {
    call.respond(403, { "Content-Type": ["application/json"], "Binnacle-Service-Refusal": ["service_not_allowed"] });
    call.finish();
  };
  expect((await proxy.send(`${SERVICE}/x`)).headers["binnacle-service-refusal"]).toBe("service_not_allowed");
  expect((await proxy.send(`${PREFIX}api`)).headers).not.toHaveProperty("binnacle-service-refusal");
});

test.each([
  [`${PREFIX}-/services/`, "names no service"],
  [`${PREFIX}-/services/Up/x`, "names no service"],
  [`${PREFIX}-/services/a%2fb/x`, "names no service"],
  [`${PREFIX}-/services/../x`, "names no service"],
  [SERVICE, `must begin with ${SERVICE}/`],
  [`${SERVICE}/a%2Fb`, "hides slashes, dots or control characters"],
  [`${SERVICE}/%2e%2e/x`, "hides slashes, dots or control characters"],
  [`${SERVICE}/a%0Ab`, "hides slashes, dots or control characters"],
  [`${SERVICE}/a%5cb`, "hides slashes, dots or control characters"],
  [`${SERVICE}/../other/x`, "dot segments"],
  [`${SERVICE}//x`, "not allowed"],
])("T36: %s is rejected before any call", async (path, why) => {
  expect(await proxy.refusal(path)).toMatchObject({ status: 400, message: expect.stringContaining(why) });
  expect(proxy.router.calls).toEqual([]);
});

test("a caller who may not use the agent receives the same refusal as for the cluster", async () => {
  proxy.application.answer = () => ({ status: 401, body: {} });
  const { status, message, headers } = await proxy.refusal(`${PREFIX}api`);
  expect(await proxy.refusal(`${SERVICE}/x`)).toMatchObject({ status, message, headers: { "kas-refusal": headers["kas-refusal"] } });
  expect(status).toBe(401);
});

test("an agent that has no service proxy is out of date: 501, with the reason", async () => {
  proxy.router.failure = new Fault("unknown_method", "agent 7 is connected, but does not offer it");
  expect(await proxy.refusal(`${SERVICE}/x`)).toMatchObject({ status: 501, reason: "unknown_method" });
});

test("a stream of events counts as a watch, and ends when the rights behind it are gone", async () => {
  proxy.router.onRequest = (call) => call.respond(200, { "Content-Type": ["text/event-stream"] });
  const answer = await proxy.send(`${SERVICE}/events`, { headers: { ...PAT, accept: "text/event-stream" } });
  expect(proxy.call().request.context.class).toBe("watch");
  const ended = new Promise((resolve) => answer.body.once("close", resolve));
  answer.body.on("error", () => undefined).resume();
  proxy.application.answer = () => ({ status: 401, body: {} });
  proxy.clock.advance(30_000);
  await proxy.answers();
  await ended;
  expect(proxy.call().cancelled).toBe(true);
});
