// needs: redis, action-cable
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

import { createLogger } from "@binnacle/telemetry";
import { systemClock } from "@binnacle/rpc";
import { freePort, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { connectRedis } from "../redis/testing/redis-connections.ts";
import { actionCable } from "./notifications.ts";
import { Outlet } from "./outlet.ts";
import { createOutletMetrics } from "./outlet-metrics.ts";
import { notificationOf } from "./notification.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";

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

const publisherOf = () =>
  new Outlet({
    name: "actioncable",
    deliver: actionCable({
      publish: (channel, payload) => redis.commands.publish(channel, payload),
      channelPrefix: "test_app",
      stream: "kas:agents:{agent_id}",
    }),
    backoff: { initialMs: 50, maxMs: 500 },
    maxQueued: 10,
    clock: systemClock,
    log: createLogger("test", "silent"),
    metrics: createOutletMetrics(new Registry()),
  });
const connected = (agentId: number) => notificationOf({ type: "agent_connected", agent_id: agentId, project_id: 3 }, 0, ["1"]);

async function startCable(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const file = fileURLToPath(new URL("testing/cable.ru", import.meta.url));
  const child = spawn("puma", ["-b", `tcp://127.0.0.1:${port}`, "-t", "2:2", "-e", "test", file], {
    env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${server.port}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  await until(
    () => output.includes("Use Ctrl-C") || child.exitCode !== null,
    () => output,
  );
  return { url: `ws://127.0.0.1:${port}/`, child };
}

test("a client of a real ActionCable server gets the notifications of its agent unchanged", async () => {
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
