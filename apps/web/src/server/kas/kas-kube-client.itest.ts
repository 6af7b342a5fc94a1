import { ByteBudget } from "@binnacle/environment-view";
import { createStatus, type ResourceKind } from "@binnacle/kube";
import { EndlessServer, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { KasKubeClient } from "./kas-kube-client.ts";

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;
const SHAPE = { namespaced: true, verbs: ["list"], subresources: [], shortNames: [] };
const DAEMON_SETS: ResourceKind = { ...SHAPE, group: "apps", version: "v1", kind: "DaemonSet", resource: "daemonsets" };
const REQUEST = { kind: DAEMON_SETS, namespace: "staging", limit: 500, metadataOnly: false };
let server: EndlessServer;
let dialer: HttpDialer;
let reading: ByteBudget;
let client: KasKubeClient;

beforeEach(async () => {
  server = await EndlessServer.listen();
  server.headers = { "kas-refusal": "tunnels_busy" };
  const url = `${server.url}/k8s-proxy`;
  dialer = new HttpDialer({ internalUrl: url, externalUrl: url });
  reading = new ByteBudget(256 * MIB);
  client = new KasKubeClient({
    dialer,
    reading,
    headers: () => Promise.resolve({}),
    configurationError: () => undefined,
    watchLimit: () => undefined,
  });
});

afterEach(async () => {
  await dialer.close();
  await server.close();
});

test("XS4, T14, T15: through kas, a list without end is cut at 64 MiB and the next one is read", async () => {
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure: "too_large" });
  await server.cut;
  // What the sockets of both sides hold comes on top.
  expect(server.sentBytes).toBeLessThan(80 * MIB);
  expect(reading.usedBytes).toBe(0);
  server.completeAnswer = { kind: "DaemonSetList", metadata: { resourceVersion: "7" }, items: [] };
  expect((await client.list(REQUEST, NEVER)).resourceVersion).toBe("7");
});

test.each([403, 502, 503, 504])("XS4, T15: through kas, a %i without end is cut at 1 MiB and keeps its meaning", async (code) => {
  server.status = code;
  const failure = code === 403 ? "api" : code === 504 ? "busy" : "connection";
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure });
  await server.cut;
  expect(server.sentBytes).toBeLessThan(16 * MIB);
});

test.each([
  { why: "the agent cannot reach the API server", reason: "tunnel_broken", stage: "answered", failure: "api_down" },
  { why: "the tunnel broke", reason: "tunnel_broken", stage: "started", failure: "connection" },
  { why: "the agent broke the rules", reason: "answer_broken", stage: "answered", failure: "connection" },
])("US6: a 502 of kas because $why is distinguished from the others", async ({ reason, stage, failure }) => {
  server.status = 502;
  server.completeAnswer = createStatus(502, "kas (agent server): broken", { details: { causes: [{ reason }], stage } });
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure });
  server.headers = {};
  // A cluster that says the same is not believed.
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure: "connection" });
});

test("US6: an unreachable kas is distinguished from all its answers", async () => {
  await server.close();
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure: "kas_unreachable" });
});

test.each([
  { of: "the API server", headers: { "retry-after": "0" } },
  { of: "kas", headers: { "retry-after": "0", "kas-refusal": "queue_full" } },
])("a request that $of rejects as over its limit is retried, and the page does not notice", async ({ headers }) => {
  server.status = 429;
  server.headers = headers;
  server.completeAnswer = createStatus(429, "too many requests");
  const answer = client.list(REQUEST, NEVER);
  await until(() => server.requests === 1);
  server.status = 200;
  server.headers = {};
  server.completeAnswer = { kind: "DaemonSetList", metadata: { resourceVersion: "7" }, items: [] };
  expect((await answer).resourceVersion).toBe("7");
  expect(server.requests).toBe(2);
});

test("a rejection without a retry time is reported at once, and so is that of a change", async () => {
  server.status = 429;
  server.headers = {};
  server.completeAnswer = createStatus(429, "too many requests");
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure: "api", status: { code: 429 } });
  server.headers = { "retry-after": "0" };
  const path = "/api/v1/namespaces/a/pods/b";
  const response = await client.transport.request({ method: "DELETE", path, accept: "*/*" }, NEVER);
  response.close();
  expect([response.status, server.requests]).toEqual([429, 2]);
});
