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

import type { GitopsRecord, ShownSync } from "./agent-syncs.ts";

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

/** What GitOps does in an environment, for the wire. */
export function toGitops({ syncs, asOfMs }: GitopsRecord): Gitops {
  return create(GitopsSchema, { syncs: syncs.map(toSync), ...timeField("asOf", asOfMs) });
}

function toSync(sync: ShownSync): GitopsSync {
  const { project, reason, pruneHeld, objects, failed, drifted, inventoryId, inventoryNamespace, inventoryName, commit, details, whole } =
    sync;
  return create(GitopsSyncSchema, {
    project,
    reason: whole?.invalid || reason,
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
    state: STATE[sync.state] ?? GitopsState.UNSPECIFIED,
    failures: (details?.failures ?? []).map((failure) =>
      create(GitopsFailureSchema, { ...failure, ...whole?.places.get(encodeKey(failure)) }),
    ),
    paths: [...(sync.source?.globs ?? [])],
    branch: sync.source?.branch ?? "",
    waves: sync.waves,
    ...durationField("pollPeriod", sync.pollMs),
    ...(details === undefined ? {} : { settled: details.settled }),
    ...timeField("startedAt", sync.startedAtMs),
    ...timeField("finishedAt", sync.finishedAtMs),
    ...timeField("reportedAt", sync.reportedAtMs),
  });
}
