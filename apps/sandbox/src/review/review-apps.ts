import { randomBytes } from "node:crypto";

import type { CiJob, Environment, Project, World } from "../main-application/world.ts";
import type { Branch } from "./branches.ts";
import { environmentSlug } from "./environment-slug.ts";

/** Environments of branches; a sandbox is small. */
const MAX_ENVIRONMENTS = 50;

/** A job of a branch, and where it deploys. */
export interface ReviewJob {
  readonly job: CiJob;
  readonly environment: Environment;
  readonly branch: Branch;
}

/** What the jobs of branches do. Both may reject: the environment stays as it was, and the next push tries again. */
export interface ReviewWork {
  readonly deploy: (of: ReviewJob) => Promise<void>;
  readonly stop: (of: ReviewJob) => Promise<void>;
}

/** What review apps are made with. */
export interface ReviewAppsOptions {
  readonly world: World;
  readonly project: Project;
  /** Who pushes. */
  readonly userId: number;
  readonly agentId: number;
  readonly branches: () => Promise<readonly Branch[]>;
  readonly work: ReviewWork;
  readonly now: () => Date;
  readonly failed: (error: unknown, environment: string) => void;
}

/**
 * An environment `review/<branch>` for each branch beside `main`, as the pipeline of a project would make and stop them: a stand-in for runners.
 * A deleted branch stops its environment; one that comes back starts it again.
 */
export class ReviewApps {
  readonly #options: ReviewAppsOptions;
  /** Environments that there are, by name, with the branch as it was deployed; without a commit, where that has failed. */
  readonly #deployed = new Map<string, Branch>();
  #jobs = 1_000;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReviewAppsOptions) {
    this.#options = options;
  }

  /** There was a push. Looks run one after the other. @returns when this one has ended; never rejects */
  pushed(): Promise<void> {
    this.#running = this.#running.then(() => this.#look());
    return this.#running;
  }

  async #look(): Promise<void> {
    let branches: readonly Branch[];
    try {
      branches = await this.#options.branches();
    } catch (error) {
      // Branches that cannot be read are not deleted.
      this.#options.failed(error, "review/*");
      return;
    }
    const wanted = new Map(branches.map((branch) => [`review/${branch.name}`, branch]));
    for (const [name, branch] of this.#deployed) if (!wanted.has(name)) await this.#stop(name, branch);
    for (const [name, branch] of wanted) {
      const known = this.#deployed.get(name);
      if (known?.sha === branch.sha) continue;
      if (known !== undefined || this.#deployed.size < MAX_ENVIRONMENTS) await this.#deploy(name, branch);
      else this.#options.failed(new Error(`there are ${MAX_ENVIRONMENTS} already`), name);
    }
  }

  async #deploy(name: string, branch: Branch): Promise<void> {
    const { world, work, now, userId } = this.#options;
    const createdAt = now();
    const environment = this.#environmentOf(name);
    const job = this.#jobOf(environment);
    this.#deployed.set(name, { ...branch, sha: "" });
    try {
      world.putEnvironment({ ...environment, state: "available" });
      await this.#run(job, () => work.deploy({ job, environment, branch }));
      this.#deployed.set(name, branch);
      const { sha, title, authorName } = branch;
      const what = { ref: branch.name, tag: false, sha, title, authorName, userId, jobId: job.id, job: `deploy:${name}` };
      world.deployed({ ...what, iid: job.id, environmentId: environment.id, createdAt, finishedAt: now() });
    } catch (error) {
      this.#options.failed(error, name);
    }
  }

  async #stop(name: string, branch: Branch): Promise<void> {
    const { world, work } = this.#options;
    const environment = this.#environmentOf(name);
    const job = this.#jobOf(environment);
    world.putEnvironment({ ...environment, state: "stopping" });
    try {
      await this.#run(job, () => work.stop({ job, environment, branch }));
      this.#deployed.delete(name);
      world.putEnvironment({ ...environment, state: "stopped" });
    } catch (error) {
      this.#options.failed(error, name);
    }
  }

  /** The job's token is good as long as it runs. */
  async #run(job: CiJob, work: () => Promise<void>): Promise<void> {
    const { world } = this.#options;
    world.startJob(job);
    try {
      await work();
    } finally {
      world.endJob(job);
    }
  }

  #environmentOf(name: string): Environment {
    const { world, project, agentId } = this.#options;
    const slug = environmentSlug(name);
    const known = world.environments.find((environment) => environment.projectId === project.id && environment.name === name);
    const id = Math.max(0, ...world.environments.map((environment) => environment.id)) + 1;
    return known ?? { id, projectId: project.id, name, slug, tier: "DEVELOPMENT", namespace: slug, agentId };
  }

  #jobOf({ name, slug }: Environment): CiJob {
    const { project, userId } = this.#options;
    const id = (this.#jobs += 1);
    const environment = { name, slug, tier: "development" };
    const token = `glcbt-${randomBytes(15).toString("base64url")}`;
    return { id, pipelineId: id, projectId: project.id, userId, token, environment, isOnProtectedBranch: false };
  }
}
