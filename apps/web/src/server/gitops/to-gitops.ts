import { GitopsSchema, GitopsFailureSchema, GitopsState, GitopsSyncSchema, type Gitops, type GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";

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
};

/** What GitOps does in an environment, for the wire. */
export function toGitops({ syncs, asOfMs }: GitopsRecord): Gitops {
  return create(GitopsSchema, { syncs: syncs.map(toSync), ...withTime("asOf", asOfMs) });
}

function toSync(sync: ShownSync): GitopsSync {
  const { project, reason, pruneHeld, objects, failed, inventoryId, inventoryNamespace, inventoryName, commit, details } = sync;
  return create(GitopsSyncSchema, {
    project,
    reason,
    pruneHeld,
    objects,
    failed,
    inventoryId,
    inventoryNamespace,
    inventoryName,
    sha: commit?.sha ?? sync.sha,
    commitUrl: commit?.url ?? "",
    title: commit?.title ?? "",
    author: commit?.author ?? "",
    state: STATE[sync.state] ?? GitopsState.UNSPECIFIED,
    failures: (details?.failures ?? []).map((failure) => create(GitopsFailureSchema, failure)),
    ...(details === undefined ? {} : { settled: details.settled }),
    ...withTime("startedAt", sync.startedAtMs),
    ...withTime("finishedAt", sync.finishedAtMs),
    ...withTime("reportedAt", sync.reportedAtMs),
  });
}

function withTime<Name extends string>(name: Name, ms: number | undefined): { readonly [Each in Name]?: Timestamp } {
  const times: { [Each in Name]?: Timestamp } = {};
  if (ms !== undefined) times[name] = timestampFromMs(ms);
  return times;
}
