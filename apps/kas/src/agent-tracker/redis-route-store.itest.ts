// needs: redis
import { randomBytes } from "node:crypto";

import { createLogger, Secret } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, type RedisServer, until } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import type { RedisConnection } from "../redis/redis-connection.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { RedisRouteStore } from "./redis-route-store.ts";
import { encodeRoute, routeKeyOf, routesOfAgentKey } from "./route-record.ts";

const SECRET = new Secret(randomBytes(32).toString("base64"));
const KEY = routesOfAgentKey("test", 1n);

let server: RedisServer;
let redis: RedisConnection;
let clock: ManualClock;
let rogue: number;
const closing: (() => void)[] = [];

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  clock = new ManualClock();
  rogue = 0;
  redis = await connectRedis(server);
  closing.push(() => redis.close());
  await redis.commands.flushall();
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function storeOf(kasId: string, connection = redis): RedisRouteStore {
  return new RedisRouteStore({
    redis: connection,
    clock,
    log: createLogger("test", "silent"),
    ttlMs: 90_000,
    kasId,
    ownUrls: [`grpc://${kasId}:8155`],
    secrets: [SECRET],
    onRogue: () => (rogue += 1),
  });
}

test("a route is seen by other kas and not by its own", async () => {
  const first = storeOf("first");
  first.publish(1n);
  await first.flushed();
  expect(await storeOf("second").lookup(1n)).toMatchObject([{ kasId: "first", urls: ["grpc://first:8155"] }]);
  expect(await first.lookup(1n)).toEqual([]);
  expect(await storeOf("second").lookup(2n)).toEqual([]);
});

test("a new route is announced at once, a removed one five seconds later, and a short absence not at all", async () => {
  const first = storeOf("first");
  const second = storeOf("second");
  const heard: bigint[] = [];
  second.onHint((agentId) => heard.push(agentId));
  await redis.subscriber.ping();
  first.publish(1n);
  await until(() => heard.length === 1);
  first.withdraw(1n);
  clock.advance(4_000);
  first.publish(1n);
  clock.advance(10_000);
  await first.flushed();
  expect(await second.lookup(1n)).toHaveLength(1);
  first.withdraw(1n);
  clock.advance(5_000);
  await until(() => heard.length === 2);
  expect(await second.lookup(1n)).toEqual([]);
});

test("M4: listeners are notified when hints begin to arrive, and again after Redis was unavailable", async () => {
  let begun = 0;
  storeOf("second").onHint(
    () => undefined,
    () => (begun += 1),
  );
  await until(() => begun === 1);
  redis.subscriber.disconnect(true);
  await until(() => begun > 1);
  expect(begun).toBe(2);
});

test("a kas that leaves takes its routes with it", async () => {
  const first = storeOf("first");
  const stopping = new AbortController();
  const running = first.run(stopping.signal);
  first.publish(1n);
  first.publish(2n);
  await first.flushed();
  stopping.abort();
  await running;
  await first.close();
  expect(await storeOf("second").lookup(1n)).toEqual([]);
  expect(await redis.commands.exists(KEY)).toBe(0);
  expect(clock.pending).toBe(0);
});

test("a route whose kas died is gone after its TTL", async () => {
  const first = storeOf("first");
  first.publish(1n);
  await first.flushed();
  clock.advance(90_000);
  expect(await storeOf("second").lookup(1n)).toEqual([]);
});

test("T20: entries that no kas has signed are ignored and counted", async () => {
  const attacker = routeKeyOf(new Secret(randomBytes(32).toString("base64")));
  const entry = {
    agentId: 1n,
    kasId: "evil",
    urls: ["grpc://attacker:1"],
    draining: false,
    epoch: 1,
    expiresAtMs: clock.now() + 1_000_000,
  };
  await redis.commands.hset(KEY, "evil", encodeRoute(attacker, entry));
  await redis.commands.hset(KEY, "rubbish", "rubbish");
  // A good entry under the name of another kas, and one copied from another agent.
  await redis.commands.hset(KEY, "renamed", encodeRoute(routeKeyOf(SECRET), { ...entry, kasId: "first" }));
  await redis.commands.hset(KEY, "copied", encodeRoute(routeKeyOf(SECRET), { ...entry, agentId: 2n, kasId: "copied" }));
  expect(await storeOf("second").lookup(1n)).toEqual([]);
  expect(rogue).toBe(4);
});

test("T21: of a hash with twenty thousand fields only some are read", async () => {
  await redis.commands.hset(KEY, Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, "rubbish"])));
  await storeOf("second").lookup(1n);
  expect(rogue).toBeGreaterThan(0);
  expect(rogue).toBeLessThanOrEqual(256);
});

test("without Redis routes known from before are good for ten minutes, and unknown agents are an error", async () => {
  const own = await startRedisServer();
  const connection = await connectRedis(own);
  closing.push(() => connection.close());
  const first = storeOf("first", connection);
  const second = storeOf("second", connection);
  first.publish(1n);
  await first.flushed();
  const known = await second.lookup(1n);
  expect(known).toHaveLength(1);
  const away = new Promise((resolve) => connection.commands.once("close", resolve));
  await own.stop();
  await away;
  clock.advance(599_999);
  expect(await second.lookup(1n)).toEqual(known);
  await expect(second.lookup(2n)).rejects.toMatchObject({ reason: "store_unavailable" });
  clock.advance(1);
  await expect(second.lookup(1n)).rejects.toMatchObject({ reason: "store_unavailable" });
});

test("KS1: a draining kas marks all its routes, also later ones, and wakes the kas that wait", async () => {
  const first = storeOf("first");
  const second = storeOf("second");
  first.publish(1n);
  await first.flushed();
  expect(await second.lookup(1n)).toMatchObject([{ kasId: "first", draining: false, epoch: clock.now() }]);
  const hints: bigint[] = [];
  const stopListening = second.onHint((agentId) => hints.push(agentId));
  await redis.subscriber.ping();
  await first.depart();
  first.publish(2n);
  await first.flushed();
  expect(await second.lookup(1n)).toMatchObject([{ kasId: "first", draining: true }]);
  expect(await second.lookup(2n)).toMatchObject([{ kasId: "first", draining: true }]);
  await expect.poll(() => hints).toEqual([1n, 2n]);
  stopListening();
});
