import {
  GitopsDriftMode,
  GitopsOutcome,
  GetSyncResponseSchema,
  ListSyncsResponseSchema,
  type GitopsSourceProblem,
  type GitopsSync,
  type GitopsSyncState,
} from "@binnacle/proto/kas-gitops";
import { checkMessage } from "@binnacle/proto/read-message";
import { timeOf } from "@binnacle/proto/wire-values";
import { fromJson, type DescMessage, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { durationMs, type Duration } from "@bufbuild/protobuf/wkt";

import { lineOf } from "../main-application/foreign-text.ts";

/** Syncs of one agent that are listened to, and failed objects of one sync. */
const MAX_SYNCS = 100;
const MAX_FAILURES = 50;
const MAX_NAMESPACES = 100;
const MAX_WAITING = 100;
/** Paths of projects in the main application. */
const PROJECT = /^\w[\w.-]*(?:\/\w[\w.-]*){1,20}$/;
const SHORT_SHA = /^[0-9a-f]{7,64}$/;
/** The longest interval of checks. */
const MAX_PERIOD_MS = 24 * 3_600_000;

/** What the viewer of a sync may see of an object that failed, or has drifted. */
interface FailedObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  /** Whether it was applied, and changed in the cluster since. */
  readonly drifted: boolean;
}

/** How the manifests of one project stand. Texts are short, of one line, and hold no credential. */
export interface SyncRecord {
  readonly project: string;
  /** Begin of the commit's id; empty while there is none. */
  readonly sha: string;
  readonly state: GitopsSyncState;
  readonly reason: string;
  readonly startedAtMs: number | undefined;
  readonly finishedAtMs: number | undefined;
  readonly reportedAtMs: number | undefined;
  readonly pruneHeld: string;
  readonly sourceProblem: GitopsSourceProblem;
  /** A newer commit is looked for this often, besides after a push; absent: not known. */
  readonly pollMs: number | undefined;
  /** 0: not known. */
  readonly waves: number;
  readonly objects: number;
  readonly failed: number;
  /** Objects that were changed in the cluster since they were applied, and left so. */
  readonly drifted: number;
  readonly namespaces: readonly string[];
  readonly inventoryId: string;
  readonly inventoryNamespace: string;
  readonly inventoryName: string;
  /** Begin of the id of the commit that was applied last as a whole; empty while none is known. */
  readonly appliedSha: string;
  /** Absent: not known. */
  readonly appliedAtMs: number | undefined;
  /** Objects of that commit that are applied; absent: not known. */
  readonly appliedObjects: number | undefined;
  /** The agent has restarted and no sync has ended since: whether it fails, is held or drifts is not known, whatever the numbers are. */
  readonly isOutcomeUnknown: boolean;
  /** Commits between the applied and the newest one; absent: not known. */
  readonly waiting: { readonly count: number; /** There are more than that. */ readonly hasMore: boolean } | undefined;
  /** Begin of the newest commit's id; empty: not known. */
  readonly newestSha: string;
  /** Its objects are not compared with the cluster. */
  readonly isDriftIgnored: boolean;
  /** When the report was confirmed last, where kas has none any more. */
  readonly retainedAsOfMs?: number | undefined;
  /** What is known of its objects; absent: not requested, or not available. */
  readonly details?: SyncDetails | undefined;
}

/** Report on a sync's objects. */
export interface SyncDetails {
  /** Something became of so many. */
  readonly settled: number;
  /** Those that failed, then those that have drifted. */
  readonly failures: readonly FailedObject[];
}

/** The answer is none of the contract, or of no agent that there is. */
export class UnreadableSyncs extends Error {}

/** The syncs that kas lists. */
export interface SyncList {
  /** By project. */
  readonly syncs: readonly SyncRecord[];
  /** What is not listed is not applied by the agent. */
  readonly isComplete: boolean;
}

/** Reads kas' list of syncs. @throws UnreadableSyncs when any of it is not what the contract says */
export function syncsOf(answer: unknown): SyncList {
  const { syncs, complete } = readAnswer(ListSyncsResponseSchema, answer);
  if (syncs.length > MAX_SYNCS) throw new UnreadableSyncs("there are too many syncs");
  return { syncs: syncs.map(recordOf).toSorted((a, b) => (a.project < b.project ? -1 : 1)), isComplete: complete };
}

/** What kas tells of one sync's objects, when it is still the same sync. @throws UnreadableSyncs as above */
export function detailsOf(answer: unknown, of: SyncRecord): SyncDetails | undefined {
  const { sync, objects } = readAnswer(GetSyncResponseSchema, answer);
  if (sync === undefined || sync.project !== of.project || sync.commitId !== of.sha) return undefined;
  const failures = objects
    .filter(({ outcome }) => outcome === GitopsOutcome.FAILED || outcome === GitopsOutcome.DRIFTED)
    .toSorted((a, b) => a.outcome - b.outcome)
    .slice(0, MAX_FAILURES)
    .map(({ group, kind, namespace, name, reason, outcome }) => ({
      group: lineOf(group),
      kind: lineOf(kind),
      namespace: lineOf(namespace),
      name: lineOf(name),
      reason: lineOf(reason),
      drifted: outcome === GitopsOutcome.DRIFTED,
    }));
  return { settled: objects.filter(({ outcome }) => outcome !== GitopsOutcome.UNSPECIFIED).length, failures };
}

function recordOf(sync: GitopsSync): SyncRecord {
  const { project, commitId, objects, failed, drifted } = sync;
  if (!PROJECT.test(project)) throw new UnreadableSyncs("a sync names no project");
  if (commitId !== "" && !SHORT_SHA.test(commitId)) throw new UnreadableSyncs("a sync names no commit");
  if (sync.appliedCommitId !== "" && !SHORT_SHA.test(sync.appliedCommitId)) throw new UnreadableSyncs("a sync names no commit");
  if (sync.newestCommitId !== "" && !SHORT_SHA.test(sync.newestCommitId)) throw new UnreadableSyncs("a sync names no commit");
  if (failed + drifted > objects) throw new UnreadableSyncs("more objects failed or drifted than there are");
  return {
    project,
    sha: commitId,
    state: sync.state,
    reason: lineOf(sync.reason),
    startedAtMs: sync.startedAt && timeOf(sync.startedAt),
    finishedAtMs: sync.finishedAt && timeOf(sync.finishedAt),
    reportedAtMs: sync.reportedAt && timeOf(sync.reportedAt),
    pruneHeld: lineOf(sync.pruneHeld),
    sourceProblem: sync.sourceProblem,
    pollMs: periodOf(sync.pollPeriod),
    waves: sync.waves,
    objects,
    failed,
    drifted,
    namespaces: sync.namespaces.slice(0, MAX_NAMESPACES),
    inventoryId: lineOf(sync.inventoryId),
    inventoryNamespace: lineOf(sync.inventoryNamespace),
    inventoryName: lineOf(sync.inventoryName),
    appliedSha: sync.appliedCommitId,
    appliedAtMs: sync.appliedAt && timeOf(sync.appliedAt),
    appliedObjects: sync.appliedObjects,
    isOutcomeUnknown: sync.outcomeUnknown,
    waiting:
      sync.waitingCommits === undefined
        ? undefined
        : { count: Math.min(sync.waitingCommits, MAX_WAITING), hasMore: sync.moreWaiting || sync.waitingCommits > MAX_WAITING },
    newestSha: sync.newestCommitId,
    isDriftIgnored: sync.driftMode === GitopsDriftMode.IGNORE,
  };
}

function periodOf(period: Duration | undefined): number | undefined {
  const ms = period === undefined ? 0 : durationMs(period);
  return ms >= 1_000 && ms <= MAX_PERIOD_MS ? ms : undefined;
}

/** What kas answers. A newer one may know states and outcomes that are not known here: they are none. @throws UnreadableSyncs */
export function readAnswer<D extends DescMessage>(schema: D, answer: unknown): MessageShape<D> {
  try {
    return checkMessage(schema, fromJson(schema, answer as JsonValue, { ignoreUnknownFields: true }));
  } catch (error) {
    throw new UnreadableSyncs("the answer is none of the contract", { cause: error });
  }
}
