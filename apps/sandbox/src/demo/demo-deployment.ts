import { join } from "node:path";

import { runGit } from "../gitaly/git-command.ts";
import type { Deployment } from "../main-application/world.ts";

const MINUTE_MS = 60_000;
const STAGING = { iid: 1, environmentId: 2, ref: "main", tag: false, userId: 2, jobId: 41, job: "deploy:staging" } as const;
const AGO_MS = 24 * MINUTE_MS;
const TOOK_MS = 2 * MINUTE_MS;

/**
 * What jobs have deployed of the demo project: its newest commit to staging. The agent deploys production, and preview has nothing yet.
 *
 * @param gitRoot directory of the bare repositories
 * @param nowMs milliseconds since the epoch
 */
export async function demoDeployment(gitRoot: string, nowMs: number): Promise<Deployment> {
  const printed = await runGit(["log", "-1", "--format=%H%x00%an%x00%s", "main"], { dir: join(gitRoot, "group/app.git") });
  const [sha = "", authorName = "", title = ""] = printed.toString("utf8").trim().split("\0");
  const finishedAt = new Date(nowMs - AGO_MS);
  return { ...STAGING, sha, authorName, title, finishedAt, createdAt: new Date(finishedAt.getTime() - TOOK_MS) };
}
