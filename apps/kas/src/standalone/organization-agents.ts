import type { Organization, OrganizationFiles } from "@binnacle/organization";
import { Fault, type Clock } from "@binnacle/rpc";

import type { AgentInfo, AgentTokens, ProofOptions } from "../main-application/agent-info.ts";
import { MAX_CREDENTIAL_BYTES } from "../main-application/credential-size.ts";
import type { RefusalRecorder } from "../main-application/refused-credentials.ts";

/** What agents are authenticated with. */
export interface OrganizationAgentsOptions {
  readonly files: OrganizationFiles;
  readonly clock: Clock;
  readonly refusals: RefusalRecorder;
}

/** Agents and their tokens in the files of an organization. */
export class OrganizationAgents implements AgentTokens {
  readonly #options: OrganizationAgentsOptions;
  readonly #listeners = new Set<(agent: AgentInfo) => void>();

  constructor(options: OrganizationAgentsOptions) {
    this.#options = options;
    let before = options.files.current;
    options.files.subscribe((organization) => {
      const withdrawn = agentsWithoutToken(before, organization);
      before = organization;
      for (const agent of withdrawn) for (const listener of this.#listeners) listener(agent);
    });
  }

  authenticate(authorization: string | undefined, _signal: AbortSignal, { address }: ProofOptions = {}): Promise<AgentInfo> {
    const { files, clock, refusals } = this.#options;
    return refusals.watch({ kind: "agent_token", address }, async () => {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (token === undefined) throw new Fault("token_missing", "an agent token is needed: authorization: Bearer <token>");
      const agent = token.length > MAX_CREDENTIAL_BYTES ? undefined : files.current.agentOfToken(token);
      if (agent === undefined) throw new Fault("token_unknown", "unauthenticated");
      return { ...agentInfoOf(agent), provedAtMs: clock.now() };
    });
  }

  onWithdrawn(listener: (agent: AgentInfo) => void): void {
    this.#listeners.add(listener);
  }
}

function agentInfoOf({ id, name, project, projectId }: NonNullable<ReturnType<Organization["agent"]>>): AgentInfo {
  return { agentId: BigInt(id), agentName: name, projectId: BigInt(projectId), projectPath: project };
}

/** Agents of which a token was removed. */
function agentsWithoutToken(before: Organization, now: Organization): AgentInfo[] {
  return before.agents.filter(({ id, tokens }) => tokens.some((hash) => now.agent(id)?.tokens.includes(hash) !== true)).map(agentInfoOf);
}
