import { dialHttp2, GrpcClientStream, type GrpcStatus } from "@binnacle/grpc-wire";
import { parseTrustedProxies, systemClock } from "@binnacle/rpc";
import { ManualClock, until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import { ConnectionLimit } from "../limits/connection-limit.ts";
import type { AgentAuthenticator } from "../main-application/agent-info.ts";
import { AgentInfoLookup } from "../main-application/agent-info-lookup.ts";
import { startMainApplication } from "../main-application/testing/fake-main-application.ts";
import { testAuthenticator } from "../kas-routing/testing/kas-bench.ts";
import { agentOf, kasOf } from "../kas-routing/testing/kas-of.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";

/** An authenticator that writes down from where tokens came. */
function addressBook(): { readonly authenticator: AgentAuthenticator; readonly addresses: (string | undefined)[] } {
  const addresses: (string | undefined)[] = [];
  return {
    addresses,
    authenticator: {
      authenticate(authorization, signal, options) {
        addresses.push(options?.address);
        return testAuthenticator.authenticate(authorization, signal);
      },
    },
  };
}

/** Opens one stream with such metadata, over HTTP/2 or inside a WebSocket whose handshake has such headers. @returns how it ended */
async function connectOnce(
  url: string,
  given: { readonly metadata?: Record<string, string>; readonly handshake?: Record<string, string>; readonly path?: string },
): Promise<GrpcStatus> {
  const session = await dialHttp2(url, { headers: given.handshake ?? {} });
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  const metadata = new Map(Object.entries({ authorization: "Bearer unknown", ...given.metadata }).map(([name, value]) => [name, [value]]));
  return new Promise((resolve) => {
    const stream = new GrpcClientStream(
      { session, path: given.path ?? CONNECT_PATH, metadata },
      { message: () => undefined, end: resolve },
    );
    onTestFinished(() => stream.cancel());
  });
}

test("M8, XM3: connections with one token are limited, however many tunnels each of them opens", async () => {
  const kas = await kasOf({ limit: new ConnectionLimit(systemClock, 2) });
  await agentOf(kas.agentUrl, { tunnels: 20 });
  await agentOf(kas.agentUrl, { tunnels: 20 });
  await until(() => kas.registry.counts().idle === 40);
  const status = await connectOnce(kas.agentUrl, { metadata: { authorization: "Bearer agent-1" } });
  expect(status.code).toBe(8);
  expect(kas.registry.counts().idle).toBe(40);
});

test("XB2: the agent port counts bad tokens by the peer's address, and by the forwarded one only behind a trusted proxy", async () => {
  const metadata = { "x-forwarded-for": "203.0.113.9, 198.51.100.1" };
  const direct = addressBook();
  const kas = await kasOf({ authenticator: direct.authenticator });
  await connectOnce(kas.agentUrl, { metadata });
  expect(direct.addresses).toEqual(["127.0.0.1"]);
  const proxied = addressBook();
  const behind = await kasOf({ authenticator: proxied.authenticator, trustedProxies: parseTrustedProxies(["127.0.0.0/8"]) });
  await connectOnce(behind.agentUrl, { metadata });
  expect(proxied.addresses).toEqual(["198.51.100.1"]);
});

test("XB2: inside a WebSocket the handshake has the address", async () => {
  const direct = addressBook();
  const kas = await kasOf({ authenticator: direct.authenticator });
  await connectOnce(kas.webSocketUrl, { handshake: { "x-forwarded-for": "198.51.100.1" } });
  expect(direct.addresses).toEqual(["127.0.0.1"]);
  const proxied = addressBook();
  const behind = await kasOf({ authenticator: proxied.authenticator, trustedProxies: parseTrustedProxies(["127.0.0.0/8"]) });
  await Promise.all(
    ["198.51.100.1", "198.51.100.2"].map((address) => connectOnce(behind.webSocketUrl, { handshake: { "x-forwarded-for": address } })),
  );
  expect(new Set(proxied.addresses)).toEqual(new Set(["198.51.100.1", "198.51.100.2"]));
});

test("XB2, T19: typed services get the client's address from the listener, not from the client", async () => {
  const heard: (string | undefined)[] = [];
  const kas = await kasOf({
    connectHandler: ({ headers }, response) => {
      heard.push(String(headers[CLIENT_ADDRESS_HEADER]));
      response.writeHead(200, { "grpc-status": "12" });
      response.end();
    },
  });
  await connectOnce(kas.agentUrl, {
    path: "/some.Service/Method",
    metadata: { authorization: "Bearer agent-1", [CLIENT_ADDRESS_HEADER]: "198.51.100.1" },
  });
  expect(heard).toEqual(["127.0.0.1"]);
});

test("XM15: a revoked token loses its tunnels within five minutes of the last answer, though it was remembered for five", async () => {
  const main = await startMainApplication();
  onTestFinished(() => main.close());
  const clock = new ManualClock();
  const authenticator = new AgentInfoLookup(main.client({ clock }), clock, { okMs: 300_000, refusedMs: 60_000 });
  main.answer = () => ({
    status: 200,
    body: { project_id: 3, agent_id: 1, agent_name: "demo", gitaly_info: { address: "tcp://127.0.0.1:1" }, gitaly_repository: {} },
  });
  const kas = await kasOf({ clock, authenticator, keepAliveMs: 3_600_000 });
  await authenticator.authenticate("Bearer agent-1", new AbortController().signal);
  main.answer = () => ({ status: 401 });
  clock.advance(290_000);
  const agent = await agentOf(kas.agentUrl);
  await until(() => agent.ends.length > 0 || kas.registry.counts().idle === 1);
  clock.advance(10_000);
  await until(() => agent.ends.length > 0);
  expect(agent.ends[0]?.code).toBe(16);
  expect(main.seen).toHaveLength(2);
});
