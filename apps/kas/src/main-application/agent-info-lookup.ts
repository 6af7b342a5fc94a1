import { Fault, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import type { AskingCaller } from "../limits/credential-admission.ts";
import type { AgentInfo, AgentTokens, ProofOptions } from "./agent-info.ts";
import { CachedLookup, type CacheTtl } from "./cached-lookup.ts";
import { MAX_CREDENTIAL_BYTES } from "./credential-size.ts";
import { unanswered, type MainApplicationClient } from "./main-application-client.ts";
import { noRefusals, type RefusalRecorder } from "./refused-credentials.ts";
import { gitalyOf, gitalySchema, repositoryOf, repositorySchema } from "./repository-answer.ts";

const agentInfoSchema = z.object({
  project_id: z.int(),
  agent_id: z.int(),
  agent_name: z.string(),
  gitaly_info: gitalySchema,
  gitaly_repository: repositorySchema,
  default_branch: z.string().nullish(),
});

/** Asks the main application whose token it is; answers are kept for a while. */
export class AgentInfoLookup implements AgentTokens {
  readonly #client: MainApplicationClient;
  readonly #clock: Clock;
  readonly #cache: CachedLookup<AgentInfo>;
  readonly #refusals: RefusalRecorder;
  readonly #withdrawn = new Set<(agent: AgentInfo) => void>();

  constructor(client: MainApplicationClient, clock: Clock, options: CacheTtl & { readonly refusals?: RefusalRecorder }) {
    this.#client = client;
    this.#clock = clock;
    this.#cache = new CachedLookup(clock, options, (agent) => this.#withdrawn.forEach((listener) => listener(agent)));
    this.#refusals = options.refusals ?? noRefusals;
  }

  authenticate(authorization: string | undefined, signal: AbortSignal, options: ProofOptions = {}): Promise<AgentInfo> {
    const { address, maxAgeMs } = options;
    return this.#refusals.watch({ kind: "agent_token", address }, async () => {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (token === undefined) throw new Fault("token_missing", "an agent token is needed: authorization: Bearer <token>");
      if (token.length > MAX_CREDENTIAL_BYTES) throw new Fault("token_unknown", "unauthenticated");
      return this.#cache.get([token], { signal, maxAgeMs }, (deserted) =>
        this.#ask(token, { lane: "agents", credential: ["agent", token], address, signal: deserted }),
      );
    });
  }

  /** @param listener receives the agent whose token was accepted and is rejected now */
  onWithdrawn(listener: (agent: AgentInfo) => void): void {
    this.#withdrawn.add(listener);
  }

  async #ask(token: string, caller: AskingCaller): Promise<AgentInfo> {
    const provedAtMs = this.#clock.now();
    const answer = agentInfoSchema.safeParse(
      await this.#client.call({ method: "GET", path: "/api/v4/internal/kubernetes/agent_info", bearer: token, caller }),
    );
    if (!answer.success) throw unanswered(answer.error);
    const info = answer.data;
    const repository = repositoryOf(info.gitaly_repository);
    return {
      agentId: BigInt(info.agent_id),
      agentName: info.agent_name,
      projectId: BigInt(info.project_id),
      projectPath: repository.glProjectPath,
      source: { gitaly: gitalyOf(info.gitaly_info), repository, defaultBranch: info.default_branch ?? "" },
      provedAtMs,
    };
  }
}
