// needs: redis
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, type RedisServer } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import type { RedisConnection } from "../redis/redis-connection.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { RedisConfigurationErrors } from "./redis-configuration-errors.ts";

let server: RedisServer;
let connections: RedisConnection[];
let clock: ManualClock;
const STATE = { reason: "user_acess is no key", lastGoodCommit: "abc" };

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  clock = new ManualClock();
  connections = [await connectRedis(server), await connectRedis(server)];
  await connections[0]?.commands.flushall();
});
afterEach(() => {
  for (const connection of connections) connection.close();
});

function errorsOf(index: number): RedisConfigurationErrors {
  const redis = connections[index];
  if (redis === undefined) throw new Error("no such connection");
  return new RedisConfigurationErrors({ redis, clock, log: createLogger("test", "silent"), ttlMs: 60_000 });
}

test("an error that one kas has read is reported by another, until it is fixed", async () => {
  const [reader, other] = [errorsOf(0), errorsOf(1)];
  expect(await other.get(7n)).toBeUndefined();
  reader.set(7n, STATE);
  expect(await reader.get(7n)).toEqual(STATE);
  await connections[0]?.commands.ping();
  expect(await other.get(7n), "queried a moment ago").toBeUndefined();
  clock.advance(5_001);
  expect(await other.get(7n)).toEqual(STATE);
  reader.clear(7n);
  await connections[0]?.commands.ping();
  clock.advance(5_001);
  expect(await other.get(7n)).toBeUndefined();
});

test("an entry outlives its kas by its time only", async () => {
  errorsOf(0).set(7n, STATE);
  const left = await connections[0]?.commands.pttl("test:binnacle:1:configuration_error:7");
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
});

test("what is no state, and a Redis that is away, is as if nothing were known", async () => {
  await connections[0]?.commands.set("test:binnacle:1:configuration_error:7", "{nonsense");
  expect(await errorsOf(1).get(7n)).toBeUndefined();
  const errors = errorsOf(1);
  connections[1]?.close();
  expect(await errors.get(8n)).toBeUndefined();
  errors.set(8n, STATE);
  expect(await errors.get(8n)).toEqual(STATE);
});
