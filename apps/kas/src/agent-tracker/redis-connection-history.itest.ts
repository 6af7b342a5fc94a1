// needs: redis
import { createLogger } from "@binnacle/telemetry";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { ManualClock, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { RedisConnection } from "../redis/redis-connection.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { connectionOf } from "./agent-tracker.conformance.ts";
import { HISTORY_MS, MAX_CONNECTIONS_OF_HISTORY, MemoryConnectionHistory, type ConnectionHistory } from "./connection-history.ts";
import { historyKey, RedisConnectionHistory } from "./redis-connection-history.ts";

const HOUR_MS = 3_600_000;

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
  clock.advance(100 * HOUR_MS);
  redis = await connectRedis(server);
  closing.push(() => redis.close());
  await redis.commands.flushall();
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const historyOf = (kas: string, connection = redis): RedisConnectionHistory =>
  new RedisConnectionHistory({ redis: connection, clock, log: createLogger("test", "silent"), kas });

const at = (connectionId: bigint, connectedMs = clock.now()) => ({
  ...connectionOf({ connectionId }),
  connectedAt: toTimestamp(connectedMs),
});

const idsOf = async (history: ConnectionHistory): Promise<number[]> =>
  (await history.of(1n)).connections.map(({ connectionId }) => Number(connectionId));

describe.each([
  ["Redis", () => historyOf("kas-a")],
  ["memory", () => new MemoryConnectionHistory(clock, "kas-a")],
])("history of connections in %s", (_, open) => {
  const settled = async (history: ConnectionHistory): Promise<void> => {
    if (history instanceof RedisConnectionHistory) await history.flushed();
  };

  test("a connection has begin, pod, version and kas, and once it has ended its end", async () => {
    const history = open();
    const info = at(7n);
    history.connected(info);
    await settled(history);
    const [begun] = (await history.of(1n)).connections;
    expect(begun).toMatchObject({ connectionId: 7n, podName: "agentk-0", version: "v1.2.3", kas: "kas-a" });
    expect(begun?.disconnectedAt).toBeUndefined();
    clock.advance(60_000);
    history.disconnected(info);
    await settled(history);
    const { connections } = await history.of(1n);
    expect(connections).toHaveLength(1);
    expect(connections[0]?.disconnectedAt).toEqual(toTimestamp(clock.now()));
  });

  test("at most 200 connections of an agent are retained, and the history begins with the oldest of them", async () => {
    const history = open();
    const firstMs = clock.now();
    for (let id = 1; id <= MAX_CONNECTIONS_OF_HISTORY + 5; id += 1) {
      history.connected(at(BigInt(id)));
      clock.advance(1_000);
    }
    await settled(history);
    const ids = await idsOf(history);
    expect(ids).toHaveLength(MAX_CONNECTIONS_OF_HISTORY);
    expect([ids[0], ids.at(-1)]).toEqual([MAX_CONNECTIONS_OF_HISTORY + 5, 6]);
    expect((await history.of(1n)).sinceMs).toBe(firstMs + 5_000);
  });

  test("what ended more than 24 hours ago is gone, and the history says since when it is complete", async () => {
    const history = open();
    const begunMs = clock.now();
    const info = at(1n);
    history.connected(info);
    history.disconnected(info);
    await settled(history);
    clock.advance(HOUR_MS);
    expect(await idsOf(history)).toEqual([1]);
    expect((await history.of(1n)).sinceMs).toBe(begunMs);
    clock.advance(HISTORY_MS);
    expect(await idsOf(history)).toEqual([]);
    expect((await history.of(1n)).sinceMs).toBe(clock.now() - HISTORY_MS);
  });

  test("agents have histories of their own", async () => {
    const history = open();
    history.connected({ ...at(1n), agentId: 2n });
    await settled(history);
    expect(await idsOf(history)).toEqual([]);
  });

  test("a listener is called for its agent alone, until it is taken back", async () => {
    const history = open();
    // A subscription that begins notifies all listeners, because earlier hints may have been missed.
    await redis.subscriber.ping();
    const heard: string[] = [];
    const takeBack = history.onChange(1n, () => heard.push("own"));
    history.onChange(2n, () => heard.push("other"));
    history.connected(at(1n));
    await settled(history);
    await until(() => heard.length > 0);
    takeBack();
    history.connected(at(2n));
    await settled(history);
    expect(heard).toEqual(["own"]);
  });
});

test("two kas have one history, and each hears what happens at the other", async () => {
  const second = await connectRedis(server);
  closing.push(() => second.close());
  const [a, b] = [historyOf("kas-a"), historyOf("kas-b", second)];
  let heard = 0;
  b.onChange(1n, () => (heard += 1));
  a.connected(at(1n));
  await a.flushed();
  // The subscription may be newer than the hint; then its begin is what is heard.
  await until(() => heard > 0);
  b.connected(at(2n, clock.now() + 1));
  await b.flushed();
  const { connections } = await a.of(1n);
  expect(connections.map(({ kas, connectionId }) => [kas, Number(connectionId)])).toEqual([
    ["kas-b", 2],
    ["kas-a", 1],
  ]);
});

test("T74: the set in Redis is bounded and expires, whatever agents do", async () => {
  const history = historyOf("kas-a");
  for (let id = 1; id <= 1_000; id += 1) {
    const info = at(BigInt(id), clock.now() + id);
    history.connected(info);
    history.disconnected(info);
  }
  await history.flushed();
  expect(await redis.commands.zcard(historyKey("test", 1n))).toBe(MAX_CONNECTIONS_OF_HISTORY);
  expect(await redis.commands.pttl(historyKey("test", 1n))).toBeGreaterThan(HISTORY_MS - HOUR_MS);
});

test("a Redis that has lost its data begins a new history", async () => {
  const history = historyOf("kas-a");
  history.connected(at(1n));
  await history.flushed();
  await redis.commands.flushall();
  clock.advance(HOUR_MS);
  expect(await history.of(1n)).toEqual({ connections: [], sinceMs: clock.now() });
});

test("bytes of another version are skipped", async () => {
  await redis.commands.zadd(historyKey("test", 1n), clock.now(), Buffer.from([0xff, 0xff]));
  expect(await idsOf(historyOf("kas-a"))).toEqual([]);
});
