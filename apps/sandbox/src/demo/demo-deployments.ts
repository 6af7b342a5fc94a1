import { join } from "node:path";

import { runGit } from "../gitaly/git-command.ts";
import type { Deployment } from "../main-application/world.ts";

const MINUTE_MS = 60_000;

/** How old each commit of the demo project is when a job deploys it, newest first. */
const JOBS = [{ environmentId: 2, job: "deploy:staging", userId: 2, agoMs: 24 * MINUTE_MS, tookMs: 2 * MINUTE_MS }] as const;

/**
 * Deployments of the demo project's commits by its jobs; production is deployed by the agent, and preview not yet.
 *
 * @param gitRoot directory of the bare repositories
 * @param nowMs milliseconds since the epoch
 */
export async function demoDeployments(gitRoot: string, nowMs: number): Promise<readonly Deployment[]> {
  const printed = await runGit(["log", `-${JOBS.length}`, "--format=%H%x00%an%x00%s", "main"], { dir: join(gitRoot, "group/app.git") });
  const commits = printed.toString("utf8").trim().split("\n");
  return JOBS.flatMap(({ environmentId, job, userId, agoMs, tookMs }, index) => {
    const [sha = "", authorName = "", title = ""] = commits[index]?.split("\0") ?? [];
    const finishedAt = new Date(nowMs - agoMs);
    const createdAt = new Date(finishedAt.getTime() - tookMs);
    const number = JOBS.length - index;
    return sha === ""
      ? []
      : [{ iid: number, environmentId, ref: "main", sha, title, authorName, userId, jobId: 40 + number, job, createdAt, finishedAt }];
  });
}
