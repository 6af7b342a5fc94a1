import type { FaultReason } from "@binnacle/rpc";
import { outgoingDispatcher } from "@binnacle/rpc/outgoing-dispatcher";
import { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import { ManualClock, settle, startConnectProxy } from "@binnacle/testing";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";

import { MAIN_APPLICATION_SECRET, startMainApplication, type FakeMainApplication } from "./testing/fake-main-application.ts";

let main: FakeMainApplication;
beforeEach(async () => {
  main = await startMainApplication();
});
afterEach(() => main.close());

test("a 200 gives its JSON and a 204 nothing", async () => {
  main.answer = ({ url }) =>
    url === "/json" ? { status: 200, body: { a: 1 }, headers: { "content-type": "application/json; charset=utf-8" } } : { status: 204 };
  const client = main.client();
  expect(await client.call({ method: "GET", path: "/json" })).toEqual({ a: 1 });
  expect(await client.call({ method: "POST", path: "/nothing", body: {} })).toBeUndefined();
});

test.each<[number, FaultReason]>([
  [400, "main_application_unavailable"],
  [401, "token_unknown"],
  [403, "agent_forbidden"],
  [404, "not_found"],
  [429, "main_application_unavailable"],
  [500, "main_application_unavailable"],
  [503, "main_application_unavailable"],
])("a %i is %s", async (status, reason) => {
  main.answer = () => ({ status, body: { message: "x" } });
  await expect(main.client().call({ method: "GET", path: "/x?secret=1" })).rejects.toMatchObject({ reason });
});

test.each(["<html>", '{"a":'])("a 200 with the body %s is not believed", async (body) => {
  main.answer = () => ({ status: 200, body, headers: { "content-type": body.startsWith("<") ? "text/html" : "application/json" } });
  await expect(main.client().call({ method: "GET", path: "/x" })).rejects.toMatchObject({ reason: "main_application_unavailable" });
});

test("an answer that is too large is not read to its end", async () => {
  main.answer = () => ({ status: 200, body: JSON.stringify("x".repeat(5 * 1024 * 1024)) });
  await expect(main.client().call({ method: "GET", path: "/x" })).rejects.toMatchObject({
    reason: "main_application_unavailable",
    cause: { message: "the answer is too large" },
  });
});

test("a redirect is not followed: the token stays here", async () => {
  main.answer = ({ url }) =>
    url === "/x" ? { status: 302, headers: { location: `${main.address}/elsewhere` } } : { status: 200, body: {} };
  await expect(main.client().call({ method: "GET", path: "/x", bearer: "t" })).rejects.toMatchObject({
    reason: "main_application_unavailable",
  });
  expect(main.seen.map(({ url }) => url)).toEqual(["/x"]);
});

test("kas shows a JWT of half a minute with the claims the main application checks", async () => {
  const clock = new ManualClock();
  main.answer = () => ({ status: 204 });
  await main.client({ clock }).call({ method: "GET", path: "/x" });
  const token = main.seen[0]?.headers["gitlab-kas-api-request"];
  const { payload, protectedHeader } = await jwtVerify(String(token), MAIN_APPLICATION_SECRET, { currentDate: new Date(clock.now()) });
  const now = clock.now() / 1_000;
  expect(protectedHeader.alg).toBe("HS256");
  expect(payload).toEqual({ iss: "gitlab-kas", aud: ["gitlab"], iat: now, nbf: now - 5, exp: now + 30 });
});

test("the agent's token, further headers, the body and the public host are sent", async () => {
  main.answer = () => ({ status: 204 });
  await main
    .client({ externalUrl: "https://gitlab.example.com:8443/path" })
    .call({ method: "POST", path: "/x", bearer: "agent-token", headers: { "job-token": "j" }, body: { a: [1] } });
  const [seen] = main.seen;
  expect(seen).toMatchObject({ method: "POST", url: "/x", body: '{"a":[1]}' });
  expect(seen?.headers).toMatchObject({
    authorization: "Bearer agent-token",
    "job-token": "j",
    host: "gitlab.example.com:8443",
    "content-type": "application/json",
    "user-agent": "kas/test",
  });
});

test("a call beyond the rate waits for its turn", async () => {
  const clock = new ManualClock();
  main.answer = () => ({ status: 204 });
  const client = main.client({ clock, burst: 1 });
  await client.call({ method: "GET", path: "/1" });
  const second = client.call({ method: "GET", path: "/2" });
  await settle();
  expect(main.seen).toHaveLength(1);
  clock.advance(10);
  await second;
  expect(main.seen.map(({ url }) => url)).toEqual(["/1", "/2"]);
});

test("a main application that does not listen is unavailable", async () => {
  const client = main.client();
  await main.close();
  main = await startMainApplication();
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toMatchObject({ reason: "main_application_unavailable" });
});

test("T46: a proxy that opens no tunnel is named in the log, and not to callers", async () => {
  const proxy = await startConnectProxy({ answers: 403 });
  const dispatcher = outgoingDispatcher({
    proxy: OutgoingProxy.parse(`http://me:p4ss-canary@127.0.0.1:${proxy.port}`),
    tls: {},
    agent: {},
  });
  const details: string[] = [];
  const client = main.client({ dispatcher, onFailure: (detail) => details.push(detail) });
  await expect(client.call({ method: "GET", path: "/x" })).rejects.toThrow("the main application cannot answer now");
  const { host } = new URL(main.address);
  expect(details).toEqual([`the proxy http://127.0.0.1:${proxy.port} does not allow connections to ${host} (403)`]);
  expect(main.seen).toEqual([]);
  await dispatcher.destroy();
  await proxy.close();
});

test("XM10, T31: callers never read a path or an address of the inside; the log does", async () => {
  const details: string[] = [];
  const client = main.client({ onFailure: (detail) => details.push(detail) });
  const messages: unknown[] = [];
  const ask = (path: string) => client.call({ method: "GET", path }).catch((error: unknown) => messages.push(String(error)));
  main.answer = () => ({ status: 431 });
  await ask("/api/v4/internal/kubernetes/agent_info");
  main.answer = () => ({ status: 200, body: "<html>", headers: { "content-type": "text/html" } });
  await ask("/api/v4/internal/kubernetes/agent_info");
  await main.close();
  main = await startMainApplication();
  await ask("/api/v4/internal/kubernetes/agent_info");
  expect(new Set(messages)).toEqual(new Set(["Fault: the main application cannot answer now"]));
  expect(details.slice(0, 2)).toEqual([
    "/api/v4/internal/kubernetes/agent_info answered 431",
    "/api/v4/internal/kubernetes/agent_info answered 200 without JSON",
  ]);
  expect(details).toHaveLength(3);
});
