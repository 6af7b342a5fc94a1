import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { selfSigned } from "@binnacle/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { HttpDialer } from "./http-dialer.ts";

let server: Server;
let port: number;
let certificate: string;

beforeAll(async () => {
  const { certificate: made, key } = selfSigned(["IP:127.0.0.1", "IP:::1", "DNS:kas.test"]);
  certificate = made;
  server = createServer({ key, cert: certificate }, (request, response) => {
    // An https server's sockets are TLS sockets; the name is false when the client sent none.
    const { servername } = request.socket as TLSSocket & { readonly servername: string | false };
    response.end(`${servername} ${request.headers.host}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => void server.close());

async function ask(internalHost: string, externalHost: string): Promise<string> {
  const dialer = new HttpDialer({
    internalUrl: `https://${internalHost}:${port}/`,
    externalUrl: `https://${externalHost}/`,
    caCertificate: certificate,
  });
  onTestFinished(() => dialer.close());
  const { body } = await dialer.request({ method: "GET", path: "/", headers: {}, signal: AbortSignal.timeout(10_000) });
  return body.text();
}

test("the public name goes into the handshake, whatever is dialled", async () => {
  expect(await ask("127.0.0.1", "kas.test")).toBe("kas.test kas.test");
});

test("an IP address is never sent as a server name, and the certificate is compared with it all the same", async () => {
  expect(await ask("127.0.0.1", "127.0.0.1")).toBe("false 127.0.0.1");
  expect(await ask("127.0.0.1", "[::1]")).toBe("false [::1]");
  await expect(ask("127.0.0.1", "127.0.0.2")).rejects.toThrow(/IP: 127\.0\.0\.2 is not in the cert/);
});

test("T26: a certificate of another name is refused", async () => {
  await expect(ask("127.0.0.1", "other.test")).rejects.toThrow(/other\.test\. is not in the cert/);
});
