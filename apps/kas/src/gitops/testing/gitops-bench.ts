import { create } from "@bufbuild/protobuf";
import { ByteLedger } from "@binnacle/grpc-wire";
import { ObjectsToSynchronizeRequestSchema, type ObjectsToSynchronizeResponse } from "@binnacle/proto/gitops";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle } from "@binnacle/testing";
import { Registry } from "prom-client";

import { PushNotices } from "../../gitaly/push-notices.ts";
import { GitalyClient } from "../../gitaly/gitaly-client.ts";
import { RepositoryPoller } from "../../gitaly/repository-poller.ts";
import { createGitopsMetrics } from "../gitops-metrics.ts";
import { streamManifests, type ManifestStreamOptions, type ManifestSubject } from "../manifest-stream.ts";
import { TokenBucket } from "../../limits/token-bucket.ts";
import { agentInfoOf } from "../../main-application/testing/agent-info.ts";
import { startGitaly, type FakeGitaly } from "../../testing/fake-gitaly.ts";
import { TestRepository } from "../../testing/test-repository.ts";

/** How often the bench looks at its repository. */
export const POLL_MS = 20_000;
const MIB = 1024 * 1024;

/** What is requested; default: every manifest of the project of the bench. */
interface StreamRequest {
  readonly globs?: readonly string[];
  readonly commitId?: string;
  readonly projectId?: string;
  readonly takesRefusedFiles?: boolean;
}

/** Streams of manifests of a real repository behind a Gitaly on a socket, by a clock that stands still. */
export interface GitopsBench {
  readonly clock: ManualClock;
  readonly repository: TestRepository;
  readonly gitaly: FakeGitaly;
  readonly pushes: PushNotices;
  readonly ledger: ByteLedger;
  readonly registry: Registry;
  readonly options: ManifestStreamOptions;
  /** The agent leaves when it aborts. */
  readonly left: AbortController;
  /** What a subject's `authorize` gives unless the test says otherwise. */
  authorized(): ReturnType<ManifestSubject["authorize"]>;
  stream(
    request?: StreamRequest,
    changes?: Partial<ManifestSubject>,
    limits?: Partial<ManifestStreamOptions>,
  ): AsyncGenerator<ObjectsToSynchronizeResponse, void>;
  /** Number of calls to Gitaly, by method. */
  called(method: string): number;
  /** @throws Error when bytes are still booked */
  stop(): Promise<void>;
}

/** Starts it on free ports. */
export async function startGitopsBench(): Promise<GitopsBench> {
  const clock = new ManualClock();
  const repository = new TestRepository();
  const gitaly = await startGitaly(repository.root);
  const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
  const client = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
  const pushes = new PushNotices();
  const ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB });
  const registry = new Registry();
  const left = new AbortController();
  const options: ManifestStreamOptions = {
    gitaly: client,
    repositories: new RepositoryPoller({ gitaly: client, pushes, clock, pollMs: POLL_MS }),
    clock,
    log: createLogger("test", "silent"),
    metrics: createGitopsMetrics(registry),
    pollMs: POLL_MS,
    maxAgeMs: 24 * 3_600_000,
    maxPaths: 100,
    limits: { maxFiles: 1_000, maxFileBytes: 5 * MIB, maxTotalBytes: 20 * MIB },
  };
  const names = { storageName: "default", relativePath: repository.relativePath, glRepository: "project-3", glProjectPath: "group/app" };
  const access = { address: gitaly.address, token: "secret", features: {} };
  const project = { projectId: 3n, gitaly: access, repository: names, defaultBranch: "main" };
  const authorized = async () => ({ agent: agentInfoOf(7n), project });
  return {
    clock,
    repository,
    gitaly,
    pushes,
    ledger,
    registry,
    options,
    left,
    authorized,
    stream({ globs = [""], commitId = "", projectId = "group/app", takesRefusedFiles = false } = {}, changes = {}, limits = {}) {
      const paths = globs.map((glob) => ({ glob }));
      const request = create(ObjectsToSynchronizeRequestSchema, { projectId, commitId, paths, takesRefusedFiles });
      const account = ledger.open({ kind: "agent", id: "7" }, () => undefined);
      left.signal.addEventListener("abort", () => account.close(), { once: true });
      const subject = {
        request,
        authorize: authorized,
        signal: left.signal,
        draining: left.signal,
        account,
        source: () => undefined,
        ...changes,
      };
      return streamManifests(subject, { ...options, ...limits });
    },
    called: (method) => gitaly.calls.get(method) ?? 0,
    async stop() {
      left.abort();
      await settle();
      client.close();
      gitaly.close();
      repository.remove();
      if (ledger.held() !== 0) throw new Error(`${ledger.held()} bytes are still booked`);
    },
  };
}
