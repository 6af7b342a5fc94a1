import { createLogger } from "@binnacle/telemetry";
import type { RedisServer } from "@binnacle/testing";

import { openRedis, type RedisConnection } from "../redis-connection.ts";

/** Connections to the server of a test, ready to use. */
export async function connectRedis({ port }: RedisServer): Promise<RedisConnection> {
  const redis = openRedis({ endpoint: { kind: "server", host: "127.0.0.1", port }, keyPrefix: "test" }, createLogger("test", "silent"));
  for (const client of [redis.commands, redis.subscriber]) {
    if (client.status !== "ready") await new Promise((resolve) => client.once("ready", resolve));
  }
  return redis;
}
