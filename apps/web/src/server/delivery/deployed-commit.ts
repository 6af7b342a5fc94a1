import type { ToolStanding, ToolStandings } from "@binnacle/environment-view";

import type { ShownSync } from "./agent-syncs.ts";
import type { DeployedCommit } from "../main-application/deployment-record.ts";
import { timeOfTool } from "./to-tool-sync.ts";

const NOTHING_MORE = {
  ref: "",
  isTag: false,
  title: "",
  commitUrl: "",
  author: "",
  byUsername: "",
  byName: "",
  job: "",
  jobUrl: "",
} as const;

/** The commit that was applied last as a whole, of any of the syncs; `undefined` when none is known. */
export function deployedBySyncs(syncs: readonly ShownSync[]): DeployedCommit | undefined {
  const [newest] = syncs.filter(({ appliedSha }) => appliedSha !== "").toSorted((a, b) => (b.appliedAtMs ?? 0) - (a.appliedAtMs ?? 0));
  if (newest === undefined) return undefined;
  const { appliedSha, appliedAtMs, appliedCommit } = newest;
  return {
    ...NOTHING_MORE,
    source: "gitops",
    sha: appliedCommit?.sha ?? appliedSha,
    title: appliedCommit?.title ?? "",
    commitUrl: appliedCommit?.url ?? "",
    author: appliedCommit?.author ?? "",
    atMs: appliedAtMs,
  };
}

/** The commit that another tool has applied, of several that which deploys most objects; `undefined` when none names a commit. */
export function deployedByTools({ tools }: ToolStandings): DeployedCommit | undefined {
  for (const standing of tools) if (standing.sync !== undefined && standing.sync.sha !== "") return deployedByTool(standing, standing.sync);
  return undefined;
}

function deployedByTool({ tool, namespace, name, source }: ToolStanding, sync: NonNullable<ToolStanding["sync"]>): DeployedCommit {
  return {
    ...NOTHING_MORE,
    source: "gitops",
    byTool: { tool, object: `${namespace}/${name}`, repository: sync.source.url || (source?.url ?? "") },
    sha: sync.sha,
    atMs: timeOfTool(sync.appliedAt),
  };
}
