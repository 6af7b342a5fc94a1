import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import { selfSigned, startConnectProxy, type ConnectProxyOptions } from "@binnacle/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";

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
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const { servername } = request.socket as TLSSocket & { readonly servername: string | false };
      webSocket.send(`${servername} ${request.headers.host} ${request.url}`);
    }),
  );
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

/** A dialer that reaches the server through a proxy, with what it tells of it. */
async function behindProxy(options: ConnectProxyOptions) {
  const proxy = await startConnectProxy(options);
  const reports: (string | undefined)[] = [];
  const dialer = new HttpDialer({
    internalUrl: `https://inside.invalid:${port}/`,
    externalUrl: "https://kas.test/",
    caCertificate: certificate,
    proxy: OutgoingProxy.parse(`http://me:p4ss-canary@127.0.0.1:${proxy.port}`),
    proxyFailed: (reason) => void reports.push(reason),
  });
  onTestFinished(async () => {
    await dialer.close();
    await proxy.close();
  });
  let started = 0;
  const send = async (): Promise<string> => {
    const asking = dialer.request({
      method: "POST",
      path: "/",
      headers: {},
      body: "x",
      signal: AbortSignal.timeout(10_000),
      started: () => void (started += 1),
    });
    return (await asking).body.text();
  };
  return { proxy, dialer, reports, send, started: () => started };
}

test("interop-3 finding 5: through a proxy the inner name is requested, and the certificate of the public one is expected", async () => {
  const { proxy, dialer, reports, send, started } = await behindProxy({});
  expect(await send()).toBe("kas.test kas.test");
  dialer.trust(certificate);
  expect(await send()).toBe("kas.test kas.test");
  expect(proxy.targets).toEqual([`inside.invalid:${port}`, `inside.invalid:${port}`]);
  expect([started(), reports]).toEqual([2, [undefined, undefined]]);
});

test("T46: a proxy that opens no tunnel is reported without its password, and nothing was sent", async () => {
  const { proxy, reports, send, started } = await behindProxy({ answers: 403 });
  const reason = `the proxy http://127.0.0.1:${proxy.port} does not allow connections to inside.invalid:${port} (403)`;
  await expect(send()).rejects.toThrow(reason);
  expect([started(), reports, proxy.targets.length]).toEqual([0, [reason], 1]);
});

async function openSocket(internalHost: string, { externalHost, ca }: { externalHost: string; ca: string }): Promise<string> {
  const dialer = new HttpDialer({
    internalUrl: `https://${internalHost}:${port}/inside`,
    externalUrl: `https://${externalHost}/`,
    caCertificate: certificate,
  });
  onTestFinished(() => dialer.close());
  dialer.trust(ca);
  const socket = dialer.webSocket({ path: "/exec?a=b", headers: { origin: "https://app.test" }, protocols: [], mostMessageBytes: 1_000 });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on("message", (data: Buffer) => resolve(data.toString()));
    socket.on("error", reject);
  });
}

test("a WebSocket is dialled like a request: internal address and path, public name, authority", async () => {
  expect(await openSocket("127.0.0.1", { externalHost: "kas.test", ca: certificate })).toBe("kas.test kas.test /inside/exec?a=b");
  expect(await openSocket("127.0.0.1", { externalHost: "[::1]", ca: certificate })).toBe("false [::1] /inside/exec?a=b");
});

test("T26: a WebSocket to a certificate of another name, or of another authority, is rejected", async () => {
  const other = selfSigned(["DNS:kas.test"]).certificate;
  await expect(openSocket("127.0.0.1", { externalHost: "other.test", ca: certificate })).rejects.toThrow(
    /other\.test\. is not in the cert/,
  );
  await expect(openSocket("127.0.0.1", { externalHost: "kas.test", ca: other })).rejects.toThrow(/self-signed|unable to verify/);
});
