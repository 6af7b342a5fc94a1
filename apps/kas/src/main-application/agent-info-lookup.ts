import { Fault, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import type { AgentAuthenticator, AgentInfo, GitalyAccess, RepositoryName } from "./agent-info.ts";
import { CachedLookup, type CacheTtl } from "./cached-lookup.ts";
import type { MainApplicationClient } from "./main-application-client.ts";

const gitalySchema = z.object({ address: z.string(), token: z.string().default(""), features: z.record(z.string(), z.string()).nullish() });
const repositorySchema = z.object({
  storage_name: z.string().default(""),
  relative_path: z.string().default(""),
  gl_repository: z.string().default(""),
  gl_project_path: z.string().default(""),
});
const agentInfoSchema = z.object({
  project_id: z.int(),
  agent_id: z.int(),
  agent_name: z.string(),
  gitaly_info: gitalySchema,
  gitaly_repository: repositorySchema,
  default_branch: z.string().nullish(),
});

function gitalyOf(value: z.output<typeof gitalySchema>): GitalyAccess {
  return { address: value.address, token: value.token, features: value.features ?? {} };
}

function repositoryOf(value: z.output<typeof repositorySchema>): RepositoryName {
  return {
    storageName: value.storage_name,
    relativePath: value.relative_path,
    glRepository: value.gl_repository,
    glProjectPath: value.gl_project_path,
  };
}

/** Asks the main application whose token it is; answers are kept for a while. */
export class AgentInfoLookup implements AgentAuthenticator {
  readonly #client: MainApplicationClient;
  readonly #cache: CachedLookup<AgentInfo>;

  constructor(client: MainApplicationClient, clock: Clock, ttl: CacheTtl) {
    this.#client = client;
    this.#cache = new CachedLookup(clock, ttl);
  }

  async authenticate(authorization: string | undefined, signal: AbortSignal): Promise<AgentInfo> {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw new Fault("token_missing", "an agent token is needed: authorization: Bearer <token>");
    return this.#cache.get([token], signal, () => this.#ask(token));
  }

  async #ask(token: string): Promise<AgentInfo> {
    const answer = agentInfoSchema.safeParse(
      await this.#client.call({ method: "GET", path: "/api/v4/internal/kubernetes/agent_info", bearer: token }),
    );
    if (!answer.success)
      throw new Fault("main_application_unavailable", "agent_info answered something else than an agent", { cause: answer.error });
    const info = answer.data;
    return {
      agentId: BigInt(info.agent_id),
      agentName: info.agent_name,
      projectId: BigInt(info.project_id),
      gitaly: gitalyOf(info.gitaly_info),
      repository: repositoryOf(info.gitaly_repository),
      defaultBranch: info.default_branch ?? "",
    };
  }
}
