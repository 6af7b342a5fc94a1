import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { metadataOfValues } from "@binnacle/grpc-wire";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas, type FakeTunnel } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import { exchange, nextResponse, readResponse, startRequest, type TunnelledRequest } from "../testing/tunnelled-request.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;
const upgraded: { readonly request: IncomingMessage; readonly socket: Duplex; received: string }[] = [];

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
  await kas.configuration();
  api.requests.length = 0;
  upgraded.length = 0;
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await api.close();
});

const EXEC = "/api/v1/namespaces/shop/pods/web-0/exec";
const WEBSOCKET: NonNullable<TunnelledRequest["headers"]> = [
  ["Connection", ["Upgrade"]],
  ["Upgrade", ["websocket"]],
  ["Sec-WebSocket-Key", ["key"]],
  ["Sec-WebSocket-Protocol", ["base64url.bearer.authorization.k8s.io.Y2FuYXJ5, v5.channel.k8s.io"]],
];

/** The API server changes to a protocol. @param protocol value of its Upgrade header */
function switches(protocol = "websocket"): void {
  api.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const connection = { request, socket, received: head.toString() };
    upgraded.push(connection);
    socket.on("data", (chunk: Buffer) => (connection.received += chunk.toString()));
    socket.on("error", () => socket.destroy());
    const lines = [
      "HTTP/1.1 101 Switching Protocols",
      "Connection: Upgrade",
      `Upgrade: ${protocol}`,
      "Sec-WebSocket-Accept: ok",
      "",
      "hello",
    ];
    socket.write(lines.join("\r\n"));
  });
}

function send(tunnel: FakeTunnel, message: NonNullable<MessageInitShape<typeof HttpRequestSchema>["message"]>): boolean {
  return tunnel.message(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message })));
}
const raw = (tunnel: FakeTunnel, text: string | Uint8Array): boolean =>
  send(tunnel, { case: "upgradeData", value: { data: Buffer.from(text) } });

/** A request as kas sends it: header and trailer, and the call stays open. */
async function ask(request: Partial<TunnelledRequest> = {}): Promise<FakeTunnel> {
  const tunnel = await kas.tunnel();
  startRequest(tunnel, { path: EXEC, headers: WEBSOCKET, contentLength: 0n, ...request });
  send(tunnel, { case: "trailer", value: {} });
  return tunnel;
}

async function opened(request?: Partial<TunnelledRequest>): Promise<FakeTunnel> {
  const tunnel = await ask(request);
  for (const part of ["header", "trailer", "upgradeData"]) expect(await nextResponse(tunnel)).toMatchObject({ case: part });
  return tunnel;
}

describe("an upgrade", () => {
  test("is header, trailer and bytes in both directions, until the cluster's side ends", async () => {
    switches();
    const tunnel = await ask();
    const header = await nextResponse(tunnel);
    expect(header).toMatchObject({ case: "header", value: { response: { statusCode: 101 } } });
    const lines = "value" in header && header.case === "header" ? metadataOfValues(header.value.response?.header ?? {}) : new Map();
    expect([lines.get("upgrade"), lines.get("sec-websocket-accept")]).toEqual([["websocket"], ["ok"]]);
    expect(await nextResponse(tunnel)).toMatchObject({ case: "trailer" });
    expect(await nextResponse(tunnel)).toMatchObject({ case: "upgradeData", value: { data: Buffer.from("hello") } });
    raw(tunnel, "there");
    await until(() => upgraded[0]?.received === "there");
    expect(upgraded[0]?.request.headers).toMatchObject({
      authorization: "Bearer agent-sa",
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "key",
      "sec-websocket-protocol": "v5.channel.k8s.io",
    });
    upgraded[0]?.socket.end("last words");
    expect(await nextResponse(tunnel)).toMatchObject({ case: "upgradeData", value: { data: Buffer.from("last words") } });
    expect(await nextResponse(tunnel)).toMatchObject({ code: 0 });
  });

  test("passes the end of the client's half on, and what comes after it back", async () => {
    switches();
    const tunnel = await opened();
    raw(tunnel, "all");
    tunnel.closeSend();
    await once(upgraded[0]?.socket ?? api.server, "end");
    expect(upgraded[0]?.received).toBe("all");
    upgraded[0]?.socket.end("answer");
    expect(await nextResponse(tunnel)).toMatchObject({ case: "upgradeData", value: { data: Buffer.from("answer") } });
    expect(await nextResponse(tunnel)).toMatchObject({ code: 0 });
  });

  test("ends at the cluster when the caller leaves", async () => {
    switches();
    const tunnel = await opened();
    const ended = once(upgraded[0]?.socket ?? api.server, "end");
    tunnel.end({ code: 1, message: "cancelled" });
    await ended;
    expect(upgraded[0]?.received).toBe("");
  });

  test("acts as the identity of kas, over SPDY by POST without a body too", async () => {
    switches("SPDY/3.1");
    await opened({
      method: "POST",
      headers: [
        ["Connection", ["Upgrade"]],
        ["Upgrade", ["SPDY/3.1"]],
        ["X-Stream-Protocol-Version", ["v5.channel.k8s.io"]],
      ],
      impersonate: { username: "gitlab:user:ann", groups: ["gitlab:user"] },
    });
    const { headers, method } = upgraded[0]?.request ?? {};
    expect(method).toBe("POST");
    expect(headers).toMatchObject({
      upgrade: "SPDY/3.1",
      "impersonate-user": "gitlab:user:ann",
      "x-stream-protocol-version": "v5.channel.k8s.io",
    });
    expect(headers).not.toHaveProperty("transfer-encoding");
    expect(headers).not.toHaveProperty("expect");
  });

  test("T14: 64 MiB pass both ways, and neither side is read while the other takes nothing", async () => {
    switches();
    const tunnel = await opened();
    const { socket } = upgraded[0] ?? { socket: undefined };
    if (socket === undefined) throw new Error("it was upgraded");
    socket.removeAllListeners("data");
    const piece = Buffer.alloc(64 * 1024, 1);
    let arrived = 0;
    socket.on("data", (chunk: Buffer) => (arrived += chunk.byteLength));
    let back = 0;
    for (let count = 0; count < 1024; count += 1) {
      if (!raw(tunnel, piece)) await until(() => arrived >= (count - 64) * piece.byteLength);
      if (!socket.write(piece)) {
        while (back < (count - 16) * piece.byteLength) back += await bytesOf(tunnel);
      }
    }
    await until(() => arrived === 1024 * piece.byteLength);
    while (back < 1024 * piece.byteLength) back += await bytesOf(tunnel);
    expect([arrived, back]).toEqual([1024 * piece.byteLength, 1024 * piece.byteLength]);
  });
});

async function bytesOf(tunnel: FakeTunnel): Promise<number> {
  const message = await nextResponse(tunnel);
  if (!("value" in message) || message.case !== "upgradeData") throw new Error(`no bytes: ${JSON.stringify(message)}`);
  return message.value.data.byteLength;
}

describe("T1", () => {
  test("another answer than 101 is passed on whole, and its connection carries nothing else", async () => {
    const body = "x".repeat(300_000);
    api.answer = (_request, response) => void response.writeHead(403, { "Content-Type": "text/plain" }).end(body);
    const tunnel = await ask();
    tunnel.closeSend();
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 403, body, end: { code: 0 } });
    const first = api.requests[0]?.socket;
    if (first && !first.destroyed) await once(first, "close");
    expect(await exchange(await kas.tunnel(), { path: "/api" })).toMatchObject({ statusCode: 403 });
    expect(api.requests[1]?.socket).not.toBe(first);
  });

  test("no connection that was used before carries an upgrade", async () => {
    await exchange(await kas.tunnel(), { path: "/api" });
    switches();
    await opened();
    expect(upgraded[0]?.request.socket.remotePort).not.toBe(api.requests[0]?.socket.remotePort);
  });

  test.each([
    ["changes to another protocol", "SPDY/3.1"],
    ["names two", "websocket, SPDY/3.1"],
  ])("an API server that %s is cut", async (_what, protocol) => {
    switches(protocol);
    expect(await nextResponse(await ask())).toMatchObject({ code: 14 });
    await until(() => upgraded[0]?.socket.readableEnded === true);
    expect(upgraded[0]?.received).toBe("");
  });

  test("a 101 that was not requested is an error", async () => {
    api.answer = ({ socket }) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nx");
    expect(await readResponse(await ask({ headers: [["Upgrade", ["h2c"]]] }).then((tunnel) => (tunnel.closeSend(), tunnel)))).toMatchObject(
      {
        statusCode: 0,
        end: { code: 14 },
      },
    );
  });

  test.each(["h2c", "websocket2", "TLS/1.2"])("an upgrade to %s is not heard", async (protocol) => {
    const tunnel = await ask({
      headers: [
        ["Connection", ["Upgrade"]],
        ["Upgrade", [protocol]],
      ],
    });
    tunnel.closeSend();
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 200, body: "{}" });
    expect(api.lastHeader("upgrade")).toEqual([]);
  });

  test("bytes before the 101 are refused and reach no API server", async () => {
    let received = "";
    api.server.on("upgrade", (_request, socket) => void socket.on("data", (chunk: Buffer) => (received += chunk.toString())));
    const tunnel = await ask();
    raw(tunnel, "GET /admin HTTP/1.1\r\n\r\n");
    expect(await nextResponse(tunnel)).toMatchObject({ code: 3, message: expect.stringContaining("before it was upgraded") });
    expect(received).toBe("");
  });
});
