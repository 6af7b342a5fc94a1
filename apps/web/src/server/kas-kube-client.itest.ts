import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { ByteBudget } from "@binnacle/environment-view";
import type { ResourceKind } from "@binnacle/kube";
import { afterEach, beforeEach, expect, test } from "vitest";

import { HttpDialer } from "./http-dialer.ts";
import { KasKubeClient } from "./kas-kube-client.ts";

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;
const SHAPE = { namespaced: true, verbs: ["list"], subresources: [], shortNames: [] };
const DAEMON_SETS: ResourceKind = { ...SHAPE, group: "apps", version: "v1", kind: "DaemonSet", resource: "daemonsets" };
const REQUEST = { kind: DAEMON_SETS, namespace: "staging", limit: 500, metadataOnly: false };
let server: Server;
let dialer: HttpDialer;
let reading: ByteBudget;
let client: KasKubeClient;
let sentBytes: number;
let cut: PromiseWithResolvers<void>;
let status: number;
let small: object | undefined;

beforeEach(async () => {
  [sentBytes, status, small, cut] = [0, 200, undefined, Promise.withResolvers()];
  server = createServer((_request, response) => {
    if (small !== undefined) {
      response.end(JSON.stringify(small));
      return;
    }
    response.writeHead(status, { "content-type": "application/json", "kas-refusal": "tunnels_busy" });
    response.on("close", () => cut.resolve());
    pour(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/k8s-proxy`;
  dialer = new HttpDialer({ internalUrl: url, externalUrl: url });
  reading = new ByteBudget(256 * MIB);
  client = new KasKubeClient({ dialer, reading, headers: () => Promise.resolve({}), configurationError: () => {} });
});

afterEach(async () => {
  await dialer.close();
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

test("XS4, T14, T15: through kas, a list without end is cut at 64 MiB and the next one is read", async () => {
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure: "too_large" });
  await cut.promise;
  // What the sockets of both sides hold comes on top.
  expect(sentBytes).toBeLessThan(80 * MIB);
  expect(reading.usedBytes).toBe(0);
  small = { kind: "DaemonSetList", metadata: { resourceVersion: "7" }, items: [] };
  expect((await client.list(REQUEST, NEVER)).resourceVersion).toBe("7");
});

test.each([403, 502, 503, 504])("XS4, T15: through kas, a %i without end is cut at 1 MiB and keeps its meaning", async (code) => {
  status = code;
  const failure = code === 403 ? "api" : code === 504 ? "busy" : "connection";
  await expect(client.list(REQUEST, NEVER)).rejects.toMatchObject({ failure });
  await cut.promise;
  expect(sentBytes).toBeLessThan(16 * MIB);
});
