import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ScriptedGoAgent, type GoRelease } from "../testing/scripted-go-agent.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

/** In the place of an API server: changes to SPDY for a POST and answers a GET, and gives back what it gets in capitals. */
let api: Server;
let kas: WholeKas;
const upgraded: { readonly request: IncomingMessage; readonly socket: Duplex }[] = [];
const agents: ScriptedGoAgent[] = [];

beforeEach(async () => {
  upgraded.length = 0;
  kas = await startWholeKas();
  api = createServer((_request, response) => void response.writeHead(403).end("no"));
  api.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    if (request.method === "GET") {
      socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 7\r\nConnection: keep-alive\r\n\r\nnot now");
      return;
    }
    upgraded.push({ request, socket });
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nready ");
    socket.on("data", (chunk: Buffer) => (String(chunk) === "bye" ? socket.end("BYE") : socket.write(String(chunk).toUpperCase())));
    socket.on("error", () => socket.destroy());
  });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
});

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.stop();
  await kas.stop();
  api.closeAllConnections();
  api.close();
});

async function agentOf(release: GoRelease): Promise<void> {
  // The address of a listening TCP server is an AddressInfo.
  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  agents.push(await ScriptedGoAgent.connect(`grpc://${kas.bound.agent}`, { release, token: "agent-1", cluster: { server, token: "own" } }));
}

/** Asks for an upgrade; ann acts as herself where the agent can, and as the agent else. */
function dial(method: "GET" | "POST") {
  const [host = "", port = ""] = (kas.bound.k8sProxy ?? "").split(":");
  const socket = connect({ host, port: Number(port) });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  const path = "/api/v1/namespaces/shop/pods/web-0/exec?command=id";
  const lines = [`${method} ${path} HTTP/1.1`, "Host: kas", "Connection: Upgrade", "Upgrade: SPDY/3.1", "Authorization: Bearer pat:1:ann"];
  socket.write([...lines, "X-Stream-Protocol-Version: v5.channel.k8s.io", "", ""].join("\r\n"));
  return { socket, received: () => received, closed: once(socket, "close") };
}

test("Go agentk 16.5.0 upgrades: header, trailer and bytes in both directions, as the user", async () => {
  await agentOf("16.5.0");
  const { socket, received, closed } = dial("POST");
  await until(() => received().includes("ready "));
  expect(received()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  expect(upgraded[0]?.request.headers).toMatchObject({
    "impersonate-user": "gitlab:user:ann",
    "x-stream-protocol-version": "v5.channel.k8s.io",
    authorization: "Bearer own",
  });
  socket.write("hello");
  await until(() => received().endsWith("HELLO"));
  socket.write("bye");
  await closed;
  expect(received()).toMatch(/HELLOBYE$/);
});

test("T1: another answer of a Go agent is passed on, and ends both connections", async () => {
  await agentOf("16.5.0");
  const { received, closed } = dial("GET");
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*not now/i);
});

test("a client that leaves ends the connection to the cluster", async () => {
  await agentOf("16.5.0");
  const { socket, received } = dial("POST");
  await until(() => received().includes("ready "));
  const ended = once(upgraded[0]?.socket ?? api, "end");
  socket.resetAndDestroy();
  await ended;
  expect(upgraded).toHaveLength(1);
});

test("Go agentk 14.1.1 cannot upgrade: a Status says so at once, and which version can", async () => {
  const { mainApplication } = kas;
  const before = mainApplication.answer;
  mainApplication.answer = (request) =>
    request.url.endsWith("/authorize_proxy_user")
      ? {
          status: 200,
          body: { agent: { id: 1, config_project: { id: 3 } }, user: { id: 1, username: "ann" }, access_as: { agent: {} } },
        }
      : before(request);
  await agentOf("14.1.1");
  const { received, closed } = dial("POST");
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/);
  const status: unknown = JSON.parse(received().split("\r\n\r\n")[1] ?? "");
  expect(status).toMatchObject({
    kind: "Status",
    message: expect.stringMatching(/cannot upgrade connections.* update it to 15\.1 or later/),
    details: { causes: [{ reason: "cannot_upgrade" }] },
  });
  expect(upgraded).toEqual([]);
});
