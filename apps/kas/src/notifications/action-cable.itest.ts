// needs: redis
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

import { createLogger } from "@binnacle/telemetry";
import { systemClock } from "@binnacle/rpc";
import { freePort, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { connectRedis } from "../testing/redis-connections.ts";
import { ActionCablePublisher } from "./action-cable-publisher.ts";
import { notificationOf } from "./notification.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";

const missing = spawnSync("ruby", ["-e", "require 'action_cable'; require 'redis'; require 'puma'"]).status !== 0;
if (missing && process.env["CI"] === "true") throw new Error("ruby-actioncable, ruby-redis and puma are needed");

let server: RedisServer;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startRedisServer();
  redis = await connectRedis(server);
});
afterAll(async () => {
  redis.close();
  await server.stop();
});

const publisherOf = (maxQueued = 10) =>
  new ActionCablePublisher({
    publish: (channel, payload) => redis.commands.publish(channel, payload),
    channelPrefix: "test_app",
    stream: "kas:agents:{agent_id}",
    maxQueued,
    clock: systemClock,
    log: createLogger("test", "silent"),
    registry: new Registry(),
  });
const connected = (agentId: number, id = "1") => notificationOf({ type: "agent_connected", agent_id: agentId, project_id: 3 }, 0, [id]);

async function startCable(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const file = fileURLToPath(new URL("testing/cable.ru", import.meta.url));
  const child = spawn("puma", ["-b", `tcp://127.0.0.1:${port}`, "-t", "2:2", "-e", "test", file], {
    env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${server.port}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  await until(
    () => said.includes("Use Ctrl-C") || child.exitCode !== null,
    () => said,
  );
  return { url: `ws://127.0.0.1:${port}/`, child };
}

test.skipIf(missing)("a client of a real ActionCable server gets what was told of its agent, unchanged", async () => {
  const { url, child } = await startCable();
  const socket = new WebSocket(url, ["actioncable-v1-json"]);
  const stop = new AbortController();
  const publisher = publisherOf();
  const running = publisher.run(stop.signal);
  try {
    const received: { type?: string; message?: unknown }[] = [];
    const identifier = JSON.stringify({ channel: "AgentChannel", agent_id: 7 });
    socket.on("message", (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type?: string };
      received.push(frame);
      if (frame.type === "welcome") socket.send(JSON.stringify({ command: "subscribe", identifier }));
    });
    await until(
      () => received.some(({ type }) => type === "confirm_subscription"),
      () => received,
    );
    publisher.tell(connected(8));
    publisher.tell(connected(7));
    const messages = () => received.filter(({ message, type }) => message !== undefined && type === undefined);
    await until(
      () => messages().length > 0,
      () => received,
    );
    expect(messages()).toEqual([{ identifier, message: connected(7) }]);
  } finally {
    socket.terminate();
    stop.abort();
    await running;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
});

test("what is told while Redis is away is published when it is back, the newest kept", async () => {
  const listener = redis.subscriber;
  const got: string[] = [];
  listener.on("message", (_channel, payload: string) => got.push((JSON.parse(payload) as { id: string }).id));
  await server.stop();
  await until(() => redis.commands.status !== "ready");
  const stop = new AbortController();
  const publisher = publisherOf(2);
  for (const id of ["1", "2", "3"]) publisher.tell(connected(7, id));
  await server.restart();
  await until(() => listener.status === "ready" && redis.commands.status === "ready");
  await listener.subscribe("test_app:kas:agents:7");
  const running = publisher.run(stop.signal);
  await until(() => got.length === 2);
  publisher.tell(connected(7, "3"));
  publisher.tell(connected(7, "4"));
  await until(() => got.length > 2);
  expect(got).toEqual(["2", "3", "4"].map((id) => connected(7, id).id));
  stop.abort();
  await running;
});
