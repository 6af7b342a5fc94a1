/** An agent of the stand-in. */
interface StandInAgent {
  readonly id: number;
  readonly name: string;
  connectedAt: readonly string[];
  tokens: readonly { readonly id: string; readonly name: string; readonly lastUsedAt: string | null }[];
}

/** Agents of the one project of the stand-in of the main application, "group/app", with GraphQL for them. */
export class StandInAgents {
  all: StandInAgent[] = [
    {
      id: 3,
      name: "demo",
      connectedAt: ["2026-01-01T00:00:00Z"],
      tokens: [{ id: "gid://gitlab/Clusters::AgentToken/30", name: "first", lastUsedAt: "2026-01-01T00:00:00Z" }],
    },
  ];
  readonly maintainers = new Set(["maintainer"]);
  /** Users who see no agent. */
  readonly blind = new Set<string>();
  /** The next creation of a token fails with this sentence. */
  tokenError: string | undefined;
  /** Names of mutations and their inputs, in order. */
  readonly changes: { readonly name: string; readonly username: string; readonly input: Readonly<Record<string, unknown>> }[] = [];
  #secrets = 0;

  /** What GraphQL answers; `undefined`: the query is not about agents. */
  answer(query: string, variables: Record<string, unknown>, username: string): object | undefined {
    const mutation = /^mutation Change\(.*\) \{ (\w+)\(/.exec(query)?.[1];
    if (mutation !== undefined) return { data: { [mutation]: this.#change(mutation, username, variables["input"]) } };
    if (!/\bclusterAgents?\(/.test(query)) return undefined;
    const visible = this.blind.has(username) ? [] : this.all;
    const nodes = visible.map((agent) => this.#node(agent));
    const isKnown = variables["project"] === "group/app";
    const project = {
      fullPath: "group/app",
      userPermissions: { adminProject: this.maintainers.has(username) },
      clusterAgent: nodes.find(({ name }) => name === variables["name"]) ?? null,
      clusterAgents: { nodes, pageInfo: { hasNextPage: false, endCursor: null } },
    };
    return { data: { currentUser: { id: "gid://gitlab/User/1", username, name: username }, project: isKnown ? project : null } };
  }

  #node({ id, name, connectedAt, tokens }: StandInAgent) {
    return {
      id: `gid://gitlab/Clusters::Agent/${id}`,
      name,
      createdAt: "2025-12-31T00:00:00Z",
      connections: { nodes: connectedAt.map((at) => ({ connectedAt: at })) },
      tokens: {
        nodes: tokens.map((token) => ({ ...token, createdAt: "2025-12-31T00:00:00Z", createdByUser: { username: "maintainer" } })),
      },
    };
  }

  #change(name: string, username: string, given: unknown): object | null {
    // The query declares an input object.
    const input = given as Readonly<Record<string, unknown>>;
    this.changes.push({ name, username, input });
    if (!this.maintainers.has(username)) return null;
    const agentGid = String(input["clusterAgentId"] ?? input["id"]);
    const agent = this.all.find(({ id }) => agentGid === `gid://gitlab/Clusters::Agent/${id}`);
    if (name === "createClusterAgent") {
      if (this.all.some((each) => each.name === input["name"])) return { clusterAgent: null, errors: ["Name has already been taken"] };
      const id = Math.max(3, ...this.all.map((each) => each.id)) + 1;
      this.all.push({ id, name: String(input["name"]), connectedAt: [], tokens: [] });
      return { clusterAgent: { id: `gid://gitlab/Clusters::Agent/${id}` }, errors: [] };
    }
    if (name === "clusterAgentTokenCreate") {
      if (agent === undefined) return null;
      if (this.tokenError !== undefined) return { secret: null, errors: [this.tokenError] };
      this.#secrets += 1;
      const token = { id: `gid://gitlab/Clusters::AgentToken/${40 + this.#secrets}`, name: String(input["name"]), lastUsedAt: null };
      agent.tokens = [...agent.tokens, token];
      return { secret: `glagent-secret-${this.#secrets}`, errors: [] };
    }
    if (name === "clusterAgentTokenRevoke") {
      for (const each of this.all) each.tokens = each.tokens.filter(({ id }) => id !== input["id"]);
      return { errors: [] };
    }
    if (agent === undefined) return null;
    this.all = this.all.filter((each) => each !== agent);
    return { errors: [] };
  }
}
