import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";

import { outgoingDispatcher, ProxyError, type OutgoingDispatcherOptions } from "@binnacle/rpc/outgoing-dispatcher";
import { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import { selfSigned, startConnectProxy, type ConnectProxy, type ConnectProxyOptions } from "@binnacle/testing";
import { request, type Dispatcher } from "undici";
import { afterEach, describe, expect, test } from "vitest";

const PASSWORD = "p4ss-canary";
const ofUpstream = selfSigned(["DNS:gitlab.invalid"]);
const ofProxy = selfSigned(["IP:127.0.0.1"]);

const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Requests that came, by method, path and what of their head says who carried them. */
async function startUpstream(secure: boolean): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = [];
  const listener: RequestListener = ({ method, url, headers }, response) => {
    seen.push(`${method} ${url} ${headers["host"]} ${headers["proxy-authorization"]}`);
    response.end("upstream");
  };
  const server: Server = secure
    ? createHttpsServer({ cert: ofUpstream.certificate, key: ofUpstream.key }, listener)
    : createHttpServer(listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A TCP server has an address object once it listens.
  return { port: (server.address() as AddressInfo).port, seen };
}

async function startProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(options);
  closers.push(() => proxy.close());
  return proxy;
}

function dispatcherFor(address: string, options: Partial<OutgoingDispatcherOptions> = {}): Dispatcher {
  const dispatcher = outgoingDispatcher({ proxy: OutgoingProxy.parse(address), tls: {}, agent: {}, ...options });
  closers.push(() => dispatcher.destroy());
  return dispatcher;
}

describe("interop-3 finding 5: a request through a proxy", () => {
  test.each([
    ["http", "http"],
    ["http", "https"],
    ["https", "http"],
    ["https", "https"],
  ] as const)("of %s to an upstream of %s is a tunnel to its name, and the credentials stay with the proxy", async (kind, scheme) => {
    const upstream = await startUpstream(scheme === "https");
    const proxy = await startProxy({ credentials: `me:${PASSWORD}`, ...(kind === "https" ? { tls: ofProxy } : {}) });
    const ca = `${ofUpstream.certificate}${ofProxy.certificate}`;
    const dispatcher = dispatcherFor(`${kind}://me:${PASSWORD}@127.0.0.1:${proxy.port}`, { tls: { ca } });
    for (const method of ["GET", "POST"] as const) {
      const { statusCode, body } = await request(`${scheme}://gitlab.invalid:${upstream.port}/x`, { dispatcher, method });
      expect([statusCode, await body.text()]).toEqual([200, "upstream"]);
    }
    expect(new Set(proxy.targets)).toEqual(new Set([`gitlab.invalid:${upstream.port}`]));
    expect(upstream.seen).toEqual(["GET", "POST"].map((method) => `${method} /x gitlab.invalid:${upstream.port} undefined`));
  });

  test("the upstream's certificate is held against its own name", async () => {
    const upstream = await startUpstream(true);
    const proxy = await startProxy();
    const dispatcher = dispatcherFor(`127.0.0.1:${proxy.port}`, { tls: { ca: ofUpstream.certificate, servername: "other.invalid" } });
    await expect(request(`https://gitlab.invalid:${upstream.port}/`, { dispatcher })).rejects.toThrow("other.invalid. is not in the cert");
    expect(upstream.seen).toEqual([]);
  });

  test.each([
    [{ credentials: "other:word" }, "does not accept the user and password of its address (407)"],
    [{ answers: 403 }, "does not allow connections to gitlab.invalid:443 (403)"],
    [{ answers: 502 }, "cannot reach gitlab.invalid:443 (502)"],
    [{ answers: "silent" }, "accepted the connection and gave no answer in time to CONNECT gitlab.invalid:443"],
  ] as const)("T46: %o is a sentence that names it without its password, and nothing was sent", async (options, sentence) => {
    const proxy = await startProxy(options);
    const dispatcher = dispatcherFor(`http://me:${PASSWORD}@127.0.0.1:${proxy.port}`, { connectDeadlineMs: 100 });
    const asking = request("https://gitlab.invalid/", { dispatcher, method: "POST", body: "x" });
    const failure: unknown = await asking.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProxyError);
    expect(String(failure)).toBe(`ProxyError: the proxy http://127.0.0.1:${proxy.port} ${sentence}`);
    expect(proxy.targets).toEqual(["gitlab.invalid:443"]);
  });

  test("a proxy that is unavailable, or closes the connection, is named too", async () => {
    const proxy = await startProxy();
    await proxy.close();
    closers.splice(closers.length - 1, 1);
    const dispatcher = dispatcherFor(`127.0.0.1:${proxy.port}`);
    await expect(request("https://gitlab.invalid/", { dispatcher })).rejects.toThrow(
      `the proxy http://127.0.0.1:${proxy.port} cannot be reached: connect ECONNREFUSED`,
    );
  });
});
