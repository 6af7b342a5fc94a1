// needs: redis
import { createHash } from "node:crypto";

import { create, toBinary } from "@bufbuild/protobuf";
import { GitopsSourceProblem, GitopsSyncSchema, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { INTERNAL_SECRET } from "../kas-routing/testing/kas-bench.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { LocalSyncStore, RedisSyncStore } from "./sync-store.ts";
import { codeOf, PLACE, SyncBench } from "./testing/sync-bench.ts";

let server: RedisServer;
let bench: SyncBench;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  bench = await SyncBench.start(server);
});
afterEach(() => bench.stop());

test.each([
  ["in this process", async () => new LocalSyncStore(bench.clock)],
  ["in Redis", () => bench.redisStore()],
])("%s: a source problem is part of the sync, until it is resolved or is not reported any more", async (_, open) => {
  const store = await open();
  const kas = await bench.startKas(store);
  await bench.report(kas);
  const listed = async () => (await kas.api.listSyncs({ agentId: 7n })).syncs.map(({ sourceProblem }) => sourceProblem);
  expect(await listed()).toEqual([GitopsSourceProblem.UNSPECIFIED]);
  let changes = 0;
  const forget = store.onChange(7n, () => (changes += 1));
  for (let looks = 0; looks < 3; looks += 1) store.reportProblem(7n, "group/app", GitopsSourceProblem.NO_COMMIT);
  store.reportProblem(8n, "group/app", GitopsSourceProblem.UNREADABLE);
  await expect.poll(listed).toEqual([GitopsSourceProblem.NO_COMMIT]);
  expect((await kas.api.getSync({ agentId: 7n, project: "group/app" })).sync?.sourceProblem).toBe(GitopsSourceProblem.NO_COMMIT);
  await expect.poll(() => changes).toBe(1);
  store.reportProblem(7n, "group/app", GitopsSourceProblem.UNSPECIFIED);
  await expect.poll(listed).toEqual([GitopsSourceProblem.UNSPECIFIED]);
  store.reportProblem(7n, "group/app", GitopsSourceProblem.UNREADABLE);
  await expect.poll(listed).toEqual([GitopsSourceProblem.UNREADABLE]);
  bench.clock.advance(14 * 60_000);
  await bench.report(kas);
  expect(await listed()).toEqual([GitopsSourceProblem.UNREADABLE]);
  bench.clock.advance(2 * 60_000);
  expect(await listed()).toEqual([GitopsSourceProblem.UNSPECIFIED]);
  forget();
});

test("a problem that one kas has reported is cleared by another one that reads the repository", async () => {
  const [here, there] = [await bench.redisStore(), await bench.redisStore()];
  const kas = await bench.startKas(here);
  await bench.report(kas);
  const listed = async () => (await kas.api.listSyncs({ agentId: 7n })).syncs.map(({ sourceProblem }) => sourceProblem);
  here.reportProblem(7n, "group/app", GitopsSourceProblem.NO_COMMIT);
  await expect.poll(listed).toEqual([GitopsSourceProblem.NO_COMMIT]);
  there.reportProblem(7n, "group/app", GitopsSourceProblem.UNSPECIFIED);
  await expect.poll(listed).toEqual([GitopsSourceProblem.UNSPECIFIED]);
});

test.each([
  ["in this process", async () => new LocalSyncStore(bench.clock)],
  ["in Redis", () => bench.redisStore()],
])("reports that are not repeated expire, and an agent has at most a hundred projects: %s", async (_, open) => {
  const kas = await bench.startKas(await open());
  await bench.report(kas, { project: "group/old" });
  bench.clock.advance(14 * 60_000);
  await bench.report(kas);
  const projects = async () => (await kas.api.listSyncs({ agentId: 7n })).syncs.map(({ project }) => project);
  expect(await projects()).toEqual(["group/app", "group/old"]);
  bench.clock.advance(60_000);
  expect(await projects()).toEqual(["group/app"]);
  for (let at = 1; at < 100; at += 1) await bench.report(kas, { project: `p${at}` });
  expect(await codeOf(bench.report(kas, { project: "one more" }))).toBe(Code.ResourceExhausted);
  await bench.report(kas);
  await bench.report(kas, { project: "one more", agent: "8" });
  expect(await projects()).toHaveLength(100);
});

test("B2: a Redis that has restarted without its data gets the newest reports back at once", async () => {
  const [old, newer] = [await bench.startKas(await bench.redisStore()), await bench.startKas(await bench.redisStore())];
  const agent = "21";
  await bench.report(old, { agent });
  await bench.report(old, { agent, project: "group/other" });
  bench.clock.advance(1_000);
  await bench.report(newer, { agent, appliedCommitId: bench.commit });
  await server.stop();
  await server.restart();
  const listed = async () => {
    const { syncs } = await old.api.listSyncs({ agentId: 21n }).catch(() => ({ syncs: [] }));
    return syncs.map(({ project, appliedCommitId }) => [project, appliedCommitId]);
  };
  const expected = [
    ["group/app", bench.commit],
    ["group/other", PLACE.appliedCommitId],
  ];
  await expect.poll(listed, { timeout: 10_000 }).toEqual(expected);
  expect((await old.api.getSync({ agentId: 21n, project: "group/other" })).objects).toHaveLength(2);
  bench.clock.advance(15 * 60_000);
  await server.stop();
  await server.restart();
  await expect
    .poll(async () => (await newer.api.listSyncs({ agentId: 21n }).catch(() => undefined))?.syncs, { timeout: 10_000 })
    .toEqual([]);
});

test("while Redis is away the answer says so", async () => {
  const redis = await connectRedis(server);
  const kas = await bench.startKas(new RedisSyncStore({ redis, clock: bench.clock, secrets: [INTERNAL_SECRET] }));
  redis.close();
  expect(await codeOf(bench.report(kas))).toBe(Code.Unavailable);
  expect(await codeOf(kas.api.listSyncs({ agentId: 7n }))).toBe(Code.Unavailable);
});

test("T20, security-3 A9: a record in Redis that no kas has signed for its place is ignored and counted", async () => {
  const kas = await bench.startKas(await bench.redisStore());
  const redis = await connectRedis(server);
  onTestFinished(() => redis.close());
  const { commands } = redis;
  await commands.flushall();
  await bench.report(kas);
  await bench.report(kas, { project: "group/other", agent: "9" });
  const digest = (project: string): string => createHash("sha256").update(project).digest("base64url");
  const hash = (agent: number): string => `test:binnacle:2:gitops_sync:${agent}`;
  const own = await commands.hgetBuffer(hash(7), digest("group/app"));
  const whole = await commands.getBuffer(`${hash(7)}:${digest("group/app")}`);
  if (own === null || whole === null) throw new Error("nothing was written");

  // A made-up one, one with another word, one of another agent, and the unsigned form of earlier releases.
  const forged = toBinary(GitopsSyncSchema, create(GitopsSyncSchema, { project: "group/made-up", state: GitopsSyncState.SYNCED }));
  await commands.hset(hash(7), digest("group/made-up"), Buffer.from(forged));
  await commands.hset(hash(7), digest("group/other"), Buffer.concat([Buffer.alloc(32), forged]));
  await commands.hset(hash(8), digest("group/app"), own);
  await commands.set(`${hash(8)}:${digest("group/app")}`, whole);
  await commands.hset("test:binnacle:2:gitops_source:7", digest("group/app"), `2 ${bench.clock.now()}`);
  bench.rogues = 0;
  expect((await kas.api.listSyncs({ agentId: 7n })).syncs).toMatchObject([
    { project: "group/app", state: GitopsSyncState.FAILED, sourceProblem: GitopsSourceProblem.UNSPECIFIED },
  ]);
  expect(bench.rogues).toBe(3);
  expect((await kas.api.listSyncs({ agentId: 8n })).syncs).toEqual([]);
  expect(await codeOf(kas.api.getSync({ agentId: 8n, project: "group/app" }))).toBe(Code.NotFound);
  expect(bench.rogues).toBe(5);

  // A true one that is written back when it is over.
  bench.clock.advance(15 * 60_000);
  await commands.set(`${hash(7)}:${digest("group/app")}`, whole);
  expect(await codeOf(kas.api.getSync({ agentId: 7n, project: "group/app" }))).toBe(Code.NotFound);
});

describe.each([
  ["in this process", async () => new LocalSyncStore(bench.clock)],
  ["in Redis", () => bench.redisStore()],
])("B2: names of an agent's projects %s", (_, open) => {
  test("are those named last, for a quarter of an hour after they were named", async () => {
    const store = await open();
    let changes = 0;
    const named = async (of: readonly string[] | undefined): Promise<void> => {
      await expect.poll(() => store.namedProjects(7n)).toEqual(of);
    };
    store.onChange(7n, () => void (changes += 1));
    expect(await store.namedProjects(7n)).toBeUndefined();
    store.nameProjects(7n, ["a/b", "c/d"]);
    await named(["a/b", "c/d"]);
    store.nameProjects(7n, []);
    await named([]);
    await until(() => changes >= 2);
    bench.clock.advance(14 * 60_000);
    store.nameProjects(7n, []);
    bench.clock.advance(14 * 60_000);
    await named([]);
    expect(await store.namedProjects(8n)).toBeUndefined();
    bench.clock.advance(2 * 60_000);
    await named(undefined);
  });
});
