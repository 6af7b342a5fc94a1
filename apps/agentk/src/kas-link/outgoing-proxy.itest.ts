import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";

import { dialHttp2, TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "@binnacle/grpc-wire";
import { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, selfSigned, startConnectProxy, until, type ConnectProxy, type ConnectProxyOptions } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent } from "../whole-agent/running-agent.ts";
import { KasLink } from "./kas-link.ts";

/** No resolver knows it: only the proxy does. */
const HOST = "kas.invalid";
const SCHEMES = ["grpc", "grpcs", "ws", "wss"] as const;
const PASSWORD = "p4ss-canary";
const ofKas = selfSigned([`DNS:${HOST}`]);
const ofProxy = selfSigned(["IP:127.0.0.1"]);

const closers: (() => Promise<void> | void)[] = [];
let kas: FakeKas;
let api: ApiStandIn;
let directory: string;

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  directory = mkdtempSync(join(tmpdir(), "agentk-proxy-"));
  closers.push(
    () => kas.close(),
    () => api.close(),
    () => rmSync(directory, { recursive: true }),
  );
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Serves kas by this scheme. @returns the port */
async function serve(scheme: (typeof SCHEMES)[number]): Promise<number> {
  if (scheme === "grpc") return kas.port;
  const tls = { cert: ofKas.certificate, key: ofKas.key };
  if (scheme === "grpcs") return listen(createTlsServer({ ...tls, ALPNProtocols: ["h2"] }, (socket) => joined(socket, kas.port)));
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => TUNNEL_SUBPROTOCOL });
  const server: HttpServer = scheme === "ws" ? createHttpServer() : createHttpsServer(tls);
  server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (opened) => kas.server.emit("connection", new WebSocketDuplex(opened))),
  );
  closers.push(() => {
    for (const client of sockets.clients) client.terminate();
  });
  return listen(server);
}

function joined(socket: Socket, port: number): void {
  const upstream = connect(port, "127.0.0.1");
  socket.pipe(upstream).pipe(socket);
  for (const side of [socket, upstream]) side.on("error", () => {}).on("close", () => (socket.destroy(), upstream.destroy()));
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // The address of a listening TCP server is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

async function startProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(options);
  closers.push(() => proxy.close());
  return proxy;
}

function proxyAt(address: string): OutgoingProxy {
  const proxy = OutgoingProxy.parse(address);
  if (proxy === undefined) throw new Error(`${address} is no proxy`);
  return proxy;
}

describe.each(SCHEMES)("interop-3 finding 5: an agent that speaks %s through a proxy", (scheme) => {
  test.each(["http", "https"] as const)("over %s connects, has its name resolved there and trusts kas, not the proxy", async (kind) => {
    const port = await serve(scheme);
    const tls = kind === "https" ? { tls: ofProxy } : {};
    const proxy = await startProxy({ credentials: `me:${PASSWORD}`, ...tls });
    const caCertFile = join(directory, "ca.pem");
    writeFileSync(caCertFile, `${ofKas.certificate}${ofProxy.certificate}`);
    const agent = await runAgent(`${scheme}://${HOST}:${port}/x`, plainAccess(api.url), {
      caCertFile,
      proxy: proxyAt(`${kind}://me:${PASSWORD}@127.0.0.1:${proxy.port}`),
    });
    closers.push(() => agent.stop());
    await kas.opened(10);
    expect(proxy.targets).toEqual([`${HOST}:${port}`]);
    expect(proxy.opened).toBe(1);
  });
});

test("an agent without the certificate authority of its proxy reports that", async () => {
  const proxy = await startProxy({ tls: ofProxy });
  await expect(dialHttp2("grpc://kas.invalid:1", { proxy: proxyAt(`https://127.0.0.1:${proxy.port}`) })).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: expect.stringContaining(`the proxy https://127.0.0.1:${proxy.port} cannot be trusted or spoken to: self-signed certificate`),
  });
});

test("a certificate of the proxy alone does not make kas trusted", async () => {
  const port = await serve("grpcs");
  const proxy = await startProxy();
  await expect(
    dialHttp2(`grpcs://${HOST}:${port}`, { ca: ofProxy.certificate, proxy: proxyAt(`127.0.0.1:${proxy.port}`) }),
  ).rejects.toMatchObject({ message: expect.stringContaining("self-signed certificate") });
  expect(proxy.opened).toBe(1);
});

describe("a proxy that makes no tunnel", () => {
  test.each([
    [{ credentials: "other:word" }, "does not accept the user and password of its address (407)"],
    [{ answers: 403 }, "does not allow connections to kas.invalid:8150 (403)"],
    [{ answers: 502 }, "cannot reach kas.invalid:8150 (502)"],
    [{ answers: 418 }, "answered CONNECT kas.invalid:8150 with 418"],
    [{ answers: "silent" }, "accepted the connection and gave no answer in time to CONNECT kas.invalid:8150"],
  ] as const)("T46: %o is a sentence that names it without its password", async (options, sentence) => {
    const proxy = await startProxy(options);
    const address = `http://me:${PASSWORD}@127.0.0.1:${proxy.port}`;
    const timeoutMs = "answers" in options && options.answers === "silent" ? 200 : 10_000;
    const failure: unknown = await dialHttp2("grpcs://kas.invalid:8150", { proxy: proxyAt(address), timeoutMs }).catch((error) => error);
    expect(failure).toMatchObject({
      message: `cannot reach grpcs://kas.invalid:8150: the proxy http://127.0.0.1:${proxy.port} ${sentence}`,
    });
    expect(`${String(failure)}${JSON.stringify(failure)}`).not.toContain(PASSWORD);
  });

  test("without a password in its address, the error of a 407 names the flag for one; a refused connection and a hang-up have errors too", async () => {
    const proxy = await startProxy({ credentials: "a:b" });
    const dial = (): Promise<unknown> => dialHttp2("ws://kas.invalid/", { proxy: proxyAt(`127.0.0.1:${proxy.port}`) });
    await expect(dial()).rejects.toThrow("wants a user and a password (407): put them into its address");
    const rude = await listen(createHttpServer().on("connect", (_request, socket) => socket.destroy()));
    await expect(dialHttp2("ws://kas.invalid/", { proxy: proxyAt(`127.0.0.1:${rude}`) })).rejects.toThrow(
      `the proxy http://127.0.0.1:${rude} closed the connection without an answer to CONNECT kas.invalid:80`,
    );
    await proxy.close();
    closers.splice(closers.length - 2, 1);
    await expect(dial()).rejects.toThrow("ECONNREFUSED");
  });

  test("counts for the back-off, and is one line in the log", async () => {
    const proxy = await startProxy({ answers: 502 });
    const clock = new ManualClock(0);
    const stop = new AbortController();
    const log = createLogger("test", "silent");
    const lines: unknown[] = [];
    Object.assign(log, { warn: (...line: readonly unknown[]) => void lines.push(line) });
    let dials = 0;
    const link = new KasLink({
      clock,
      log,
      backoff: { initialMs: 500, maxMs: 20_000, random: () => 1 },
      dial: (signal) => {
        dials += 1;
        return dialHttp2("wss://kas.invalid", { signal, proxy: proxyAt(`http://me:${PASSWORD}@127.0.0.1:${proxy.port}`) });
      },
    });
    const running = link.run(stop.signal);
    for (const [count, delayMs] of [500, 1_000, 2_000, 4_000].entries()) {
      await until(() => dials === count + 1 && clock.pending === 1);
      clock.advance(delayMs - 1);
      expect(dials).toBe(count + 1);
      clock.advance(1);
    }
    await until(() => dials === 5);
    stop.abort();
    await running;
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain("cannot reach kas.invalid:443 (502)");
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });
});
