import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { GitopsApi, GitopsReports, type GetSyncResponse, type GitopsSync, type ReportSyncRequest } from "@binnacle/proto/kas-gitops";
import { durationField } from "@binnacle/proto/wire-values";
import { Fault, sleep, type Clock } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";

import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { MinuteCounter } from "../limits/minute-counter.ts";
import type { ProjectInfo, ProjectReader } from "../main-application/project-info-lookup.ts";
import { agentOf } from "../agent-identity/authenticated-agent.ts";
import { CommitWordsLookup } from "./commit-words.ts";
import { readSyncReport } from "./sync-report.ts";
import type { SyncStore } from "./sync-store.ts";
import { WaitingCommitsLookup } from "./waiting-commits.ts";

/** What reports of agents need. */
export interface SyncReportOptions {
  readonly store: SyncStore;
  readonly projects: ProjectReader;
  readonly gitaly: Pick<GitalyClient, "read">;
  readonly clock: Clock;
  readonly counter: MinuteCounter;
  /** How often repositories are looked at, in milliseconds. */
  readonly pollMs: number;
  readonly log: Logger;
  /** A report was kept. */
  readonly onReported?: (agentId: bigint, sync: GitopsSync) => void;
}

/** Of one agent in a minute, at all kas. */
const MAX_REPORTS = 300;
/** A watch polls this often without a hint: hints can be lost, and stored reports expire. */
const LOOK_AGAIN_MS = 60_000;
/** Between two answers of a watch. */
const PACE_MS = 1_000;

/** For the agent listener. */
export function syncReports(options: SyncReportOptions): (router: ConnectRouter) => void {
  const lookups = { commits: new CommitWordsLookup(options.gitaly), waiting: new WaitingCommitsLookup(options) };
  return (router) => {
    router.service(GitopsReports, {
      async reportSync(pieces: AsyncIterable<ReportSyncRequest>, context) {
        try {
          await takeReport(pieces, context, { ...options, ...lookups });
          return {};
        } catch (error) {
          if (!(error instanceof Fault)) options.log.error({ error }, "taking a report of a sync failed");
          throw toConnectError(error);
        }
      },
    });
  };
}

/** With what a report is completed. */
interface ReportTaking extends SyncReportOptions {
  readonly commits: CommitWordsLookup;
  readonly waiting: WaitingCommitsLookup;
}

async function takeReport(pieces: AsyncIterable<ReportSyncRequest>, context: HandlerContext, options: ReportTaking): Promise<void> {
  const { agentId } = agentOf(context);
  if ((await options.counter.add(`gitops report ${agentId}`)) > MAX_REPORTS)
    throw new Fault("rate_limited", `an agent may report ${MAX_REPORTS} times a minute`, { retryAfterSeconds: 60 });
  const report = await readSyncReport(pieces);
  const { sync } = report;
  if (!sync) return;
  const project = await projectOf(sync, context, options);
  if (project) {
    sync.projectId = project.projectId;
    sync.branch = project.defaultBranch;
    Object.assign(sync, durationField("pollPeriod", options.pollMs));
    const by = { agentId, signal: context.signal };
    const [commit, waiting] = await Promise.all([options.commits.of(project, sync.commitId, by), options.waiting.of(project, sync, by)]);
    Object.assign(sync, commit, waiting);
  }
  await options.store.put(agentId, report);
  options.onReported?.(agentId, sync);
}

/** Undefined when the agent may not read the project any more, or the lookup fails: the sync has a status all the same. */
async function projectOf(
  { project }: GitopsSync,
  { requestHeader, signal }: HandlerContext,
  { projects }: SyncReportOptions,
): Promise<ProjectInfo | undefined> {
  try {
    const authorization = requestHeader.get("authorization") ?? "";
    return await projects.project({ authorization, address: requestHeader.get(CLIENT_ADDRESS_HEADER) ?? undefined, project, signal });
  } catch (error) {
    if (!(error instanceof Fault) || error.reason === "cancelled") throw error;
    return undefined;
  }
}

/** For the API listener, which has checked the JWT. */
export function syncApi(store: SyncStore, clock: Clock): (router: ConnectRouter) => void {
  return (router) => {
    router.service(GitopsApi, {
      listSyncs: async ({ agentId }) => ({ syncs: [...(await resultOf(store.list(agentId)))] }),
      getSync: async ({ agentId, project }): Promise<GetSyncResponse> => {
        const found = await resultOf(store.get(agentId, project));
        if (!found) throw toConnectError(new Fault("not_found", "nothing is known of such a sync"));
        return found;
      },
      async *watchSyncs({ agentId }, { signal }) {
        for await (const syncs of changes(agentId, { store, clock, signal })) yield { syncs: [...syncs] };
      },
    });
  };
}

async function* changes(
  agentId: bigint,
  { store, clock, signal }: { readonly store: SyncStore; readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<readonly GitopsSync[], void> {
  let news = new AbortController();
  const forget = store.onChange(agentId, () => news.abort());
  try {
    while (!signal.aborted) {
      news = new AbortController();
      yield await resultOf(store.list(agentId));
      await sleep(clock, PACE_MS, signal);
      await sleep(clock, LOOK_AGAIN_MS, AbortSignal.any([signal, news.signal]));
    }
  } finally {
    forget();
  }
}

async function resultOf<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toConnectError(error);
  }
}
