import { join } from "node:path";

import type { Logger } from "@binnacle/telemetry";

import type { World } from "../main-application/world.ts";
import { branchesOf } from "./branches.ts";
import { ReviewApps, type ReviewWork } from "./review-apps.ts";

/** Review apps of the demo project, as its developer pushes them. */
export function reviewAppsOf(of: {
  readonly world: World;
  readonly agentId: number;
  readonly gitRoot: string;
  readonly work: ReviewWork;
  readonly log: Logger;
}): ReviewApps {
  const { world, agentId, gitRoot, work, log } = of;
  const project = world.projectByPath("group/app");
  const developer = world.users.find(({ username }) => username === "developer");
  if (!project || !developer) throw new Error("the demo world has a project and a developer");
  const bare = join(gitRoot, `${project.fullPath}.git`);
  return new ReviewApps({
    world,
    project,
    userId: developer.id,
    agentId,
    branches: () => branchesOf(bare),
    work,
    now: () => new Date(),
    failed: (error, environment) => log.error({ error, environment }, "the job of a branch failed"),
  });
}
