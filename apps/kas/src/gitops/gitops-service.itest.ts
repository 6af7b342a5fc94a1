// needs: redis
import { once } from "node:events";
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";

import { ByteLedger, frameHeader } from "@binnacle/grpc-wire";
import { Gitops } from "@binnacle/proto/gitops";
import { GitopsSourceProblem } from "@binnacle/proto/kas-gitops";
import { systemClock, type Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, startRedisServer, until, type RedisServer } from "@binnacle/testing";
import { Code, ConnectError, createClient, type Client } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi, type MockInstance } from "vitest";

import { agentContextOf } from "../agent-identity/agent-context.ts";
import { PushNotices } from "../gitaly/push-notices.ts";
import { GitalyClient } from "../gitaly/gitaly-client.ts";
import { RepositoryPoller } from "../gitaly/repository-poller.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import { LocalMinuteCounter, RedisMinuteCounter } from "../limits/minute-counter.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import { AgentInfoLookup } from "../main-application/agent-info-lookup.ts";
import { ProjectInfoLookup } from "../main-application/project-info-lookup.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { openAgentListener } from "../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import { readBatch } from "./testing/read-batch.ts";
import { connectRedis } from "../redis/testing/redis-connections.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { RECORDED_USER_AGENT } from "../testing/user-agents.ts";
import { createGitopsMetrics } from "./gitops-metrics.ts";
import { LocalSyncStore } from "./sync-store.ts";
import { gitopsService } from "./gitops-service.ts";

const MIB = 1024 * 1024;
const PATH = "/gitlab.agent.gitops.rpc.Gitops/GetObjectsToSynchronize";

let server: RedisServer;
let repository: TestRepository;
let gitaly: FakeGitaly;
let main: FakeMainApplication;
/** Agents by token, and the projects that each may read. */
let rights: Map<string, { readonly id: number; projects: readonly string[] }>;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
/** What Connect prints, past our log, about what it takes for a bug. */
let printed: MockInstance<typeof console.error>;
beforeEach(async () => {
  printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  repository = new TestRepository();
  gitaly = await startGitaly(repository.root);
  main = await startMainApplication();
  rights = new Map([
    ["one", { id: 1, projects: ["group/app", "group/a b"] }],
    ["two", { id: 2, projects: ["group/app"] }],
  ]);
  main.answer = ({ url, headers }) => {
    const agent = rights.get((headers.authorization ?? "").replace("Bearer ", ""));
    const { pathname, searchParams } = new URL(url, "http://main");
    if (!agent) return { status: 401 };
    if (pathname.endsWith("/agent_info")) return { status: 200, body: { ...repositoryAnswer(), agent_id: agent.id, agent_name: "demo" } };
    const isReadable = pathname.endsWith("/project_info") && agent.projects.includes(searchParams.get("id") ?? "");
    return isReadable ? { status: 200, body: repositoryAnswer() } : { status: 404 };
  };
  closing.push(
    () => repository.remove(),
    () => main.close(),
    () => gitaly.close(),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  printed.mockRestore();
});

function repositoryAnswer() {
  return {
    project_id: 3,
    gitaly_info: { address: gitaly.address, token: "", features: {} },
    gitaly_repository: { storage_name: "default", relative_path: repository.relativePath, gl_project_path: "group/app" },
    default_branch: "main",
  };
}

interface Kas {
  readonly address: string;
  readonly client: Client<typeof Gitops>;
  readonly ledger: ByteLedger;
  readonly pushes: PushNotices;
  readonly clock: Clock;
  /** Source problems that were reported, in order. */
  readonly problems: readonly GitopsSourceProblem[];
}

/** The agent listener of a kas, with what GitOps needs behind it. */
async function startKas(
  options: {
    readonly clock?: Clock;
    readonly redis?: RedisConnection;
    readonly perAgent?: number;
    readonly inAll?: number;
    readonly agentBytes?: number;
  } = {},
): Promise<Kas> {
  const { clock = systemClock, redis, perAgent = 100, inAll = 1_000, agentBytes = 64 * MIB } = options;
  const log = createLogger("test", "silent");
  const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
  const gitalyClient = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
  const mainApplication = main.client({ clock });
  const authenticator = new AgentInfoLookup(mainApplication, clock, { okMs: 0, refusedMs: 0 });
  const pushes = new PushNotices(redis);
  const ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes, userBytes: 32 * MIB });
  const problems: GitopsSourceProblem[] = [];
  const syncs = new LocalSyncStore(clock);
  const report = syncs.reportProblem.bind(syncs);
  vi.spyOn(syncs, "reportProblem").mockImplementation((agentId, project, problem) => {
    problems.push(problem);
    report(agentId, project, problem);
  });
  const routes = gitopsService({
    authenticator,
    projects: new ProjectInfoLookup(mainApplication, clock, { okMs: 0, refusedMs: 0 }),
    ledger,
    counter: redis ? new RedisMinuteCounter({ redis, clock, log }) : new LocalMinuteCounter(clock),
    streams: { perAgent, inAll },
    syncs,
    gitaly: gitalyClient,
    // Long: without a push the repository is not polled again.
    repositories: new RepositoryPoller({ gitaly: gitalyClient, pushes, clock, pollMs: 3_600_000 }),
    clock,
    log,
    metrics: createGitopsMetrics(new Registry()),
    pollMs: 3_600_000,
    maxAgeMs: 24 * 3_600_000,
    maxPaths: 100,
    limits: { maxFiles: 1_000, maxFileBytes: 5 * MIB, maxTotalBytes: 20 * MIB },
  });
  const listener = await openAgentListener({
    listen: { host: "127.0.0.1", port: 0 },
    clock: systemClock,
    log,
    authenticator,
    registry: new TunnelRegistry(),
    ledger,
    shutdownGraceMs: 0,
    connectHandler: createTypedHandler({ routes, readMaxBytes: 64 * 1024, contextValues: agentContextOf }),
  });
  closing.push(
    () => gitalyClient.close(),
    () => listener.close(),
  );
  const client = createClient(Gitops, createGrpcTransport({ baseUrl: `http://${listener.address}` }));
  return { address: listener.address, client, ledger, pushes, clock, problems };
}

const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const request = (commitId = "", projectId = "group/app") => ({ projectId, commitId, paths: [{ glob: "" }] });

/** Commit and files of a batch. */
async function batchOf(kas: Kas, commitId = "", token = "one"): Promise<readonly [string, readonly string[]]> {
  const { commit, files, complete } = await readBatch(kas.client.getObjectsToSynchronize(request(commitId), as(token)));
  if (!complete) throw new Error("the batch has no trailer");
  return [commit, [...files.keys()]];
}

async function codeOf(reading: Promise<unknown>): Promise<Code> {
  return ConnectError.from(await reading.catch((error: unknown) => error)).code;
}

/** What a Go agent of 14.x sends, byte for byte. */
function goRequest(project: string, commit: string, globs: readonly string[]): Buffer {
  const field = (number: number, content: Buffer): Buffer => Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  const text = (number: number, value: string): Buffer => (value === "" ? Buffer.alloc(0) : field(number, Buffer.from(value)));
  return Buffer.concat([text(1, project), text(2, commit), ...globs.map((glob) => field(3, text(1, glob)))]);
}

async function goStream(kas: Kas, message: Buffer): Promise<{ readonly session: ClientHttp2Session; readonly stream: ClientHttp2Stream }> {
  const session = connect(`http://${kas.address}`);
  session.on("error", () => undefined);
  closing.push(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": PATH,
    "content-type": "application/grpc",
    te: "trailers",
    "user-agent": RECORDED_USER_AGENT["14.1.1"],
    authorization: "Bearer one",
  });
  stream.on("error", () => undefined);
  stream.end(Buffer.concat([frameHeader(message.length), message]));
  return { session, stream };
}

test("the bytes of a Go agent's request are answered with header, objects and trailer, and status OK", async () => {
  const commit = repository.push({ "a.yaml": "a: 1\n", "d/b.yaml": "b: 2\n", "d/c.txt": "c" });
  const { stream } = await goStream(await startKas(), goRequest("group/app", "1".repeat(40), ["*.yaml", "/d/**"]));
  const parts: Buffer[] = [];
  const [trailers] = await Promise.all([
    once(stream, "trailers"),
    (async () => {
      for await (const part of stream) parts.push(part);
    })(),
  ]);
  expect(trailers[0]).toMatchObject({ "grpc-status": "0" });
  const hex = (text: string): string => Buffer.from(text).toString("hex");
  const frame = (message: string): string => `00${(message.length / 2).toString(16).padStart(8, "0")}${message}`;
  expect(Buffer.concat(parts).toString("hex")).toBe(
    [
      `0a2c0a28${hex(commit)}1003`,
      `120f0a06${hex("a.yaml")}1205${hex("a: 1\n")}`,
      `12110a08${hex("d/b.yaml")}1205${hex("b: 2\n")}`,
      `120c0a07${hex("d/c.txt")}1201${hex("c")}`,
      "1a00",
    ]
      .map(frame)
      .join(""),
  );
});

test("security-3 A5: a refusal names the commit, and who asks with it waits for another one", async () => {
  const kas = await startKas();
  const bad = repository.pushLink("link.yaml", "elsewhere");
  const refusal = ConnectError.from(await batchOf(kas).catch((error: unknown) => error));
  expect([refusal.code, refusal.metadata.get("binnacle-refused-commit")]).toEqual([Code.FailedPrecondition, bad]);
  const looks = gitaly.advertisements;
  const next = batchOf(kas, bad);
  await until(() => gitaly.advertisements > looks);
  const good = repository.push({ "link.yaml": null, "a.yaml": "a" });
  kas.pushes.pushed("group/app");
  expect(await next).toEqual([good, ["a.yaml"]]);
});

test("a push that one kas receives wakes the wait at another, and the agent continues from its commit", async () => {
  const [first, second] = [await connectRedis(server), await connectRedis(server)];
  closing.push(
    () => first.close(),
    () => second.close(),
  );
  const [notified, serving] = [await startKas({ redis: first }), await startKas({ redis: second })];
  // Redis answers in order: the subscription is active when this returns.
  await second.subscriber.ping();
  const known = repository.push({ "a.yaml": "1" });
  expect(await batchOf(serving)).toEqual([known, ["a.yaml"]]);
  const looks = gitaly.advertisements;
  const waiting = batchOf(serving, known);
  await until(() => gitaly.advertisements > looks);
  const commit = repository.push({ "b.yaml": "2" });
  notified.pushes.pushed("group/app");
  expect(await waiting).toEqual([commit, ["a.yaml", "b.yaml"]]);
  // After a break the agent is served at any kas, from the commit it has.
  expect(await batchOf(notified, known)).toEqual([commit, ["a.yaml", "b.yaml"]]);
});

test("an unknown token is unauthenticated, a hidden project is not found, and a readable one is looked up by its path", async () => {
  repository.push({ "a.yaml": "1" });
  const kas = await startKas();
  const read = async (token: string, project: string) => {
    for await (const message of kas.client.getObjectsToSynchronize(request("", project), as(token))) void message;
  };
  expect(await codeOf(read("three", "group/app"))).toBe(Code.Unauthenticated);
  expect(await codeOf(read("two", "group/a b"))).toBe(Code.NotFound);
  // A request for a project that the agent may not read leaves no state.
  expect(kas.problems).toEqual([]);
  await read("one", "group/a b");
  expect(main.seen.at(-1)?.url).toBe("/api/v4/internal/kubernetes/project_info?id=group%2Fa+b");
});

test.each([
  ["a token that is revoked", () => rights.delete("one"), Code.Unauthenticated],
  ["a project that is gone", () => rights.set("one", { id: 1, projects: [] }), Code.NotFound],
])("%s in the middle of the wait ends it at the next push, with nothing of what was pushed", async (_, withdraw, code) => {
  const known = repository.push({ "a.yaml": "1" });
  const kas = await startKas();
  const waiting = batchOf(kas, known);
  waiting.catch(() => undefined);
  await until(() => gitaly.advertisements === 1);
  withdraw();
  repository.push({ "b.yaml": "2" });
  kas.pushes.pushed("group/app");
  expect(await codeOf(waiting)).toBe(code);
  expect(gitaly.calls.get("GetTreeEntries")).toBeUndefined();
  expect(kas.problems.at(-1)).toBe(GitopsSourceProblem.UNREADABLE);
});

test("the projects of a token that is revoked between two waits are reported as unreadable", async () => {
  const known = repository.push({ "a.yaml": "1" });
  const kas = await startKas();
  expect(await batchOf(kas)).toEqual([known, ["a.yaml"]]);
  rights.delete("one");
  expect(await codeOf(batchOf(kas, known))).toBe(Code.Unauthenticated);
  expect(kas.problems).toEqual([GitopsSourceProblem.UNSPECIFIED, GitopsSourceProblem.UNREADABLE]);
});

test("waits are counted per agent and in all at all kas together, and who is refused hears when to come back", async () => {
  repository.push({ "a.yaml": "1" });
  const redis = [await connectRedis(server), await connectRedis(server)];
  const clock = new ManualClock();
  const kas = await Promise.all(redis.map((each) => startKas({ redis: each, clock, perAgent: 2, inAll: 3 })));
  closing.push(() => redis.map((each) => each.close()));
  const [here, there] = kas;
  if (!here || !there) throw new Error("two were started");
  await batchOf(here);
  await batchOf(there);
  const refused = ConnectError.from(await batchOf(here).catch((error: unknown) => error));
  expect(refused).toMatchObject({ code: Code.ResourceExhausted, rawMessage: expect.stringContaining("this agent, 2") });
  expect(Number(refused.metadata.get("retry-after"))).toBeGreaterThan(0);
  const all = ConnectError.from(await batchOf(there, "", "two").catch((error: unknown) => error));
  expect(all).toMatchObject({ code: Code.ResourceExhausted, rawMessage: expect.stringContaining("all agents, 3") });
  clock.advance(60_000);
  expect((await batchOf(here))[1]).toEqual(["a.yaml"]);
});

test("while Redis is away each kas counts for itself, and serves", async () => {
  repository.push({ "a.yaml": "1" });
  const redis = await connectRedis(server);
  const kas = await startKas({ redis, perAgent: 1 });
  redis.close();
  expect((await batchOf(kas))[1]).toEqual(["a.yaml"]);
  expect(await codeOf(batchOf(kas))).toBe(Code.ResourceExhausted);
});

test("a batch that is over its agent's budget is cut, and gives everything back", async () => {
  repository.push({ "a.yaml": "x".repeat(MIB) });
  const kas = await startKas({ agentBytes: 100_000 });
  const reading = batchOf(kas);
  await expect(reading).rejects.toBeInstanceOf(ConnectError);
  await until(() => kas.ledger.counts().streams === 0);
  expect(kas.ledger.held()).toBe(0);
});

test("a reader that stalls stops Gitaly, is cut after ten minutes, and leaves nothing behind", async () => {
  repository.push(Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`${at}.yaml`, `${at}${"x".repeat(MIB)}`])));
  const clock = new ManualClock();
  const kas = await startKas({ clock });
  const { stream } = await goStream(kas, goRequest("group/app", "", [""]));
  stream.pause();
  let before = -1;
  let looks = 0;
  await until(() => {
    looks = before === gitaly.blobBytes && kas.ledger.held() > 0 ? looks + 1 : 0;
    before = gitaly.blobBytes;
    return looks === 2_000;
  });
  expect(gitaly.blobBytes).toBeLessThan(8 * MIB);
  expect(kas.ledger.held()).toBeLessThanOrEqual(129 * 1024);
  const closed = once(stream, "close");
  for (let minute = 0; minute < 9; minute += 1) await clock.elapse(60_000);
  expect(kas.ledger.counts().streams).toBe(1);
  await clock.elapse(60_000);
  await until(() => kas.ledger.counts().streams === 0);
  stream.resume();
  await closed;
  expect(kas.ledger.held()).toBe(0);
  expect(gitaly.blobBytes).toBeLessThan(16 * MIB);
  expect(printed).not.toHaveBeenCalled();
});

test.each([
  ["whose connection breaks", (session: ClientHttp2Session) => session.destroy()],
  ["who cancels", (_: ClientHttp2Session, stream: ClientHttp2Stream) => stream.close(constants.NGHTTP2_CANCEL)],
])("an agent %s in the middle of a batch leaves nothing behind", async (_what, leave) => {
  repository.push(Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`${at}.yaml`, `${at}${"x".repeat(MIB)}`])));
  const kas = await startKas();
  const { session, stream } = await goStream(kas, goRequest("group/app", "", [""]));
  await once(stream, "data");
  stream.pause();
  await until(() => kas.ledger.held() > 0);
  leave(session, stream);
  await until(() => kas.ledger.counts().streams === 0);
  expect(kas.ledger.held()).toBe(0);
  expect(gitaly.blobBytes).toBeLessThan(16 * MIB);
  expect(printed).not.toHaveBeenCalled();
});
