// needs: redis
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { connectRedis } from "./testing/redis-connections.ts";
import { KeptRecords, type KeptRecord } from "./kept-records.ts";
import type { RedisConnection } from "./redis-connection.ts";

const TTL_MS = 90_000;

let server: RedisServer;
let redis: RedisConnection;
let clock: ManualClock;
let records: KeptRecords;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  clock = new ManualClock();
  redis = await connectRedis(server);
  await redis.commands.flushall();
  records = new KeptRecords({ redis, clock, log: createLogger("test", "silent"), ttlMs: TTL_MS });
});
afterEach(() => {
  vi.restoreAllMocks();
  redis.close();
});

/** Its value is its expiry as text. */
const recordOf = (field: string, hash = "hash"): KeptRecord => ({
  id: `${hash} ${field}`,
  hashes: [hash],
  field,
  encode: (expiresAtMs) => Buffer.from(String(expiresAtMs)),
  expiryOf: (value) => (/^\d+$/.test(value.toString()) ? Number(value.toString()) : undefined),
});

test("M11: the writer of a hash removes expired fields of dead kas, without a read of it", async () => {
  for (let dead = 0; dead < 1_000; dead += 1) await redis.commands.hset("hash", `dead ${dead}`, String(clock.now() + TTL_MS / 4));
  await redis.commands.hset("hash", "of another", String(clock.now() + TTL_MS), "foreign", "not ours to judge");
  const stopping = new AbortController();
  const running = records.run(stopping.signal);
  records.put(recordOf("mine"));
  await records.flushed();
  expect(await redis.commands.hlen("hash")).toBe(1_003);
  await clock.elapse(TTL_MS * 0.37);
  await expect.poll(() => redis.commands.hlen("hash")).toBe(3);
  expect((await redis.commands.hkeys("hash")).toSorted()).toEqual(["foreign", "mine", "of another"]);
  stopping.abort();
  await running;
});

test("M11: a field that its owner has renewed is not removed", async () => {
  const late = new KeptRecords({ redis, clock, log: createLogger("test", "silent"), ttlMs: TTL_MS });
  const stopping = new AbortController();
  const running = records.run(stopping.signal);
  records.put(recordOf("mine"));
  late.put(recordOf("other"));
  await records.flushed();
  await late.flushed();
  await clock.elapse(TTL_MS * 2);
  late.put(recordOf("other"));
  await late.flushed();
  await clock.elapse(TTL_MS * 0.37);
  await until(() => redis.commands.status === "ready");
  expect((await redis.commands.hkeys("hash")).toSorted()).toEqual(["mine", "other"]);
  stopping.abort();
  await running;
});

test("M12: writing many records looks at each of them a few times, however many wait", async () => {
  const RECORDS = 10_000;
  // Every step of every walk over a Map passes here.
  const steps = vi.spyOn(Object.getPrototypeOf(new Map().entries()) as { next: () => unknown }, "next");
  for (let count = 0; count < RECORDS; count += 1) records.put(recordOf(String(count), `hash ${count % 10}`));
  await records.flushed();
  expect(steps.mock.calls.length).toBeLessThan(RECORDS * 5);
  steps.mockRestore();
  expect(await redis.commands.hlen("hash 3")).toBe(RECORDS / 10);
});
