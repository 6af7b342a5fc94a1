import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import { get } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Secret } from "@binnacle/telemetry";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createWebServer, listen } from "./web-server.ts";

const folder = mkdtempSync(join(tmpdir(), "web-server-"));
let server: Server;
let port: number;
let certificate: string;

beforeAll(async () => {
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...curve, ...names, "-keyout", keyFile, "-out", certificateFile], { stdio: "ignore" });
  certificate = readFileSync(certificateFile, "utf8");
  server = createWebServer({
    config: {
      listen: { address: "127.0.0.1:0", certificate_file: certificate, key_file: new Secret(readFileSync(keyFile, "utf8")) },
      external_url: "https://127.0.0.1",
      frame_ancestors: [],
      trusted_proxies: [],
    },
    bff: { hasSession: () => false, signInUrl: () => "/", session: () => Promise.resolve(new Response()) },
    handle: async (_request, response) => void response.end("page"),
    failed: () => undefined,
    refused: () => undefined,
    ready: () => true,
  });
  await listen(server, "127.0.0.1:0");
  // A TCP server that listens has an AddressInfo.
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test("XS7: over https every answer tells browsers to stay there", async () => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/healthz", ca: certificate, agent: false }, resolve).on("error", reject);
  });
  answer.resume();
  expect(answer.headers["strict-transport-security"]).toBe("max-age=63072000");
});

test.each([
  ["says nothing", ""],
  ["does not speak TLS", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["stops in the middle of its greeting", "\u0016\u0003\u0001\u0002\u0000\u0001"],
])("XM12: a client that %s is cut, and keeps no socket", async (_what, bytes) => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).resume();
  socket.write(bytes, "latin1");
  // The server ends it: the test waits for that.
  await new Promise((resolve) => socket.once("close", resolve));
  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
});
