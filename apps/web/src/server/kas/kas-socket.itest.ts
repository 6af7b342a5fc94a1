import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { createStatus } from "@binnacle/kube";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";

import { HttpDialer } from "../http/http-dialer.ts";
import { openKasSocket } from "./kas-socket.ts";

const REJECTED = "HTTP/1.1 401 Unauthorized\r\ngitlab-unauthorized: true\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** A server that accepts the given credentials, and answers the others with a text. */
async function begin({ accepts, otherwise }: { readonly accepts: readonly string[]; readonly otherwise: string }) {
  const sockets = new WebSocketServer({ noServer: true });
  const connections = new Set<Duplex>();
  const server = createServer().on("upgrade", (request, socket: Duplex, head) => {
    connections.add(socket.on("error", () => undefined).once("close", () => connections.delete(socket)));
    if (!accepts.includes(request.headers.authorization ?? "")) return void socket.end(otherwise);
    return sockets.handleUpgrade(request, socket, head, (webSocket) => webSocket.send(request.url ?? ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const dialer = new HttpDialer({ internalUrl: `http://127.0.0.1:${port}/k8s-proxy`, externalUrl: "http://kas.test/k8s-proxy" });
  onTestFinished(() => dialer.close());
  const renewed: boolean[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const open = (credentials: { readonly old?: string; readonly fresh?: string }) =>
    openKasSocket(
      {
        dialer,
        headers: async ({ renew }) => {
          renewed.push(renew);
          const authorization = renew ? credentials.fresh : credentials.old;
          return authorization === undefined ? undefined : { authorization };
        },
      },
      { path: "/exec", protocols: [], mostMessageBytes: 1_000 },
      stop.signal,
    );
  return { open, renewed, stop, connections };
}

test("a credential that kas rejects is renewed once", async () => {
  const { open, renewed } = await begin({ accepts: ["fresh"], otherwise: REJECTED });
  const socket = await open({ old: "old", fresh: "fresh" });
  expect([renewed, socket.isPaused]).toEqual([[false, true], true]);
  const message = new Promise((resolve) => socket.once("message", (data: Buffer) => resolve(String(data))));
  socket.resume();
  expect(await message).toBe("/k8s-proxy/exec");
});

test.each([
  [{ old: "old", fresh: "other" }, [false, true]],
  [{ old: "old" }, [false, true]],
  [{}, [false]],
])("without a credential that kas accepts it fails as unauthorized: %j", async (credentials, attempts) => {
  const { open, renewed } = await begin({ accepts: [], otherwise: REJECTED });
  await expect(open(credentials)).rejects.toMatchObject({ failure: "unauthorized", stage: "not_started" });
  expect(renewed).toEqual(attempts);
});

test("a response that is no 101 is thrown with the status of the API server, and nothing is renewed", async () => {
  const body = JSON.stringify(createStatus(403, "no exec for you"));
  const head = `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  const { open, renewed } = await begin({ accepts: [], otherwise: head + body });
  await expect(open({ old: "old", fresh: "fresh" })).rejects.toThrow("no exec for you");
  expect(renewed).toEqual([false]);
});

test("a socket is cut when its signal aborts, and none is opened after that", async () => {
  const { open, stop, connections } = await begin({ accepts: ["old"], otherwise: REJECTED });
  const socket = await open({ old: "old" });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  stop.abort();
  expect(await closed).toBe(1006);
  await expect.poll(() => connections.size).toBe(0);
  await expect(open({ old: "old" })).rejects.toMatchObject({ failure: "connection", stage: "not_started" });
});
