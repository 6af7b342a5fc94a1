import { once } from "node:events";
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";

import { TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "@binnacle/grpc-wire";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, frameOf } from "../testing/fake-agent.ts";
import { startTestKas, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";

/** What Go agents of 14.x send as `:authority` when this address is configured. */
const GO_AUTHORITY = "ws://127.0.0.1:18200/some/path";
const GET_CONFIGURATION = "/gitlab.agent.agent_configuration.rpc.AgentConfiguration/GetConfiguration";

let kas: TestKas;
let session: ClientHttp2Session;
let authorities: (string | undefined)[];
beforeEach(async () => {
  authorities = [];
  kas = await startTestKas({
    connectHandler: (request, response) => {
      authorities.push(request.authority);
      response.writeHead(200, { "content-type": "application/grpc" });
      response.end();
    },
  });
  const socket = new WebSocket(kas.webSocketUrl, TUNNEL_SUBPROTOCOL);
  // At once: the server's first words may come with the answer to the upgrade.
  const duplex = await new Promise<WebSocketDuplex>((resolve) => socket.once("open", () => resolve(new WebSocketDuplex(socket))));
  session = connect("http://kas", { createConnection: () => duplex });
  session.on("error", () => undefined);
});
afterEach(async () => {
  session.destroy();
  await kas.stop();
});

function ask(path: string): ClientHttp2Stream {
  const headers = { ":method": "POST", ":authority": GO_AUTHORITY, "content-type": "application/grpc", te: "trailers" };
  const stream = session.request({ ...headers, ":path": path, authorization: "Bearer agent-1" });
  stream.on("error", () => undefined);
  stream.resume();
  return stream;
}

test("I2: GetConfiguration of a Go agent over a WebSocket is served, the first time and out of the table of its encoder", async () => {
  for (let count = 0; count < 5; count += 1) {
    const [headers] = await once(ask(GET_CONFIGURATION), "response");
    expect(headers[":status"]).toBe(200);
  }
  expect(authorities).toEqual(Array.from({ length: 5 }, () => "kas"));
});

test("I2: tunnels of a Go agent over a WebSocket carry calls", async () => {
  const services = [{ name: "test.Echo", methods: [{ name: "Echo" }] }];
  const tunnels = Array.from({ length: 10 }, () => ask(CONNECT_PATH));
  for (const tunnel of tunnels) tunnel.write(Buffer.concat(frameOf({ case: "descriptor", value: { agentDescriptor: { services } } })));
  await until(() => kas.registry.counts().idle === 10);
  const listener = new RecordingListener();
  await kas.router.open(
    { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal },
    listener,
  );
  expect(kas.registry.counts()).toMatchObject({ open: 10, idle: 9 });
});
