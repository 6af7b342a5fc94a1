import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import { createServer as createNetServer, type AddressInfo, type Server } from "node:net";

import { afterEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";

import { dialHttp2 } from "./dial.ts";
import { GrpcClientStream } from "../grpc-client-stream.ts";
import { GrpcServerStream } from "../grpc-server-stream.ts";
import { NO_METADATA } from "../metadata.ts";
import { serverSessionOptions } from "../session-options.ts";
import { TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "../websocket-duplex.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.close();
    await once(server, "close");
  });
  // The address of a listening TCP server is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** A gRPC echo behind a WebSocket upgrade, as kas serves it. */
async function webSocketEcho(): Promise<{ port: number; upgrades: { path: string | undefined; agent: string | undefined }[] }> {
  const grpc = createHttp2Server(serverSessionOptions());
  const sessions = new Set<ServerHttp2Session>();
  grpc.on("session", (session) => sessions.add(session));
  grpc.on("stream", (stream, headers) => {
    const served = new GrpcServerStream(
      { stream, headers },
      { message: (data) => served.write([data]), halfClose: () => served.end({ code: 0, message: "" }) },
    );
  });
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(TUNNEL_SUBPROTOCOL) ? TUNNEL_SUBPROTOCOL : false),
  });
  const upgrades: { path: string | undefined; agent: string | undefined }[] = [];
  const http = createHttpServer();
  http.on("upgrade", (request, socket, head) => {
    upgrades.push({ path: request.url, agent: request.headers["user-agent"] });
    sockets.handleUpgrade(request, socket, head, (opened) => grpc.emit("connection", new WebSocketDuplex(opened)));
  });
  const port = await listen(http);
  closers.push(() => {
    for (const session of sessions) session.destroy();
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
  return { port, upgrades };
}

test("ws:// carries gRPC inside of binary messages, with the path and headers it was given", async () => {
  const { port, upgrades } = await webSocketEcho();
  const session = await dialHttp2(`ws://127.0.0.1:${port}/-/kubernetes-agent/?x=1`, { headers: { "user-agent": "agentk/1/abc" } });
  closers.push(() => session.destroy());
  const payload = Buffer.alloc(3 * 1024 * 1024, 0x62);
  const received = await new Promise<Buffer[]>((resolve) => {
    const messages: Buffer[] = [];
    const call = new GrpcClientStream(
      { session, path: "/x.Y/Z", metadata: NO_METADATA },
      { message: (data) => messages.push(Buffer.from(data)), end: () => resolve(messages) },
    );
    call.write([payload]);
    call.closeSend();
  });
  expect(received).toHaveLength(1);
  expect(received[0]?.equals(payload)).toBe(true);
  expect(upgrades).toEqual([{ path: "/-/kubernetes-agent/?x=1", agent: "agentk/1/abc" }]);
});

test("M7: what arrives inside of a WebSocket is counted as a sign of life", async () => {
  const { port } = await webSocketEcho();
  const session = await dialHttp2(`ws://127.0.0.1:${port}/`);
  const before = session.socket.bytesRead;
  await new Promise((resolve) => session.ping(resolve));
  expect(session.socket.bytesRead).toBeGreaterThan(before);
  session.destroy();
});

test("a server that is no WebSocket server is named in the fault", async () => {
  const port = await listen(createHttpServer((_request, response) => response.writeHead(403).end()));
  await expect(dialHttp2(`ws://127.0.0.1:${port}/`)).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: expect.stringContaining("403"),
  });
});

test("a port that accepts but never answers is given up after the timeout", async () => {
  const sockets: { destroy(): void }[] = [];
  const port = await listen(createNetServer((socket) => void sockets.push(socket)));
  await expect(dialHttp2(`grpc://127.0.0.1:${port}`, { timeoutMs: 50 })).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: expect.stringContaining("no answer in time"),
  });
  for (const socket of sockets) socket.destroy();
});

test("a refused connection is a fault, an aborted signal is a cancellation, an unknown scheme is named", async () => {
  const server = createNetServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a listening TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  await expect(dialHttp2(`grpc://127.0.0.1:${port}`)).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  await expect(dialHttp2(`ws://127.0.0.1:${port}`)).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  await expect(dialHttp2(`grpc://127.0.0.1:${port}`, { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "cancelled" });
  await expect(dialHttp2("http://127.0.0.1:1")).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: expect.stringContaining("unknown scheme http:"),
  });
});
