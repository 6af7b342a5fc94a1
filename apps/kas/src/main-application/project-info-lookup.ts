import type { Clock } from "@binnacle/rpc";
import { z } from "zod";

import type { ProjectRepository } from "./agent-info.ts";
import { CachedLookup, type Asking, type CacheTtl } from "./cached-lookup.ts";
import { gitalyOf, gitalySchema, repositoryOf, repositorySchema } from "./repository-answer.ts";
import { unanswered, type MainApplicationClient } from "./main-application-client.ts";

const projectInfoSchema = z.object({
  project_id: z.int(),
  gitaly_info: gitalySchema,
  gitaly_repository: repositorySchema,
  default_branch: z.string().nullish(),
});

/** What the main application says of a project to an agent that may read it. */
export interface ProjectInfo extends ProjectRepository {
  readonly projectId: bigint;
}

/** Which project, on whose behalf. */
export interface ProjectQuestion extends Asking {
  /** Value of the agent's `authorization` metadata; it was checked. */
  readonly authorization: string;
  /** The agent's address. */
  readonly address?: string | undefined;
  /** Path or id of the project. */
  readonly project: string;
}

/** Tells where the repository of a project is. */
export interface ProjectReader {
  /** @throws Fault `token_unknown`, `agent_forbidden`, `not_found` (also: hidden), `main_application_unavailable`, `rate_limited`, `cancelled` */
  project(question: ProjectQuestion): Promise<ProjectInfo>;
}

/** Asks the main application where the repository of a project is, as an agent; answers are kept for a while. */
export class ProjectInfoLookup implements ProjectReader {
  readonly #client: MainApplicationClient;
  readonly #cache: CachedLookup<ProjectInfo>;

  constructor(client: MainApplicationClient, clock: Clock, ttl: CacheTtl) {
    this.#client = client;
    this.#cache = new CachedLookup(clock, ttl);
  }

  project({ authorization, address, project, ...asking }: ProjectQuestion): Promise<ProjectInfo> {
    const token = authorization.replace(/^bearer +/i, "");
    return this.#cache.get([token, project], asking, async (signal) => {
      const answer = projectInfoSchema.safeParse(
        await this.#client.call({
          method: "GET",
          path: `/api/v4/internal/kubernetes/project_info?${new URLSearchParams({ id: project })}`,
          bearer: token,
          caller: { lane: "agents", credential: ["agent", token], address, signal },
        }),
      );
      if (!answer.success) throw unanswered(answer.error);
      const info = answer.data;
      return {
        projectId: BigInt(info.project_id),
        gitaly: gitalyOf(info.gitaly_info),
        repository: repositoryOf(info.gitaly_repository),
        defaultBranch: info.default_branch ?? "",
      };
    });
  }
}
