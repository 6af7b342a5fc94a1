// needs: redis
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { startRedisServer, type RedisServer, until } from "@binnacle/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { RedisRouteStore } from "../agent-tracker/redis-route-store.ts";
import type { RouteStore } from "../agent-tracker/route-store.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { ECHO, type FakeAgent, type FakeAgentCall } from "../testing/fake-agent.ts";
import { INTERNAL_SECRET, startTestKas, type TestKas } from "./testing/kas-bench.ts";
import { agentOf as openAgent, kasOf } from "./testing/kas-of.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";

let server: RedisServer;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

async function kasWithRedis(): Promise<TestKas> {
  const redis = await connectRedis(server);
  onTestFinished(() => redis.close());
  return kasOf({ routes: (kasId, url) => storeOf(redis, kasId, url) });
}

function storeOf(redis: RedisConnection, kasId: string, url: string): RouteStore {
  const log = createLogger("test", "silent");
  return new RedisRouteStore({ redis, clock: systemClock, log, ttlMs: 90_000, kasId, ownUrls: [url], secrets: [INTERNAL_SECRET] });
}

async function agentOf(kas: TestKas): Promise<FakeAgent> {
  const onCall = (call: FakeAgentCall): void => {
    call.header();
    call.finish();
  };
  const agent = await openAgent(kas.agentUrl, { tunnels: 4, onCall });
  await until(() => kas.registry.counts().idle === 4);
  return agent;
}

async function hopsOfCall(kas: TestKas, waitMs = 5_000): Promise<number> {
  const listener = new RecordingListener();
  const call = await kas.router.open(
    { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf({ waitMs }), signal: new AbortController().signal },
    listener,
  );
  expect(await listener.ended).toMatchObject({ code: 0 });
  return call.hops;
}

test("routes travel through Redis; while it is down known agents stay reachable, here and over the hop", async () => {
  const first = await kasWithRedis();
  const second = await kasWithRedis();
  await agentOf(second);
  expect(await hopsOfCall(first)).toBe(1);
  await server.stop();
  expect(await hopsOfCall(second)).toBe(0);
  expect(await hopsOfCall(first)).toBe(1);
  await server.restart();
});

test("XM10: with the kas of the agent gone, the cause of the error names it", async () => {
  const first = await kasWithRedis();
  const second = await startTestKas({});
  const redis = await connectRedis(server);
  onTestFinished(() => redis.close());
  await second.stop();
  // Killed: its entry is still there.
  const left = storeOf(redis, second.kasId, second.internalUrl);
  left.publish(1n);
  await expect(hopsOfCall(first, 800)).rejects.toMatchObject({
    reason: "peer_unreachable",
    message: "agent 1 is connected to another kas, which cannot be reached",
    cause: expect.objectContaining({ message: expect.stringContaining(second.internalUrl) }),
  });
});
