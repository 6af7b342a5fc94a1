// needs: redis
import { createHash } from "node:crypto";

import { create, toBinary } from "@bufbuild/protobuf";
import { ByteLedger } from "@binnacle/grpc-wire";
import {
  GitopsApi,
  GitopsOutcome,
  GitopsReports,
  GitopsSourceProblem,
  GitopsSyncSchema,
  GitopsSyncState,
  type GitopsObject,
} from "@binnacle/proto/kas-gitops";
import { Fault, systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Code, ConnectError, createClient, createRouterTransport, type Client } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { agentContextOf } from "../agent-identity/agent-context.ts";
import { GitalyClient } from "../gitaly/gitaly-client.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import { LocalMinuteCounter } from "../limits/minute-counter.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import type { ProjectInfo } from "../main-application/project-info-lookup.ts";
import { openAgentListener } from "../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import { agentInfoOf } from "../main-application/testing/agent-info.ts";
import { INTERNAL_SECRET } from "../kas-routing/testing/kas-bench.ts";
import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { syncApi, syncReports } from "./sync-services.ts";
import { LocalSyncStore, RedisSyncStore, type SyncStore } from "./sync-store.ts";

const MIB = 1024 * 1024;

let server: RedisServer;
let repository: TestRepository;
let gitaly: FakeGitaly;
let commit: string;
let clock: ManualClock;
let isReadable: boolean;
/** Records that no kas has signed. */
let rogues: number;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  repository = new TestRepository();
  commit = repository.push({ "a.yaml": "1" });
  gitaly = await startGitaly(repository.root);
  clock = new ManualClock();
  isReadable = true;
  rogues = 0;
  closing.push(
    () => repository.remove(),
    () => gitaly.close(),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function projectOf(): ProjectInfo {
  return {
    projectId: 3n,
    gitaly: { address: gitaly.address, token: "", features: {} },
    repository: { storageName: "default", relativePath: repository.relativePath, glRepository: "", glProjectPath: "group/app" },
    defaultBranch: "main",
  };
}

interface Kas {
  readonly counter: LocalMinuteCounter;
  readonly reports: Client<typeof GitopsReports>;
  readonly api: Client<typeof GitopsApi>;
}

/** The agent listener of a kas; its token is the agent's id. */
async function startKas(store: SyncStore): Promise<Kas> {
  const log = createLogger("test", "silent");
  const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
  const client = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
  const counter = new LocalMinuteCounter(clock);
  const routes = syncReports({
    store,
    projects: {
      async project() {
        if (!isReadable) throw new Fault("not_found", "not found");
        return projectOf();
      },
    },
    gitaly: client,
    clock,
    counter,
    pollMs: 20_000,
    log,
  });
  const listener = await openAgentListener({
    listen: { host: "127.0.0.1", port: 0 },
    clock: systemClock,
    log,
    authenticator: { authenticate: async (authorization) => agentInfoOf(BigInt((authorization ?? "").replace("Bearer ", ""))) },
    registry: new TunnelRegistry(),
    ledger: new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB }),
    shutdownGraceMs: 0,
    connectHandler: createTypedHandler({ routes, readMaxBytes: 64 * 1024, contextValues: agentContextOf }),
  });
  closing.push(
    () => client.close(),
    () => listener.close(),
  );
  return {
    counter,
    reports: createClient(GitopsReports, createGrpcTransport({ baseUrl: `http://${listener.address}` })),
    api: createClient(GitopsApi, createRouterTransport(syncApi(store, clock))),
  };
}

async function redisStore(): Promise<SyncStore> {
  const redis = await connectRedis(server);
  closing.push(() => redis.close());
  const store = new RedisSyncStore({ redis, clock, secrets: [INTERNAL_SECRET], onRogue: () => (rogues += 1) });
  // The subscription travels before it on the same connection.
  await redis.subscriber.ping();
  return store;
}

const objectOf = (name: string, reason = ""): Partial<Omit<GitopsObject, "$typeName" | "$unknown">> => ({
  kind: "Deployment",
  group: "apps",
  namespace: "web",
  name,
  outcome: reason === "" ? GitopsOutcome.APPLIED : GitopsOutcome.FAILED,
  reason,
  source: "deploy/web.yaml",
  line: 31,
});

/** Where an agent says that a sync's objects are, and what they are made from. */
const PLACE = {
  namespaces: ["web"],
  globs: ["deploy/**"],
  inventoryId: "7-3",
  inventoryNamespace: "web",
  inventoryName: "inventory-7-3",
  appliedCommitId: "a".repeat(40),
};
/** What only kas may say. */
const FORGED = {
  author: "forged",
  subject: "forged",
  sourceProblem: GitopsSourceProblem.NO_COMMIT,
  projectId: 99n,
  branch: "forged",
  pollPeriod: { seconds: 1n, nanos: 0 },
  reportedAt: { seconds: 1n, nanos: 0 },
  waitingCommits: 77,
  moreWaiting: true,
  waitingAuthors: ["forged"],
  newestCommitId: "f".repeat(40),
};

interface Reported {
  readonly project?: string;
  readonly pieces?: number;
  readonly agent?: string;
  readonly appliedCommitId?: string;
}

function report(kas: Kas, options: Reported = {}) {
  const { project = "group/app", pieces = 1, agent = "7", appliedCommitId = PLACE.appliedCommitId } = options;
  return kas.reports.reportSync(
    (async function* () {
      const sync = {
        project,
        commitId: commit,
        state: GitopsSyncState.FAILED,
        objects: 2,
        failed: 1,
        drifted: 1,
        ...PLACE,
        appliedCommitId,
        ...FORGED,
      };
      yield { piece: { case: "sync" as const, value: sync } };
      for (let at = 0; at < pieces; at += 1)
        yield { piece: { case: "objects" as const, value: { objects: [objectOf(`a${at}`), objectOf(`b${at}`, "denied")] } } };
    })(),
    { headers: { authorization: `Bearer ${agent}` } },
  );
}

const codeOf = async (answer: Promise<unknown>): Promise<Code> => ConnectError.from(await answer.catch((error: unknown) => error)).code;

test("what an agent reports at one kas is read at another, with the commit's author by kas, and watched there", async () => {
  const [here, there] = [await startKas(await redisStore()), await startKas(await redisStore())];
  const leave = new AbortController();
  const watched = there.api.watchSyncs({ agentId: 7n }, { signal: leave.signal })[Symbol.asyncIterator]();
  expect((await watched.next()).value).toMatchObject({ syncs: [] });
  const next = watched.next();
  await until(() => clock.pending > 0);
  await report(here);
  const turns = setInterval(() => clock.advance(100), 5);
  const { value } = await next;
  clearInterval(turns);
  expect(value?.syncs).toMatchObject([
    {
      project: "group/app",
      projectId: 3n,
      commitId: commit,
      state: GitopsSyncState.FAILED,
      author: "test",
      subject: "change",
      branch: projectOf().defaultBranch,
      pollPeriod: { seconds: 20n },
      failed: 1,
      drifted: 1,
      ...PLACE,
    },
  ]);
  leave.abort();
  await watched.next().catch(() => undefined);
  expect((await there.api.getSync({ agentId: 7n, project: "group/app" })).objects).toMatchObject([
    objectOf("a0"),
    objectOf("b0", "denied"),
  ]);
  expect((await there.api.listSyncs({ agentId: 8n })).syncs).toEqual([]);
  expect(await codeOf(there.api.getSync({ agentId: 8n, project: "group/app" }))).toBe(Code.NotFound);
});

test.each([
  ["in this process", async () => new LocalSyncStore(clock)],
  ["in Redis", redisStore],
])("%s: that manifests cannot be had goes with the sync, until they can or nobody says so any more", async (_, open) => {
  const store = await open();
  const kas = await startKas(store);
  await report(kas);
  const told = async () => (await kas.api.listSyncs({ agentId: 7n })).syncs.map(({ sourceProblem }) => sourceProblem);
  expect(await told()).toEqual([GitopsSourceProblem.UNSPECIFIED]);
  let changes = 0;
  const forget = store.onChange(7n, () => (changes += 1));
  for (let looks = 0; looks < 3; looks += 1) store.say(7n, "group/app", GitopsSourceProblem.NO_COMMIT);
  store.say(8n, "group/app", GitopsSourceProblem.UNREADABLE);
  await expect.poll(told).toEqual([GitopsSourceProblem.NO_COMMIT]);
  expect((await kas.api.getSync({ agentId: 7n, project: "group/app" })).sync?.sourceProblem).toBe(GitopsSourceProblem.NO_COMMIT);
  await expect.poll(() => changes).toBe(1);
  store.say(7n, "group/app", GitopsSourceProblem.UNSPECIFIED);
  await expect.poll(told).toEqual([GitopsSourceProblem.UNSPECIFIED]);
  store.say(7n, "group/app", GitopsSourceProblem.UNREADABLE);
  await expect.poll(told).toEqual([GitopsSourceProblem.UNREADABLE]);
  clock.advance(14 * 60_000);
  await report(kas);
  expect(await told()).toEqual([GitopsSourceProblem.UNREADABLE]);
  clock.advance(2 * 60_000);
  expect(await told()).toEqual([GitopsSourceProblem.UNSPECIFIED]);
  forget();
});

test("what one kas has said, another one that reads the repository takes back", async () => {
  const [here, there] = [await redisStore(), await redisStore()];
  const kas = await startKas(here);
  await report(kas);
  const told = async () => (await kas.api.listSyncs({ agentId: 7n })).syncs.map(({ sourceProblem }) => sourceProblem);
  here.say(7n, "group/app", GitopsSourceProblem.NO_COMMIT);
  await expect.poll(told).toEqual([GitopsSourceProblem.NO_COMMIT]);
  there.say(7n, "group/app", GitopsSourceProblem.UNSPECIFIED);
  await expect.poll(told).toEqual([GitopsSourceProblem.UNSPECIFIED]);
});

test("author and first line are asked for once per commit", async () => {
  const kas = await startKas(new LocalSyncStore(clock));
  for (let count = 0; count < 3; count += 1) await report(kas);
  expect(gitaly.calls.get("FindCommit")).toBe(1);
});

test("T49: commits between the applied and the newest one are counted by kas, up to a hundred, with their authors", async () => {
  const kas = await startKas(new LocalSyncStore(clock));
  const waiting = async () => {
    const { syncs } = await kas.api.listSyncs({ agentId: 7n });
    return syncs.map(({ waitingCommits, moreWaiting, waitingAuthors, newestCommitId }) => {
      return [waitingCommits, moreWaiting, waitingAuthors, newestCommitId];
    });
  };
  // One that the repository does not have.
  await report(kas);
  expect(await waiting()).toEqual([[undefined, false, [], ""]]);
  await report(kas, { appliedCommitId: "main" });
  expect(await waiting()).toEqual([[undefined, false, [], ""]]);
  await report(kas, { appliedCommitId: commit });
  expect(await waiting()).toEqual([[0, false, [], ""]]);
  repository.push({ "a.yaml": "2" });
  const newest = repository.push({ "a.yaml": "3" });
  for (let count = 0; count < 3; count += 1) await report(kas, { appliedCommitId: commit });
  expect(await waiting()).toEqual([[0, false, [], ""]]);
  expect(gitaly.calls.get("ListCommits")).toBe(2);
  clock.advance(20_000);
  await report(kas, { appliedCommitId: commit });
  expect(await waiting()).toEqual([[2, false, ["test"], newest]]);
  repository.pushEmpty(99);
  clock.advance(20_000);
  await report(kas, { appliedCommitId: commit });
  expect(await waiting()).toMatchObject([[100, true, ["test"], expect.any(String)]]);
  gitaly.down = true;
  clock.advance(20_000);
  await report(kas, { appliedCommitId: commit });
  expect(await waiting()).toEqual([[undefined, false, [], ""]]);
});

test("a project that the agent may not read any more has a status all the same, without author and id", async () => {
  isReadable = false;
  const kas = await startKas(new LocalSyncStore(clock));
  await report(kas);
  expect((await kas.api.listSyncs({ agentId: 7n })).syncs).toMatchObject([
    { project: "group/app", projectId: 0n, author: "", subject: "" },
  ]);
});

test.each([
  ["in this process", async () => new LocalSyncStore(clock)],
  ["in Redis", redisStore],
])("what nobody says any more is forgotten, and an agent has a hundred projects and no more: %s", async (_, open) => {
  const kas = await startKas(await open());
  await report(kas, { project: "group/old" });
  clock.advance(14 * 60_000);
  await report(kas);
  const projects = async () => (await kas.api.listSyncs({ agentId: 7n })).syncs.map(({ project }) => project);
  expect(await projects()).toEqual(["group/app", "group/old"]);
  clock.advance(60_000);
  expect(await projects()).toEqual(["group/app"]);
  for (let at = 1; at < 100; at += 1) await report(kas, { project: `p${at}` });
  expect(await codeOf(report(kas, { project: "one more" }))).toBe(Code.ResourceExhausted);
  await report(kas);
  await report(kas, { project: "one more", agent: "8" });
  expect(await projects()).toHaveLength(100);
});

test("a report is bounded in all, must begin with its sync, and an agent may make only so many", async () => {
  const kas = await startKas(new LocalSyncStore(clock));
  expect(await codeOf(report(kas, { pieces: 10_000 }))).toBe(Code.ResourceExhausted);
  const headers = { authorization: "Bearer 7" };
  const empty = kas.reports.reportSync((async function* () {})(), { headers });
  expect(await codeOf(empty)).toBe(Code.InvalidArgument);
  expect(await codeOf(report(kas, { project: "" }))).toBe(Code.InvalidArgument);
  expect((await kas.api.listSyncs({ agentId: 7n })).syncs).toEqual([]);
  for (let count = 4; count < 300; count += 1) await kas.counter.add("gitops report 7");
  await report(kas);
  expect(await codeOf(report(kas))).toBe(Code.ResourceExhausted);
  await report(kas, { agent: "8" });
});

test("B2: a Redis that has restarted without its data gets the newest reports back at once", async () => {
  const [old, newer] = [await startKas(await redisStore()), await startKas(await redisStore())];
  const agent = "21";
  await report(old, { agent });
  await report(old, { agent, project: "group/other" });
  clock.advance(1_000);
  await report(newer, { agent, appliedCommitId: commit });
  await server.stop();
  await server.restart();
  const told = async () => {
    const { syncs } = await old.api.listSyncs({ agentId: 21n }).catch(() => ({ syncs: [] }));
    return syncs.map(({ project, appliedCommitId }) => [project, appliedCommitId]);
  };
  const expected = [
    ["group/app", commit],
    ["group/other", PLACE.appliedCommitId],
  ];
  await expect.poll(told, { timeout: 10_000 }).toEqual(expected);
  expect((await old.api.getSync({ agentId: 21n, project: "group/other" })).objects).toHaveLength(2);
  clock.advance(15 * 60_000);
  await server.stop();
  await server.restart();
  await expect
    .poll(async () => (await newer.api.listSyncs({ agentId: 21n }).catch(() => undefined))?.syncs, { timeout: 10_000 })
    .toEqual([]);
});

test("while Redis is away the answer says so", async () => {
  const redis = await connectRedis(server);
  const kas = await startKas(new RedisSyncStore({ redis, clock, secrets: [INTERNAL_SECRET] }));
  redis.close();
  expect(await codeOf(report(kas))).toBe(Code.Unavailable);
  expect(await codeOf(kas.api.listSyncs({ agentId: 7n }))).toBe(Code.Unavailable);
});

test("T20, security-3 A9: a record in Redis that no kas has signed for its place is ignored and counted", async () => {
  const kas = await startKas(await redisStore());
  const redis = await connectRedis(server);
  closing.push(() => redis.close());
  const { commands } = redis;
  await commands.flushall();
  await report(kas);
  await report(kas, { project: "group/other", agent: "9" });
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
  await commands.hset("test:binnacle:2:gitops_source:7", digest("group/app"), `2 ${clock.now()}`);
  rogues = 0;
  expect((await kas.api.listSyncs({ agentId: 7n })).syncs).toMatchObject([
    { project: "group/app", state: GitopsSyncState.FAILED, sourceProblem: GitopsSourceProblem.UNSPECIFIED },
  ]);
  expect(rogues).toBe(3);
  expect((await kas.api.listSyncs({ agentId: 8n })).syncs).toEqual([]);
  expect(await codeOf(kas.api.getSync({ agentId: 8n, project: "group/app" }))).toBe(Code.NotFound);
  expect(rogues).toBe(5);

  // A true one that is written back when it is over.
  clock.advance(15 * 60_000);
  await commands.set(`${hash(7)}:${digest("group/app")}`, whole);
  expect(await codeOf(kas.api.getSync({ agentId: 7n, project: "group/app" }))).toBe(Code.NotFound);
});

describe.each([
  ["in this process", async () => new LocalSyncStore(clock)],
  ["in Redis", redisStore],
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
    clock.advance(14 * 60_000);
    store.nameProjects(7n, []);
    clock.advance(14 * 60_000);
    await named([]);
    expect(await store.namedProjects(8n)).toBeUndefined();
    clock.advance(2 * 60_000);
    await named(undefined);
  });
});
