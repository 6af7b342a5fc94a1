import { hashToken } from "./token-hash.ts";
import {
  ROLES,
  type AgentEntry,
  type EnvironmentEntry,
  type GroupEntry,
  type Member,
  type OrganizationData,
  type ProjectEntry,
  type Role,
  type UserEntry,
} from "./organization-schema.ts";

/** A signed-in user. */
export interface Principal {
  /** Without a prefix. */
  readonly name: string;
  /** Only from a verified claim, or from the users of the file. */
  readonly groups: readonly string[];
}

/** As whom requests of a user are made in the cluster. */
export type AgentAccess = "agent" | "user";

/** An agent and the project that owns it. */
export interface OrganizationAgent extends AgentEntry {
  readonly projectId: number;
}

/** Projects, environments, agents and who may use them. Immutable: a change of the files makes a new one. */
export class Organization {
  readonly #projects: ReadonlyMap<string, ProjectEntry>;
  readonly #groups: ReadonlyMap<string, GroupEntry>;
  readonly #agents: ReadonlyMap<number, OrganizationAgent>;
  readonly #agentsByName: ReadonlyMap<string, OrganizationAgent>;
  readonly #agentsByToken: ReadonlyMap<string, OrganizationAgent>;
  readonly #users: ReadonlyMap<string, UserEntry>;

  /** @param data consistent, as `parseOrganization` checks it */
  constructor({ groups, projects, agents, users }: OrganizationData) {
    this.#projects = new Map(projects.map((project) => [project.path, project]));
    this.#groups = new Map(groups.map((group) => [group.path, group]));
    const owned = agents.map((agent) => ({ ...agent, projectId: this.#projects.get(agent.project)?.id ?? 0 }));
    this.#agents = new Map(owned.map((agent) => [agent.id, agent]));
    this.#agentsByName = new Map(owned.map((agent) => [`${agent.project}:${agent.name}`, agent]));
    this.#agentsByToken = new Map(owned.flatMap((agent) => agent.tokens.map((hash) => [hash, agent])));
    this.#users = new Map(users.map((user) => [user.name, user]));
  }

  /** The agent that a token belongs to. */
  agentOfToken(token: string): OrganizationAgent | undefined {
    return this.#agentsByToken.get(hashToken(token));
  }

  /** All agents. */
  get agents(): readonly OrganizationAgent[] {
    return [...this.#agents.values()];
  }

  agent(id: number): OrganizationAgent | undefined {
    return this.#agents.get(id);
  }

  /** Agents that a project owns, by name. */
  agentsOf(projectPath: string): readonly OrganizationAgent[] {
    return [...this.#agents.values()].filter(({ project }) => project === projectPath).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The agent of an environment; undefined for none. */
  agentOfEnvironment(projectPath: string, { agent }: Pick<EnvironmentEntry, "agent">): OrganizationAgent | undefined {
    if (agent === undefined) return undefined;
    return this.#agentsByName.get(agent.includes(":") ? agent : `${projectPath}:${agent}`);
  }

  project(path: string): ProjectEntry | undefined {
    return this.#projects.get(path);
  }

  group(path: string): GroupEntry | undefined {
    return this.#groups.get(path);
  }

  user(name: string): UserEntry | undefined {
    return this.#users.get(name);
  }

  /** As whom a user's requests are made through an agent; undefined: they are not. */
  accessTo(agentId: number, { name, groups }: Principal): AgentAccess | undefined {
    const access = this.#agents.get(agentId)?.user_access;
    if (access === undefined) return undefined;
    const isListed = access.users.includes(name) || access.groups.some((group) => groups.includes(group));
    return isListed ? access.access_as : undefined;
  }

  /** The highest role of a user in a project, by its own members and those of the groups around it; undefined: no member. */
  roleIn(projectPath: string, principal: Principal): Role | undefined {
    const project = this.#projects.get(projectPath);
    if (project === undefined) return undefined;
    const segments = projectPath.split("/");
    const around = segments.slice(0, -1).map((_, at) => this.#groups.get(segments.slice(0, at + 1).join("/"))?.members ?? []);
    return highestRole([project.members, ...around].flat(), principal);
  }

  /** Projects that a user is a member of, by path. */
  projectsOf(principal: Principal): readonly ProjectEntry[] {
    return [...this.#projects.values()]
      .filter(({ path }) => this.roleIn(path, principal) !== undefined)
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Agents that a user may use, by id. */
  agentsFor(principal: Principal): readonly OrganizationAgent[] {
    return [...this.#agents.values()].filter(({ id }) => this.accessTo(id, principal) !== undefined).toSorted((a, b) => a.id - b.id);
  }
}

function highestRole(members: readonly Member[], { name, groups }: Principal): Role | undefined {
  const roles = members
    .filter((member) => ("user" in member ? member.user === name : groups.includes(member.group)))
    .map(({ role }) => role);
  return ROLES.findLast((role) => roles.includes(role));
}
