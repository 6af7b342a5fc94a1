// needs: redis
import { createLogger } from "@binnacle/telemetry";
import { systemClock } from "@binnacle/rpc";
import { startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";

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

const publisherOf = (maxQueued: number) =>
  new Outlet({
    name: "actioncable",
    deliver: actionCable({
      publish: (channel, payload) => redis.commands.publish(channel, payload),
      channelPrefix: "test_app",
      stream: "kas:agents:{agent_id}",
    }),
    backoff: { initialMs: 50, maxMs: 500 },
    maxQueued,
    clock: systemClock,
    log: createLogger("test", "silent"),
    metrics: createOutletMetrics(new Registry()),
  });
const connected = (agentId: number, id: string) => notificationOf({ type: "agent_connected", agent_id: agentId, project_id: 3 }, 0, [id]);

test("notifications sent while Redis is unavailable are published afterwards; the newest are retained", async () => {
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
