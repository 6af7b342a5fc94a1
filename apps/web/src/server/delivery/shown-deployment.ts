import type { ToolStanding, ToolStandings } from "@binnacle/environment-view";

import type { GitopsRecord, ShownSync } from "./agent-syncs.ts";
import { timeOfTool } from "./to-tool-sync.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

/**
 * The commit that an environment is at: of the job that deployed it, or else of the manifest project that was applied last, or else what
 * another tool has applied, of several that which deploys most objects. Which of a job and an agent came last, nobody can say for sure; what
 * the agent does stands beside it all the same.
 *
 * @param told the main application's word
 * @param standings of other tools; absent: there are none, or nobody knows
 * @returns `undefined` when an agent applies manifests there, and nobody knows which commit was the last that was applied as a whole
 */
export function shownDeployment(
  told: DeploymentRecord | undefined,
  gitops: GitopsRecord | undefined,
  standings?: ToolStandings,
): DeploymentRecord | undefined {
  const syncs = gitops?.syncs ?? [];
  if (told?.kind === "deployed") return told;
  if (syncs.length === 0) return broughtByTool(standings) ?? told;
  const [newest] = syncs.filter(({ appliedSha }) => appliedSha !== "").toSorted((a, b) => (b.appliedAtMs ?? 0) - (a.appliedAtMs ?? 0));
  return newest && deployedBy(newest);
}

function deployedBy({ appliedSha, appliedAtMs, appliedCommit }: ShownSync): DeploymentRecord {
  return {
    kind: "deployed",
    source: "gitops",
    sha: appliedCommit?.sha ?? appliedSha,
    title: appliedCommit?.title ?? "",
    commitUrl: appliedCommit?.url ?? "",
    author: appliedCommit?.author ?? "",
    atMs: appliedAtMs,
    ref: "",
    byUsername: "",
    byName: "",
    job: "",
    jobUrl: "",
  };
}

/** Only what was applied counts; a tool that names no commit deploys all the same. */
function broughtByTool({ tools, more }: ToolStandings = { tools: [], more: 0 }): DeploymentRecord | undefined {
  for (const standing of tools) if (standing.sync !== undefined && standing.sync.sha !== "") return deployedByTool(standing, standing.sync);
  return tools.length + more === 0 ? undefined : { kind: "not-known" };
}

function deployedByTool({ tool, namespace, name, source }: ToolStanding, sync: NonNullable<ToolStanding["sync"]>): DeploymentRecord {
  return {
    kind: "deployed",
    source: "gitops",
    byTool: { tool, object: `${namespace}/${name}`, repository: sync.source.url || (source?.url ?? "") },
    sha: sync.sha,
    atMs: timeOfTool(sync.appliedAt),
    ref: "",
    title: "",
    commitUrl: "",
    author: "",
    byUsername: "",
    byName: "",
    job: "",
    jobUrl: "",
  };
}
