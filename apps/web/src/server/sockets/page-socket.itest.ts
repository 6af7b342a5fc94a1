import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";

import { systemClock, type Clock } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

import { PageSocket } from "./page-socket.ts";

/** A page with its socket at the server. */
async function connect(clock: Clock = systemClock, options: WebSocket.ClientOptions = {}) {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const accepted = new Promise<WebSocket>((resolve) => sockets.once("connection", resolve));
  const page = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false, ...options });
  page.on("error", () => undefined);
  const codeOfPage = new Promise<number>((resolve) => page.once("close", resolve));
  const received: string[] = [];
  let isClosed = false;
  const socket = await accepted;
  const closed = new Promise<void>((resolve) => {
    const events = {
      received: (message: Buffer) => void received.push(String(message)),
      closed: () => {
        isClosed = true;
        resolve();
      },
    };
    void new PageSocket(socket, { clock, events });
  });
  if (page.readyState !== page.OPEN) await new Promise((resolve) => page.once("open", resolve));
  return { page, socket, codeOfPage, received, closed, isClosed: () => isClosed };
}

test("a page that sends and does not read is cut off once 256 KiB wait for it", async () => {
  const { page, socket, closed, isClosed } = await connect();
  page.pause();
  let waiting = 0;
  // Each is answered with a pong of the same size.
  for (const ping = Buffer.alloc(125); !isClosed(); await setImmediate())
    for (let at = 0; at < 1_000 && page.readyState === page.OPEN; at++) {
      page.ping(ping);
      waiting = Math.max(waiting, socket.bufferedAmount);
    }
  await closed;
  expect(waiting).toBeLessThan(2 * 256 * 1024);
});

test("a page that answers pings stays, one that answers none is cut off after a minute", async () => {
  const clock = new ManualClock();
  const alive = await connect(clock);
  const silent = await connect(clock, { autoPong: false });
  const answered = new Promise((resolve) => alive.socket.once("pong", resolve));
  clock.advance(30_000);
  await answered;
  clock.advance(30_000);
  expect(await silent.codeOfPage).toBe(1006);
  await silent.closed;
  expect([alive.isClosed(), alive.page.readyState]).toEqual([false, alive.page.OPEN]);
});

test("binary messages are received; a text ends the socket with 1002", async () => {
  const { page, codeOfPage, received } = await connect();
  page.send(Buffer.from("bytes"));
  page.send("text");
  expect([await codeOfPage, received]).toEqual([1002, ["bytes"]]);
});
