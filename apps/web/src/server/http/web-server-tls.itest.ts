import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect, type AddressInfo } from "node:net";

import { systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { selfSigned } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { heldFile } from "../config/testing/held-file.ts";
import { createWebServer, listen, type WebServer } from "./web-server.ts";

let server: WebServer;
let port: number;
let certificate: string;

beforeAll(async () => {
  const { certificate: made, key } = selfSigned(["IP:127.0.0.1"]);
  certificate = made;
  server = createWebServer({
    config: {
      listen: { address: "127.0.0.1:0", certificate_file: heldFile(certificate), key_file: heldFile(new Secret(key)) },
      external_url: "https://127.0.0.1",
      frame_ancestors: [],
      trusted_proxies: [],
    },
    bff: {
      sessionName: async () => undefined,
      signInUrl: () => "/",
      session: () => Promise.resolve(new Response()),
      rpc: () => Promise.resolve(),
    },
    handle: async (_request, response) => void response.end("page"),
    failed: () => undefined,
    refused: () => undefined,
    build: "this-build",
    clock: systemClock,
    ready: () => true,
  });
  await listen(server, "127.0.0.1:0");
  // A TCP server that listens has an AddressInfo.
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => void server.close());

test("XS7: over https every answer tells browsers to stay there", async () => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/healthz", ca: certificate, agent: false }, resolve).on("error", reject);
  });
  answer.resume();
  expect(answer.headers["strict-transport-security"]).toBe("max-age=63072000");
});

// At once, for each waits for the server's own patience.
test.concurrent.for([
  ["says nothing", ""],
  ["does not speak TLS", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["stops in the middle of its greeting", "\u0016\u0003\u0001\u0002\u0000\u0001"],
])("XM12: a client that %s is cut, and keeps no socket", async ([, bytes = ""], { expect }) => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).resume();
  socket.write(bytes, "latin1");
  // The server ends it: the test waits for that.
  await new Promise((resolve) => socket.once("close", resolve));
  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
});
