import {
  GitopsSchema,
  GitopsFailureSchema,
  GitopsSourceProblem,
  GitopsState,
  GitopsSyncSchema,
  type Gitops,
  type GitopsSync,
} from "@binnacle/proto/dashboard";
import { GitopsSourceProblem as KasSourceProblem, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { durationField, timeField } from "@binnacle/proto/wire-values";
import { encodeKey } from "@binnacle/kube";
import { create } from "@bufbuild/protobuf";

import type { ShownSync } from "./agent-syncs.ts";
import type { SyncValue } from "./delivery.ts";
import { toToolSync } from "./to-tool-sync.ts";

const STATE: Readonly<Partial<Record<number, GitopsState>>> = {
  [GitopsSyncState.UNSPECIFIED]: GitopsState.UNSPECIFIED,
  [GitopsSyncState.APPLYING]: GitopsState.APPLYING,
  [GitopsSyncState.SYNCED]: GitopsState.SYNCED,
  [GitopsSyncState.FAILED]: GitopsState.FAILED,
  [GitopsSyncState.INVALID]: GitopsState.INVALID,
  [GitopsSyncState.PAUSED]: GitopsState.PAUSED,
  [GitopsSyncState.TRIED]: GitopsState.TRIED,
  [GitopsSyncState.INTERRUPTED]: GitopsState.INTERRUPTED,
  [GitopsSyncState.OUT_OF_SYNC]: GitopsState.OUT_OF_SYNC,
};

const PROBLEM: Readonly<Partial<Record<number, GitopsSourceProblem>>> = {
  [KasSourceProblem.NO_COMMIT]: GitopsSourceProblem.NO_COMMIT,
  [KasSourceProblem.UNREADABLE]: GitopsSourceProblem.UNREADABLE,
};

/** Converts what GitOps does in an environment. */
export function toGitops({ syncs, tools }: SyncValue): Gitops {
  return create(GitopsSchema, { syncs: syncs.map(toSync), tools: tools.tools.map(toToolSync), moreTools: tools.more });
}

/** Converts the state of a sync; one that is not known here is unspecified. */
export function toGitopsState(state: GitopsSyncState): GitopsState {
  return STATE[state] ?? GitopsState.UNSPECIFIED;
}

function toSync(sync: ShownSync): GitopsSync {
  const { project, reason, pruneHeld, objects, failed, drifted, inventoryId, inventoryNamespace, inventoryName, commit, details, report } =
    sync;
  return create(GitopsSyncSchema, {
    project,
    reason: report?.invalid || reason,
    pruneHeld,
    objects,
    failed,
    drifted,
    inventoryId,
    inventoryNamespace,
    inventoryName,
    sha: commit?.sha ?? sync.sha,
    commitUrl: commit?.url ?? "",
    title: commit?.title ?? "",
    author: commit?.author ?? "",
    sourceProblem: PROBLEM[sync.sourceProblem] ?? GitopsSourceProblem.UNSPECIFIED,
    state: toGitopsState(sync.state),
    failures: (details?.failures ?? []).map((failure) =>
      create(GitopsFailureSchema, { ...failure, ...report?.places.get(encodeKey(failure)) }),
    ),
    paths: [...(sync.source?.globs ?? [])],
    branch: sync.source?.branch ?? "",
    waves: sync.waves,
    appliedSha: sync.appliedCommit?.sha ?? sync.appliedSha,
    outcomeUnknown: sync.isOutcomeUnknown,
    newestSha: sync.newestSha,
    driftIgnored: sync.isDriftIgnored,
    waitingAuthors: [...(report?.waitingAuthors ?? [])],
    ...(sync.appliedObjects === undefined ? {} : { appliedObjects: sync.appliedObjects }),
    ...(sync.waiting === undefined ? {} : { waitingCommits: sync.waiting.count, moreWaiting: sync.waiting.hasMore }),
    ...durationField("pollPeriod", sync.pollMs),
    ...(details === undefined ? {} : { settled: details.settled }),
    ...timeField("startedAt", sync.startedAtMs),
    ...timeField("finishedAt", sync.finishedAtMs),
    ...timeField("reportedAt", sync.reportedAtMs),
    ...timeField("appliedAt", sync.appliedAtMs),
  });
}
