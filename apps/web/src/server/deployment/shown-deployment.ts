import type { GitopsRecord, ShownSync } from "../gitops/agent-syncs.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

/**
 * The commit that an environment is at: of the job that deployed it, or else of the manifest project that was applied last. Which of a job and
 * an agent came last, nobody can say for sure; what the agent does stands beside it all the same.
 *
 * @param told the main application's word
 * @returns `undefined` when an agent applies manifests there, and nobody knows which commit was the last that was applied as a whole
 */
export function shownDeployment(told: DeploymentRecord | undefined, gitops: GitopsRecord | undefined): DeploymentRecord | undefined {
  const syncs = gitops?.syncs ?? [];
  if (told?.kind === "deployed" || syncs.length === 0) return told;
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
