import { ByteLedger } from "@binnacle/grpc-wire";
import {
  GitopsApi,
  GitopsOutcome,
  GitopsReports,
  GitopsSourceProblem,
  GitopsSyncState,
  type GitopsObject,
} from "@binnacle/proto/kas-gitops";
import { Fault, systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, type RedisServer } from "@binnacle/testing";
import { ConnectError, createClient, createRouterTransport, type Client, type Code } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { agentContextOf } from "../../agent-identity/agent-context.ts";
import { GitalyClient } from "../../gitaly/gitaly-client.ts";
import { createTypedHandler } from "../../http2-listener/typed-handler.ts";
import { LocalMinuteCounter } from "../../limits/minute-counter.ts";
import { TokenBucket } from "../../limits/token-bucket.ts";
import type { ProjectInfo } from "../../main-application/project-info-lookup.ts";
import { openAgentListener } from "../../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../../reverse-tunnel/tunnel-registry.ts";
import { agentInfoOf } from "../../main-application/testing/agent-info.ts";
import { INTERNAL_SECRET } from "../../kas-routing/testing/kas-bench.ts";
import { startGitaly, type FakeGitaly } from "../../testing/fake-gitaly.ts";
import { connectRedis } from "../../redis/testing/redis-connections.ts";
import { TestRepository } from "../../testing/test-repository.ts";
import { syncApi, syncReports } from "../sync-services.ts";
import { RedisSyncStore, type SyncStore } from "../sync-store.ts";

const MIB = 1024 * 1024;

/** An object of a report; with a reason it failed. */
export const objectOf = (name: string, reason = ""): Partial<Omit<GitopsObject, "$typeName" | "$unknown">> => ({
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
export const PLACE = {
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

/** What a report of a sync holds; the rest is the same in all reports. */
export interface ReportOptions {
  readonly project?: string;
  /** Messages with objects, two objects each. */
  readonly pieces?: number;
  /** The agent's id. */
  readonly agent?: string;
  readonly appliedCommitId?: string;
}

/** The services of one kas. */
export interface SyncKas {
  readonly counter: LocalMinuteCounter;
  readonly reports: Client<typeof GitopsReports>;
  readonly api: Client<typeof GitopsApi>;
}

/** The gRPC status of a call that must fail. */
export const codeOf = async (answer: Promise<unknown>): Promise<Code> =>
  ConnectError.from(await answer.catch((error: unknown) => error)).code;

/** A repository in a fake Gitaly, and any number of kas that agents report to. */
export class SyncBench {
  readonly repository: TestRepository;
  readonly gitaly: FakeGitaly;
  /** Its first commit. */
  readonly commit: string;
  readonly clock = new ManualClock();
  /** Whether agents may read the project. */
  isReadable = true;
  /** Records in Redis that no kas has signed. */
  rogues = 0;
  readonly #server: RedisServer;
  readonly #closing: (() => unknown)[] = [];

  private constructor(server: RedisServer, repository: TestRepository, gitaly: FakeGitaly) {
    this.#server = server;
    this.repository = repository;
    this.gitaly = gitaly;
    this.commit = repository.push({ "a.yaml": "1" });
    this.#closing.push(
      () => repository.remove(),
      () => gitaly.close(),
    );
  }

  /** @param server of stores in Redis */
  static async start(server: RedisServer): Promise<SyncBench> {
    const repository = new TestRepository();
    return new SyncBench(server, repository, await startGitaly(repository.root));
  }

  async stop(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }

  /** What the main application answers about the project. */
  get project(): ProjectInfo {
    const { relativePath } = this.repository;
    return {
      projectId: 3n,
      gitaly: { address: this.gitaly.address, token: "", features: {} },
      repository: { storageName: "default", relativePath, glRepository: "", glProjectPath: "group/app" },
      defaultBranch: "main",
    };
  }

  /** The agent listener of a kas; its token is the agent's id. */
  async startKas(store: SyncStore): Promise<SyncKas> {
    const { clock } = this;
    const log = createLogger("test", "silent");
    const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
    const client = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
    const counter = new LocalMinuteCounter(clock);
    const routes = syncReports({
      store,
      projects: {
        project: async () => {
          if (!this.isReadable) throw new Fault("not_found", "not found");
          return this.project;
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
    this.#closing.push(
      () => client.close(),
      () => listener.close(),
    );
    return {
      counter,
      reports: createClient(GitopsReports, createGrpcTransport({ baseUrl: `http://${listener.address}` })),
      api: createClient(GitopsApi, createRouterTransport(syncApi(store, clock))),
    };
  }

  /** A store with a connection of its own, which receives changes. */
  async redisStore(): Promise<SyncStore> {
    const redis = await connectRedis(this.#server);
    this.#closing.push(() => redis.close());
    const store = new RedisSyncStore({ redis, clock: this.clock, secrets: [INTERNAL_SECRET], onRogue: () => (this.rogues += 1) });
    // Redis answers in order: the subscription is active when this returns.
    await redis.subscriber.ping();
    return store;
  }

  /** Reports a sync of the agent to a kas. */
  report(kas: SyncKas, options: ReportOptions = {}) {
    const { commit } = this;
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
}
