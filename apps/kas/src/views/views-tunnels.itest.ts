// needs: redis
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { ConnectionState } from "@binnacle/proto/dashboard";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";

import { VIEWS_CALL } from "../agent-call/routed-methods.ts";
import { RedisRouteStore } from "../agent-tracker/redis-route-store.ts";
import { FakeAgent } from "../testing/fake-agent.ts";
import { INTERNAL_SECRET, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { agentOf, kasOf } from "../kas-routing/testing/kas-of.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { ViewReader } from "./testing/view-reader.ts";
import { answersViews, FakeViewsAgent } from "./testing/views-agent.ts";
import { ViewHub } from "./view-hub.ts";
import { noViewsMetrics } from "./views-metrics.ts";

let server: RedisServer;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
// The routes of a kas that is gone stay for a while: a kas that this one cannot query may still have an agent.
beforeEach(async () => {
  const redis = await connectRedis(server);
  await redis.commands.flushall();
  redis.close();
});

/** A kas of several, and the views in it. */
async function kasWithViews(): Promise<{ readonly kas: TestKas; readonly hub: ViewHub }> {
  const redis = await connectRedis(server);
  onTestFinished(() => redis.close());
  const log = createLogger("test", "silent");
  const store = { redis, clock: systemClock, log, ttlMs: 90_000 };
  const kas = await kasOf({
    routes: (kasId, url) => new RedisRouteStore({ ...store, secrets: [INTERNAL_SECRET], kasId, ownUrls: [url] }),
  });
  const { router, ledger } = kas;
  const hub = new ViewHub({
    router,
    clock: systemClock,
    ledger,
    metrics: noViewsMetrics,
    waitMs: 20_000,
    onViolation: (_, fault) => expect.unreachable(fault.message),
  });
  onTestFinished(() => hub.leave());
  return { kas, hub };
}

const options = { methods: [VIEWS_CALL], metadata: { "agentk-caps": "impersonation" }, tunnels: 6 };

test("200 viewers of equal rights at three kas: the agent tells each kas once, also after it was replaced in the middle of a change", async () => {
  const places = [await kasWithViews(), await kasWithViews(), await kasWithViews()];
  const first = new FakeViewsAgent();
  first.pieceEntries = 10;
  first.put("all", Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`k${at}`, "1"])));
  const killed = await FakeAgent.connect(places[0]?.kas.agentUrl ?? "", { ...options, token: "agent-1", onCall: answersViews(first) });
  onTestFinished(() => killed.stop());
  const readers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => {
      const place = places[at % places.length];
      if (place === undefined) throw new Error("there is no such kas");
      return ViewReader.join(place.hub, `user-${at}`);
    }),
  );
  await until(() => readers.every(({ shown }) => Object.keys(shown).length === 95));
  expect([first.topics.length, first.heard("subscribe")]).toEqual([3, 3]);
  for (const { id } of first.topics)
    for (const conversation of first.conversations)
      conversation.say({
        case: "update",
        value: { topic: id, reset: true, entries: [{ key: "half", value: Buffer.from("half") }], more: true },
      });
  killed.stop();
  const second = new FakeViewsAgent();
  second.put("all", { k0: "1", k1: "2", new: "3" });
  await agentOf(places[1]?.kas.agentUrl ?? "", { ...options, onCall: answersViews(second) });
  await until(() => readers.every(({ state, shown }) => state === ConnectionState.CONNECTED && shown["new"] === "3"));
  for (const { shown } of readers) expect(shown).toEqual({ k0: "1", k1: "2", new: "3" });
  expect(second.topics).toHaveLength(3);
  expect(readers.flatMap(({ updates }) => updates.flatMap(({ entries }) => entries.map(({ key }) => key)))).not.toContain("half");
  for (const reader of readers) reader.leave();
});

test("when the kas with the tunnel is gone, viewers at another one continue as soon as the agent is connected elsewhere", async () => {
  const places = [await kasWithViews(), await kasWithViews()];
  const agent = new FakeViewsAgent();
  agent.put("all", { a: "1" });
  const [gone, here] = places;
  await agentOf(gone?.kas.agentUrl ?? "", { ...options, onCall: answersViews(agent) });
  const reader = here && (await ViewReader.join(here.hub, "ann"));
  await until(() => reader?.shown["a"] === "1");
  await gone?.kas.stop();
  await until(() => reader?.state === ConnectionState.RECONNECTING);
  expect(reader?.shown).toEqual({ a: "1" });
  agent.put("all", { a: "2" });
  await agentOf(here?.kas.agentUrl ?? "", { ...options, onCall: answersViews(agent) });
  await until(() => reader?.state === ConnectionState.CONNECTED);
  expect([reader?.shown, reader?.updates.filter(({ reset }) => reset).length]).toEqual([{ a: "2" }, 1]);
  reader?.leave();
});

test("a view of 20 MB comes through a tunnel of another kas whole", async () => {
  const places = [await kasWithViews(), await kasWithViews()];
  const agent = new FakeViewsAgent();
  agent.pieceEntries = 2;
  for (let at = 0; at < 200; at += 1) agent.table("all").put(`k${at}`, Buffer.alloc(100_000, at));
  await agentOf(places[0]?.kas.agentUrl ?? "", { ...options, onCall: answersViews(agent) });
  const hub = places[1]?.hub;
  const reader = hub && (await ViewReader.join(hub, "ann"));
  await until(() => Object.keys(reader?.shown ?? {}).length === 200);
  expect(places[1]?.kas.ledger.held({ kind: "agent", id: "1" })).toBeGreaterThan(20_000_000);
  reader?.leave();
});

test("an agent that does not know views refuses at once, from another kas too", async () => {
  const places = [await kasWithViews(), await kasWithViews()];
  await agentOf(places[0]?.kas.agentUrl ?? "", { metadata: options.metadata });
  for (const { hub } of places) await expect(ViewReader.join(hub, "ann")).rejects.toMatchObject({ reason: "unknown_method" });
});
