import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { runGit } from "../gitaly/git-command.ts";
import { installPushHook } from "../gitaly/push-hook.ts";
import type { Deployment, Project, World } from "../main-application/world.ts";
import {
  deployedEnvironments,
  organization,
  ORGANIZATION_PROJECTS,
  RUNNER_CONFIGURATION,
  type OrganizationProject,
} from "./organization.ts";

const HOUR_S = 3_600;
/** Who commits and deploys: the sandbox's developer. */
const DEVELOPER = { id: 2, name: "Devi Developer", email: "developer@example.test" };

/**
 * Makes the repositories of the organisation, beside each other, and tells the world what was deployed from them; old ones are replaced. Does nothing in a
 * world without the organisation.
 */
export async function startOrganization(world: World, gitRoot: string): Promise<void> {
  const nowMs = Date.now();
  await Promise.all(
    ORGANIZATION_PROJECTS.map(async (planned) => {
      const project = world.projectByPath(planned.fullPath);
      if (project === undefined) return;
      await createRepository(gitRoot, planned, nowMs);
      for (const deployment of await deploymentsOf(gitRoot, project, nowMs)) world.deployed(deployment);
    }),
  );
  // Its process is not of the sandbox: kas has reported this file at some time.
  for (const { id } of organization(nowMs).agents) if (world.agent(id)) world.setConfiguration(id, RUNNER_CONFIGURATION);
}

async function createRepository(gitRoot: string, { fullPath, commits, files }: OrganizationProject, nowMs: number): Promise<void> {
  const bare = join(gitRoot, `${fullPath}.git`);
  rmSync(bare, { recursive: true, force: true });
  mkdirSync(bare, { recursive: true });
  await runGit(["init", "-q", "--bare", "-b", "main"], { dir: bare });
  // One process for all commits: `git commit` takes three for each.
  const input = commits.map((title, index) => {
    const seconds = Math.floor(nowMs / 1_000) - (commits.length - index) * 5 * HOUR_S;
    const changes = index === 0 ? Object.entries(files) : [["log.txt", commits.slice(1, index + 1).join("\n")] as const];
    const written = changes.map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`).join("");
    return `commit refs/heads/main\ncommitter ${DEVELOPER.name} <${DEVELOPER.email}> ${seconds} +0000\n${data(title)}${written}\n`;
  });
  await runGit(["fast-import", "--quiet"], { dir: bare, input: input.join("") });
  await installPushHook(bare);
}

/** @see git-fast-import(1): "data <count>" with the content as it is */
function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

async function deploymentsOf(gitRoot: string, { id: projectId, fullPath }: Project, nowMs: number): Promise<readonly Deployment[]> {
  const printed = await runGit(["log", "--format=%H%x00%an%x00%s%x00%ct", "main"], { dir: join(gitRoot, `${fullPath}.git`) });
  const newestFirst = printed.toString("utf8").trim().split("\n");
  return deployedEnvironments(projectId, nowMs).flatMap(({ id, behind }) => {
    const [sha, authorName = "", title = "", seconds = "0"] = (newestFirst[behind] ?? "").split("\0");
    if (sha === undefined || sha === "") return [];
    const createdAt = new Date((Number(seconds) + HOUR_S) * 1_000);
    const of = { iid: id, environmentId: id, jobId: id, userId: DEVELOPER.id, ref: "main", tag: false, job: "deploy" };
    return [{ ...of, sha, authorName, title, createdAt, finishedAt: new Date(createdAt.getTime() + 90_000) }];
  });
}
