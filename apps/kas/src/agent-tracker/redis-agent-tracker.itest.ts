// needs: redis
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, type RedisServer } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import type { RedisConnection } from "../redis/redis-connection.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { connectionOf, describeAgentTracker } from "./agent-tracker.conformance.ts";
import {
  RedisAgentTracker,
  connectionsOfAgentKey,
  connectionsOfProjectKey,
  decodeConnection,
  decodeInstance,
  instancesKey,
} from "./redis-agent-tracker.ts";

const TTL_MS = 90_000;
const AGENT_KEY = connectionsOfAgentKey("test", 1n);

let server: RedisServer;
let redis: RedisConnection;
let clock: ManualClock;
const closing: (() => void)[] = [];

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  clock = new ManualClock();
  redis = await connectRedis(server);
  closing.push(() => redis.close());
  await redis.commands.flushall();
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function trackerOf(connection = redis): RedisAgentTracker {
  return new RedisAgentTracker({ redis: connection, clock, log: createLogger("test", "silent"), ttlMs: TTL_MS });
}

async function expiriesOf(key: string): Promise<number[]> {
  const values = Object.values(await redis.commands.hgetallBuffer(key));
  return values.map((value) => (decodeConnection(value)?.expiresAtMs ?? 0) - clock.now());
}

describeAgentTracker("Redis", async () => {
  const tracker = trackerOf();
  return {
    tracker,
    settled: () => tracker.flushed(),
    close: async () => undefined,
  };
});

test("a connection of one kas is seen by another", async () => {
  const other = await connectRedis(server);
  closing.push(() => other.close());
  const first = trackerOf();
  first.register(connectionOf());
  await first.flushed();
  expect(await trackerOf(other).byAgent(1n)).toHaveLength(1);
});

test("entries and their hashes carry the TTL, and items written together expire together", async () => {
  const tracker = trackerOf();
  for (const connectionId of [1n, 2n, 3n]) tracker.register(connectionOf({ connectionId }));
  await tracker.flushed();
  expect(await expiriesOf(AGENT_KEY)).toEqual([TTL_MS, TTL_MS, TTL_MS]);
  for (const key of [AGENT_KEY, connectionsOfProjectKey("test", 10n)]) {
    expect(await redis.commands.pttl(key)).toBeGreaterThan(TTL_MS - 5_000);
    expect(await redis.commands.pttl(key)).toBeLessThanOrEqual(TTL_MS);
  }
});

test("an entry whose kas stopped refreshing is not seen, and is removed by who reads it", async () => {
  const tracker = trackerOf();
  tracker.register(connectionOf());
  await tracker.flushed();
  clock.advance(TTL_MS);
  expect(await tracker.byAgent(1n)).toEqual([]);
  let left = 1;
  while (left > 0) left = await redis.commands.hlen(AGENT_KEY);
  expect(left).toBe(0);
});

test("entries are refreshed before their TTL is over", async () => {
  const tracker = trackerOf();
  const stopping = new AbortController();
  const running = tracker.run(stopping.signal);
  tracker.register(connectionOf());
  await tracker.flushed();
  clock.advance(TTL_MS / 3 + TTL_MS / 30 + 1);
  await new Promise((resolve) => setImmediate(resolve));
  await tracker.flushed();
  expect(await expiriesOf(AGENT_KEY)).toEqual([TTL_MS]);
  stopping.abort();
  await running;
});

test("a kas that is closed removes its own entries and no others", async () => {
  const staying = trackerOf();
  staying.register(connectionOf({ connectionId: 1n }));
  await staying.flushed();
  const leaving = trackerOf();
  const stopping = new AbortController();
  const running = leaving.run(stopping.signal);
  leaving.register(connectionOf({ connectionId: 2n }));
  await leaving.flushed();
  stopping.abort();
  await running;
  await leaving.close();
  expect((await staying.byAgent(1n)).map((info) => info.connectionId)).toEqual([1n]);
});

test("a key of another type, rubbish in a field and a huge hash break nothing", async () => {
  const tracker = trackerOf();
  await redis.commands.hset(AGENT_KEY, "rubbish", "not protobuf");
  tracker.register(connectionOf());
  await tracker.flushed();
  expect(await tracker.byAgent(1n)).toHaveLength(1);
  await redis.commands.set(connectionsOfAgentKey("test", 2n), "a string");
  await expect(tracker.byAgent(2n)).rejects.toMatchObject({ reason: "store_unavailable" });
  tracker.register(connectionOf({ agentId: 2n, connectionId: 7n }));
  tracker.register(connectionOf({ agentId: 3n, connectionId: 8n }));
  await tracker.flushed();
  expect(await tracker.byAgent(3n)).toHaveLength(1);
});

test("without Redis registering is harmless, reading fails, and everything is there again after it is back", async () => {
  const own = await startRedisServer();
  const connection = await connectRedis(own);
  closing.push(() => connection.close());
  const tracker = trackerOf(connection);
  const stopping = new AbortController();
  const running = tracker.run(stopping.signal);
  tracker.register(connectionOf({ connectionId: 1n }));
  await tracker.flushed();
  const away = new Promise((resolve) => connection.commands.once("close", resolve));
  await own.stop();
  await away;
  tracker.register(connectionOf({ connectionId: 2n }));
  await tracker.flushed();
  await expect(tracker.byAgent(1n)).rejects.toMatchObject({ reason: "store_unavailable" });
  const back = new Promise((resolve) => connection.commands.once("ready", resolve));
  await own.restart();
  await back;
  await new Promise((resolve) => setImmediate(resolve));
  await tracker.flushed();
  expect((await tracker.byAgent(1n)).map((info) => info.connectionId).toSorted((a, b) => Number(a - b))).toEqual([1n, 2n]);
  stopping.abort();
  await running;
  await own.stop();
});

const own = { kasId: "kas1", urls: ["grpc://10.0.0.1:8155"], version: "v1", commit: "abc" };

test("I10: each kas stands in Redis with its address for as long as it runs", async () => {
  const tracker = new RedisAgentTracker({ redis, clock, log: createLogger("test", "silent"), ttlMs: TTL_MS, own });
  const stopping = new AbortController();
  const running = tracker.run(stopping.signal);
  await tracker.flushed();
  const record = await redis.commands.hgetBuffer(instancesKey("test"), "kas1");
  expect(record && decodeInstance(record)).toMatchObject({
    info: { version: "v1", commit: "abc", address: { ip: "10.0.0.1", port: 8155 } },
    expiresAtMs: clock.now() + TTL_MS,
  });
  stopping.abort();
  await running;
  await tracker.close();
  expect(await redis.commands.exists(instancesKey("test"))).toBe(0);
});

test("I10: every other kas reads at which kas an agent is connected", async () => {
  const tracker = new RedisAgentTracker({ redis, clock, log: createLogger("test", "silent"), ttlMs: TTL_MS, own });
  tracker.register(connectionOf());
  await tracker.flushed();
  const [seen] = await trackerOf().byAgent(1n);
  expect(seen?.kasAddress).toMatchObject({ ip: "10.0.0.1", port: 8155 });
});
