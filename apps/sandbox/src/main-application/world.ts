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

/** A group of projects and further groups; `members` maps user ids to roles, those inherited from the groups above included. */
export interface Group {
  readonly id: number;
  readonly name: string;
  /** "acme/shop" */
  readonly fullPath: string;
  readonly members: ReadonlyMap<number, Role>;
}

/** A project; `members` maps user ids to roles, those inherited from its groups included. */
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
  /** 0: none is set. */
  readonly agentId: number;
  /** Default: available. */
  readonly state?: "available" | "stopping" | "stopped";
  /** Absent: it is not stopped by itself. */
  readonly autoStopAt?: Date;
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
  readonly token: string;
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
  /** Default: none. */
  readonly groups?: readonly Group[];
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
  readonly groups: readonly Group[];
  #agents: readonly Agent[];
  #ciJobs: readonly CiJob[];
  #environments: readonly Environment[];
  #tokensRevoked = false;
  #agentTokensRevoked = false;
  readonly #deployments = new Map<number, Deployment>();
  readonly #configurations = new Map<number, unknown>();
  readonly #tokenUse = new Map<number, Date>();

  constructor(seed: WorldSeed) {
    this.users = seed.users;
    this.projects = seed.projects;
    this.groups = seed.groups ?? [];
    this.#agents = seed.agents;
    this.#ciJobs = seed.ciJobs;
    this.#environments = seed.environments;
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

  /** The environment was deleted. */
  removeEnvironment(environmentId: number): void {
    this.#environments = this.#environments.filter(({ id }) => id !== environmentId);
  }

  get agents(): readonly Agent[] {
    return this.#agents;
  }

  /** Adds an agent, or changes the one of this id: its name. */
  putAgent(agent: Agent): void {
    const isKnown = this.#agents.some(({ id }) => id === agent.id);
    this.#agents = isKnown ? this.#agents.map((each) => (each.id === agent.id ? agent : each)) : [...this.#agents, agent];
  }

  /** The agent was deleted: its token is worth nothing, and no environment has it any more (GitLab: `ON DELETE SET NULL`). */
  removeAgent(agentId: number): void {
    this.#agents = this.#agents.filter(({ id }) => id !== agentId);
    this.#environments = this.#environments.map((each) => (each.agentId === agentId ? { ...each, agentId: 0 } : each));
    this.#configurations.delete(agentId);
    this.#tokenUse.delete(agentId);
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

  /** The group of that path, in whatever case. */
  groupByPath(fullPath: string): Group | undefined {
    return this.groups.find((group) => group.fullPath.toLowerCase() === fullPath.toLowerCase());
  }

  /** Projects in a group; with `includeSubgroups` also those further down. */
  projectsIn({ id, fullPath }: Group, includeSubgroups: boolean): readonly Project[] {
    return this.projects.filter((project) => project.groupId === id || (includeSubgroups && project.fullPath.startsWith(`${fullPath}/`)));
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
    return this.#agents.find((agent) => agent.id === id);
  }

  /** The agent of a token, unless tokens were revoked; remembers that the token was used. */
  agentByToken(token: string, now: Date): Agent | undefined {
    if (this.#agentTokensRevoked) return undefined;
    const agent = this.#agents.find((candidate) => candidate.token === token);
    if (agent) this.#tokenUse.set(agent.id, now);
    return agent;
  }

  agentTokenLastUsed(agentId: number): Date | null {
    return this.#tokenUse.get(agentId) ?? null;
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
