import { hashToken } from "./token-hash.ts";
import type { AgentEntry, OrganizationData } from "./organization-schema.ts";

/** A user whom a provider of identities has authenticated. */
export interface Principal {
  /** Without a prefix. */
  readonly name: string;
  /** Only from a verified claim. */
  readonly groups: readonly string[];
}

/** As whom requests of a user are made in the cluster. */
export type AgentAccess = "agent" | "user";

/** An agent, and the id of the project that owns it. */
export interface OrganizationAgent extends AgentEntry {
  readonly projectId: number;
}

/** Projects, agents and who may use them. Immutable: a change of the files makes a new one. */
export class Organization {
  readonly #agents: ReadonlyMap<number, OrganizationAgent>;
  readonly #agentsByToken: ReadonlyMap<string, OrganizationAgent>;

  /** @param data consistent, as `parseOrganization` checks it */
  constructor({ projects, agents }: OrganizationData) {
    const ids = new Map(projects.map(({ path, id }) => [path, id]));
    const owned = agents.map((agent) => ({ ...agent, projectId: ids.get(agent.project) ?? 0 }));
    this.#agents = new Map(owned.map((agent) => [agent.id, agent]));
    this.#agentsByToken = new Map(owned.flatMap((agent) => agent.tokens.map((hash) => [hash, agent])));
  }

  /** All agents. */
  get agents(): readonly OrganizationAgent[] {
    return [...this.#agents.values()];
  }

  agent(id: number): OrganizationAgent | undefined {
    return this.#agents.get(id);
  }

  /** The agent that a token belongs to. */
  agentOfToken(token: string): OrganizationAgent | undefined {
    return this.#agentsByToken.get(hashToken(token));
  }

  /** As whom a user's requests are made through an agent; `undefined`: they are not. */
  accessTo(agentId: number, { name, groups }: Principal): AgentAccess | undefined {
    const access = this.#agents.get(agentId)?.user_access;
    if (access === undefined) return undefined;
    const isListed = access.users.includes(name) || access.groups.some((group) => groups.includes(group));
    return isListed ? access.access_as : undefined;
  }
}
