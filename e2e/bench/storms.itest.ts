// needs: redis
// long: storms of events, a minute and a half
import { afterEach, expect, test } from "vitest";

import { hostileFlood } from "./hostile-flood.ts";
import { startStormWorld, type StormWorld } from "./storm-world.ts";
import { returnOfAgents } from "./storms-of-agents.ts";
import { lastingStorm, obedientUser, steadyUser, unknownTokens, watches } from "./storms-of-users.ts";

const MIB = 1024 * 1024;
const LIMIT = { timeout: 180_000 };
const OK = { status: 200 };

let world: StormWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test(
  "KB4, T14: 300 agents that return at once through a narrow door all get in, and a rejected agent receives the time to come back",
  LIMIT,
  async () => {
    world = await startStormWorld(1, { gitlab: { api_rate_limit: { refill_rate_per_second: 25, bucket_size: 50 } } });
    const { takenMs, refusals, left } = await returnOfAgents(world, 300, 120_000);
    expect(left).toBe(0);
    expect(takenMs.length).toBe(300);
    expect(refusals.filter(({ retryAfterSeconds }) => retryAfterSeconds === undefined)).toEqual([]);
  },
);

test("XB2, T14: while 1,000 unknown tokens are tried, a known user and a new good credential are served", LIMIT, async () => {
  world = await startStormWorld(1);
  await world.connect(1, 20);
  expect(await world.ask({ agentId: 1, token: "user-1" })).toMatchObject(OK);
  const storm = unknownTokens(world, 1_000);
  const [known, fresh] = await Promise.all([
    steadyUser(world, { token: "user-1", times: 20, pauseMs: 20 }),
    world.ask({ agentId: 1, token: "user-2", elsewhere: true }, 10_000),
  ]);
  expect(known.filter(({ status }) => status !== 200)).toEqual([]);
  expect(fresh).toMatchObject(OK);
  expect((await storm).filter(({ status }) => status === 200)).toEqual([]);
});

test("XB2, T14: a new good credential from the storm's own address is served once it obeyed the stated time", LIMIT, async () => {
  const storm = await startStormWorld(1);
  world = storm;
  await storm.connect(1, 20);
  // The address has shown what it is before he comes.
  await unknownTokens(storm, 200);
  const stop = new AbortController();
  const lasting = lastingStorm(storm, stop.signal);
  const fresh = await Promise.all(["user-2", "user-3"].map((token) => obedientUser(storm, { token, times: 3 })));
  stop.abort();
  expect(fresh.map(({ status }) => status)).toEqual([200, 200]);
  expect(await lasting).toBe(0);
});

test("XS6: one user who wants 80 watches of 60 tunnels gets 30, and a reader is served meanwhile", LIMIT, async () => {
  world = await startStormWorld(1);
  await world.connect(1, 60);
  const held = await watches(world, { token: "user-1", agentId: 1, count: 80 });
  const reader = await steadyUser(world, { token: "user-2", times: 30, pauseMs: 5 });
  held.end();
  expect(reader.filter(({ status }) => status !== 200)).toEqual([]);
  expect(held.open).toBe(30);
  expect(held.refused).toEqual(Array.from({ length: 50 }, () => 429));
});

test("KB5: watches and waiting calls between two kas do not keep another agent's user waiting", LIMIT, async () => {
  const storm = await startStormWorld(2);
  world = storm;
  await world.connect(1, 20);
  await world.connect(2, 120);
  await world.connect(3, 1);
  const held = [
    await watches(world, { token: "user-2", agentId: 2, count: 50 }),
    await watches(world, { token: "user-3", agentId: 3, count: 1 }),
  ];
  expect(held.map(({ open }) => open)).toEqual([50, 1]);
  const waiting = Array.from({ length: 150 }, () => storm.ask({ agentId: 3, token: "user-4" }));
  const reader = await steadyUser(world, { token: "user-1", times: 20, pauseMs: 5 });
  expect(reader.filter(({ status }) => status !== 200)).toEqual([]);
  for (const { end } of held) end();
  await Promise.all(waiting);
});

test("T15: hostile traffic for seconds leaves kas below 512 MiB, and a known user is served meanwhile", LIMIT, async () => {
  world = await startStormWorld(1);
  await world.connect(1, 20);
  expect(await world.ask({ agentId: 1, token: "user-1" })).toMatchObject(OK);
  const flood = hostileFlood(world, { bytesPerSecond: 30_000_000, seconds: 4 });
  const known = await steadyUser(world, { token: "user-1", times: 30, pauseMs: 50 });
  await flood;
  expect(known.filter(({ status }) => status !== 200)).toEqual([]);
  expect((world.kas[0]?.program.resident().peak ?? Number.NaN) / MIB).toBeLessThan(512);
});
