import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { systemClock } from "@binnacle/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { acceptWebSocket, agree, isStreamUpgrade } from "./upgrade.ts";
import { handleUpgrades } from "./upgraded-sockets.ts";
import { WebSocketChannels } from "./websocket-channels.ts";

const settings = { clock: systemClock, idleMs: 60_000 };
const server = createServer({ shouldUpgradeCallback: isStreamUpgrade }, (_, response) => response.end("plain"));
const accepted: ((channels: WebSocketChannels) => void)[] = [];
const endUpgraded = handleUpgrades(server, async (upgrade) => {
  const { protocol } = agree(upgrade.request, { spdy: [], websocket: ["v5.channel.k8s.io"] });
  accepted.shift()?.(new WebSocketChannels(await acceptWebSocket(upgrade, protocol), [0], settings));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(
  () =>
    new Promise<void>((resolve) => {
      endUpgraded();
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

async function connect(): Promise<{ readonly client: WebSocket; readonly channels: WebSocketChannels }> {
  const { port } = server.address() as AddressInfo;
  const channels = new Promise<WebSocketChannels>((resolve) => accepted.push(resolve));
  const client = new WebSocket(`ws://127.0.0.1:${port}`, ["v5.channel.k8s.io"]);
  await new Promise((resolve) => client.once("open", resolve));
  return { client, channels: await channels };
}

test("a writer waits for a client that does not read, and goes on when it does", async () => {
  const { client, channels } = await connect();
  client.pause();
  const [out, total, piece] = [channels.channel(1), 100, Buffer.alloc(1024 * 1024)];
  let written = 0;
  const writing = (async () => {
    for (; written < total; written += 1) await out.write(piece);
  })();
  let before = -1;
  // Until the buffers of the sockets are full and nothing moves for 50 turns.
  for (let still = 0; still < 50; still = written === before ? still + 1 : 0) {
    before = written;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(50);
  let received = 0;
  client.on("message", (data: Buffer) => (received += data.length - 1));
  client.resume();
  await writing;
  await expect.poll(() => received).toBe(total * piece.length);
  client.terminate();
});

test("a client waits for a program that does not read", async () => {
  const { client, channels } = await connect();
  for (let index = 0; index < 100; index += 1) client.send(Buffer.alloc(1024 * 1024));
  client.send(Buffer.from([255, 0]));
  const input = channels.channel(0);
  let size = (await input.read())?.length ?? 0;
  expect(client.bufferedAmount).toBeGreaterThan(50 * 1024 * 1024);
  for (let chunk = await input.read(); chunk !== undefined; chunk = await input.read()) size += chunk.length;
  expect(size).toBe(100 * (1024 * 1024 - 1));
  client.terminate();
});

test("a message above 1 MiB ends the connection", async () => {
  const { client, channels } = await connect();
  client.send(Buffer.alloc(1024 * 1024 + 1));
  await expect(channels.channel(0).read()).resolves.toBeUndefined();
  expect(channels.signal.aborted).toBe(true);
});

test("an upgrade to another protocol is ignored", async () => {
  const { port } = server.address() as AddressInfo;
  const { get } = await import("node:http");
  const code = await new Promise((resolve, reject) =>
    get({ port, host: "127.0.0.1", agent: false, headers: { connection: "upgrade", upgrade: "h2c" } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once("error", reject),
  );
  expect(code).toBe(200);
});
