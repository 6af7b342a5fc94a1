import { EndlessServer } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { kindOf } from "../testing/fake-cluster.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import { createHttpsTransport, type HttpsTransport } from "./https-transport.ts";

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;
const PODS = kindOf("/v1/pods/Pod");
let server: EndlessServer;
let transport: HttpsTransport;

beforeEach(async () => {
  server = await EndlessServer.listen();
  transport = createHttpsTransport({ baseUrl: server.url });
});

afterEach(async () => {
  transport.close();
  await server.close();
});

test("XS4, T14, T15: the connection of a list without end is cut at 64 MiB", async () => {
  const list = new HttpKubeClient(transport).list({ kind: PODS, namespace: "a", limit: 500, metadataOnly: false }, NEVER);
  await expect(list).rejects.toMatchObject({ failure: "too_large" });
  await server.cut;
  // What the sockets of both sides hold comes on top.
  expect(server.sentBytes).toBeLessThan(80 * MIB);
});

test("XS4, T15: the connection of a refusal without end is cut at 1 MiB", async () => {
  server.status = 403;
  const get = new HttpKubeClient(transport).get({ kind: PODS, namespace: "a", name: "b" }, NEVER);
  await expect(get).rejects.toMatchObject({ failure: "api", status: { code: 403 } });
  await server.cut;
  expect(server.sentBytes).toBeLessThan(16 * MIB);
});

test("XS4, T14: the connection of a watch whose line does not end is cut at 16 MiB", async () => {
  const watch = new HttpKubeClient(transport).watch({ kind: PODS, namespace: "a", resourceVersion: "1", metadataOnly: false }, NEVER);
  await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure: "too_large" });
  await server.cut;
  expect(server.sentBytes).toBeLessThan(32 * MIB);
});
