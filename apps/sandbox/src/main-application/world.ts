/** What a member may do in a project, least first. */
export type Role = "guest" | "reporter" | "developer" | "maintainer";

/** A person with everything needed to sign in. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly password: string;
  readonly personalAccessToken: string;
}

/** A project; `members` maps user ids to roles. */
export interface Project {
  readonly id: number;
  readonly name: string;
  /** "group/app" */
  readonly fullPath: string;
  /** Id of the group the project lives in. */
  readonly groupId: number;
  readonly members: ReadonlyMap<number, Role>;
  /** Agents of other projects may read a public project; default: private. */
  readonly visibility?: "private" | "public";
}

/** Where a project is deployed: a namespace that an agent serves. */
export interface Environment {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly slug: string;
  readonly tier: "PRODUCTION" | "STAGING" | "TESTING" | "DEVELOPMENT" | "OTHER";
  readonly namespace: string;
  /** 0: none. */
  readonly agentId: number;
  /** Default: available. */
  readonly state?: "available" | "stopping" | "stopped";
  /** Default: none. */
  readonly fluxResourcePath?: string;
  /** RFC 3339; default: it does not stop by itself. */
  readonly autoStopAt?: string;
}

/** A deployment that succeeded. */
export interface Deployment {
  readonly iid: number;
  readonly environmentId: number;
  readonly ref: string;
  /** `ref` is a tag. */
  readonly tag: boolean;
  readonly sha: string;
  readonly title: string;
  readonly authorName: string;
  readonly userId: number;
  /** Id of the job in its project. */
  readonly jobId: number;
  /** "deploy:staging" */
  readonly job: string;
  readonly createdAt: Date;
  readonly finishedAt: Date;
}

/** An agent and the token its processes authenticate with. */
export interface Agent {
  readonly id: number;
  readonly name: string;
  readonly projectId: number;
  /** Of the agents that the world begins with; "" for those that are registered later. */
  readonly token: string;
  readonly createdAt?: Date;
}

/** A token of an agent that was not revoked, and its use. */
export interface AgentTokenUse {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date | undefined;
  readonly createdBy: User | undefined;
  readonly lastUsedAt: Date | undefined;
}

interface StoredAgentToken extends Omit<AgentTokenUse, "lastUsedAt"> {
  readonly agentId: number;
  readonly secret: string;
}

/** A running CI job; `token` is what the job holds. */
export interface CiJob {
  readonly id: number;
  readonly pipelineId: number;
  readonly projectId: number;
  readonly userId: number;
  readonly token: string;
  readonly environment: { readonly name: string; readonly slug: string; readonly tier: string } | null;
  /** Or on a protected tag. */
  readonly isOnProtectedBranch: boolean;
}

/** What the stand-in starts with. */
export interface WorldSeed {
  readonly users: readonly User[];
  readonly projects: readonly Project[];
  readonly agents: readonly Agent[];
  readonly environments: readonly Environment[];
  readonly ciJobs: readonly CiJob[];
}

/** Everything the main application's stand-in knows. Every method is synchronous. */
export class World {
  readonly users: readonly User[];
  readonly projects: readonly Project[];
  #agents: readonly Agent[];
  #agentTokens: readonly StoredAgentToken[];
  /** By id of the token. */
  readonly #tokenUse = new Map<number, Date>();
  #ciJobs: readonly CiJob[];
  #environments: readonly Environment[];
  #tokensRevoked = false;
  #agentTokensRevoked = false;
  readonly #deployments = new Map<number, Deployment>();
  readonly #configurations = new Map<number, unknown>();

  constructor(seed: WorldSeed) {
    this.users = seed.users;
    this.projects = seed.projects;
    this.#agents = seed.agents;
    this.#agentTokens = seed.agents.map(({ id, token }) => ({
      id,
      agentId: id,
      name: "first",
      secret: token,
      createdAt: undefined,
      createdBy: undefined,
    }));
    this.#ciJobs = seed.ciJobs;
    this.#environments = seed.environments;
  }

  get agents(): readonly Agent[] {
    return this.#agents;
  }

  /** Registers an agent, without a token. @throws for a name that the project has */
  registerAgent(projectId: number, name: string): Agent {
    if (this.agents.some((each) => each.projectId === projectId && each.name === name)) throw new Error("Name has already been taken");
    const id = Math.max(0, ...this.agents.map((each) => each.id), ...this.#configurations.keys()) + 1;
    const agent = { id, name, projectId, token: "", createdAt: new Date() };
    this.#agents = [...this.agents, agent];
    return agent;
  }

  /** Deletes an agent with its tokens; environments are without it then. */
  deleteAgent(id: number): void {
    this.#agents = this.agents.filter((each) => each.id !== id);
    this.#agentTokens = this.#agentTokens.filter(({ agentId }) => agentId !== id);
  }

  /** Adds a token. */
  addAgentToken(token: { readonly agentId: number; readonly name: string; readonly secret: string; readonly createdBy: User }): number {
    const id = Math.max(100, ...this.#agentTokens.map((each) => each.id)) + 1;
    this.#agentTokens = [...this.#agentTokens, { ...token, id, createdAt: new Date() }];
    return id;
  }

  /** The agent of a token's id. */
  agentOfToken(tokenId: number): Agent | undefined {
    return this.agent(this.#agentTokens.find(({ id }) => id === tokenId)?.agentId ?? 0);
  }

  /** The token is worth nothing from now on. */
  revokeAgentToken(tokenId: number): void {
    this.#agentTokens = this.#agentTokens.filter(({ id }) => id !== tokenId);
  }

  /** Active tokens of an agent. */
  agentTokens(agentId: number): readonly AgentTokenUse[] {
    return this.#agentTokens
      .filter((token) => token.agentId === agentId)
      .map(({ id, name, createdAt, createdBy }) => ({ id, name, createdAt, createdBy, lastUsedAt: this.#tokenUse.get(id) }));
  }

  get environments(): readonly Environment[] {
    return this.#environments;
  }

  /** Replaces the environments; with a foreign cluster they are known only once the agent is connected. */
  setEnvironments(environments: readonly Environment[]): void {
    this.#environments = environments;
  }

  /** Adds an environment, or changes the one of this id. */
  putEnvironment(environment: Environment): void {
    this.#environments = [...this.#environments.filter(({ id }) => id !== environment.id), environment];
  }

  /** Running jobs; the first is one that all users may use. */
  get ciJobs(): readonly CiJob[] {
    return this.#ciJobs;
  }

  /** A job runs: its token is good from now on. */
  startJob(job: CiJob): void {
    this.#ciJobs = [...this.#ciJobs, job];
  }

  /** A job has ended, and its token with it. */
  endJob({ id }: CiJob): void {
    this.#ciJobs = this.#ciJobs.filter((job) => job.id !== id);
  }

  /** The environment has been deployed to. */
  deployed(deployment: Deployment): void {
    this.#deployments.set(deployment.environmentId, deployment);
  }

  /** The last deployment to an environment that succeeded. */
  lastDeployment(environmentId: number): Deployment | undefined {
    return this.#deployments.get(environmentId);
  }

  project(id: number): Project | undefined {
    return this.projects.find((project) => project.id === id);
  }

  projectByPath(fullPath: string): Project | undefined {
    return this.projects.find((project) => project.fullPath.toLowerCase() === fullPath.toLowerCase());
  }

  /** The owner of a personal access token, unless tokens were revoked. */
  userByToken(token: string): User | undefined {
    return this.#tokensRevoked ? undefined : this.users.find((user) => user.personalAccessToken === token);
  }

  /** From now on no personal access token is valid. */
  revokeTokens(): void {
    this.#tokensRevoked = true;
  }

  /** From now on no agent's token is valid, or all are again. */
  revokeAgentTokens(revoked: boolean): void {
    this.#agentTokensRevoked = revoked;
  }

  agent(id: number): Agent | undefined {
    return this.agents.find((agent) => agent.id === id);
  }

  /** The agent of a token, unless tokens were revoked; remembers that the token was used. */
  agentByToken(token: string, now: Date): Agent | undefined {
    if (this.#agentTokensRevoked) return undefined;
    const found = this.#agentTokens.find(({ secret }) => secret === token);
    if (found) this.#tokenUse.set(found.id, now);
    return found && this.agent(found.agentId);
  }

  /** Keeps what kas reported as the agent's parsed configuration file. */
  setConfiguration(agentId: number, configuration: unknown): void {
    this.#configurations.set(agentId, configuration);
  }

  /** The last reported configuration, `undefined` before the first report. */
  configuration(agentId: number): unknown {
    return this.#configurations.get(agentId);
  }
}
