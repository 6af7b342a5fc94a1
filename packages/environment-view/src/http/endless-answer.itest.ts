import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, beforeEach, expect, test } from "vitest";

import { kindOf } from "../fake-cluster.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import { createHttpsTransport, type HttpsTransport } from "./https-transport.ts";

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;
const PODS = kindOf("/v1/pods/Pod");
let server: Server;
let transport: HttpsTransport;
let sentBytes: number;
let cut: PromiseWithResolvers<void>;
let status: number;

beforeEach(async () => {
  sentBytes = 0;
  status = 200;
  cut = Promise.withResolvers();
  server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.on("close", () => cut.resolve());
    pour(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  transport = createHttpsTransport({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

afterEach(async () => {
  transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** As fast as the reader reads, without an end. */
function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  const piece = Buffer.alloc(256 * 1024, 32);
  sentBytes += piece.length;
  if (response.write(piece)) setImmediate(() => pour(response));
  else response.once("drain", () => pour(response));
}

test("XS4, T14, T15: the connection of a list without end is cut at 64 MiB", async () => {
  const list = new HttpKubeClient(transport).list({ kind: PODS, namespace: "a", limit: 500, metadataOnly: false }, NEVER);
  await expect(list).rejects.toMatchObject({ failure: "too_large" });
  await cut.promise;
  // What the sockets of both sides hold comes on top.
  expect(sentBytes).toBeLessThan(80 * MIB);
});

test("XS4, T15: the connection of a refusal without end is cut at 1 MiB", async () => {
  status = 403;
  const get = new HttpKubeClient(transport).get({ kind: PODS, namespace: "a", name: "b" }, NEVER);
  await expect(get).rejects.toMatchObject({ failure: "api", status: { code: 403 } });
  await cut.promise;
  expect(sentBytes).toBeLessThan(16 * MIB);
});

test("XS4, T14: the connection of a watch whose line does not end is cut at 16 MiB", async () => {
  const watch = new HttpKubeClient(transport).watch({ kind: PODS, namespace: "a", resourceVersion: "1", metadataOnly: false }, NEVER);
  await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure: "too_large" });
  await cut.promise;
  expect(sentBytes).toBeLessThan(32 * MIB);
});
