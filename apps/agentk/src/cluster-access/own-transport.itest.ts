import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describeKubeTransport } from "@binnacle/environment-view/kube-transport.conformance";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { ImpersonatedIdentity } from "./impersonation.ts";
import { ApiStandIn } from "../testing/api-stand-in.ts";
import { plainAccess } from "./testing/plain-access.ts";
import { ClusterClient } from "./cluster-client.ts";
import { createOwnTransport } from "./own-transport.ts";

const NEVER = new AbortController().signal;
const MIB = 1024 * 1024;

describeKubeTransport("with the agent's own credential", async (serve, clock) => {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const client = new ClusterClient(plainAccess(new URL(`http://127.0.0.1:${port}`)));
  const leave = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const transport = createOwnTransport(client, { part: "test", clock });
  return { transport, leave, close: async () => (await client.close(), await leave()) };
});

let api: ApiStandIn;
let client: ClusterClient;

beforeEach(async () => {
  api = await ApiStandIn.listen();
  client = new ClusterClient(plainAccess(api.url));
});

afterEach(async () => {
  await client.close();
  await api.close();
});

const KIM: ImpersonatedIdentity = { username: "küm", groups: ["a", "b"], uid: "7", extra: new Map([["x/y", ["1"]]]) };

test("asks as the agent, and says which part of it asks", async () => {
  const transport = createOwnTransport(client, { part: "views" });
  (await transport.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER)).close();
  expect(api.lastHeader("authorization")).toEqual(["Bearer agent-sa"]);
  expect(api.lastHeader("user-agent")).toEqual([expect.stringMatching(/^agentk\/v.* views$/)]);
  expect(api.lastHeader("impersonate-user")).toEqual([]);
});

test("impersonates an identity with the agent's credential", async () => {
  const transport = createOwnTransport(client, { part: "views", identity: KIM });
  (await transport.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER)).close();
  expect(api.lastHeader("authorization")).toEqual(["Bearer agent-sa"]);
  expect(api.lastHeader("impersonate-user")).toEqual([Buffer.from("küm").toString("latin1")]);
  expect(api.lastHeader("impersonate-group")).toEqual(["a", "b"]);
  expect(api.lastHeader("impersonate-extra-x%2fy")).toEqual(["1"]);
});

test("T2: never adds one identity to another, and no header to a name", () => {
  const own = new ClusterClient({ ...plainAccess(api.url), identity: KIM });
  expect(() => createOwnTransport(own, { part: "views", identity: KIM })).toThrow("more than one");
  expect(() => createOwnTransport(client, { part: "views", identity: { ...KIM, username: "a\r\nx: 1" } })).toThrow("control character");
  expect(() => createOwnTransport(client, { part: "views", identity: { ...KIM, username: "" } })).toThrow("user name");
});

test("a signal ends an answer that is being read, and the API server sees it", async () => {
  api.answer = (_request, response) => void response.write("half");
  const stop = new AbortController();
  const response = await createOwnTransport(client, { part: "views" }).request({ method: "GET", path: "/api", accept: "*/*" }, stop.signal);
  const read = async (): Promise<void> => {
    for await (const _chunk of response.body) stop.abort();
  };
  await expect(read()).rejects.toMatchObject({ failure: "connection" });
  await api.connectionClosed();
});

test("an answer that is read slowly is never more than the sockets' room ahead of its reader", async () => {
  const whole = 96 * MIB;
  let [written, read, most] = [0, 0, 0];
  api.answer = (_request, response) => {
    const more = (): void => {
      while (written < whole) {
        written += MIB;
        most = Math.max(most, written - read);
        if (!response.write(Buffer.alloc(MIB))) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  };
  const response = await createOwnTransport(client, { part: "views" }).request({ method: "GET", path: "/api", accept: "*/*" }, NEVER);
  for await (const chunk of response.body) {
    read += chunk.length;
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(read).toBe(whole);
  expect(most).toBeLessThan(whole / 2);
});
