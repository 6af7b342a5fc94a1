import { passwordMark } from "./password-hash.ts";
import type { StateToken } from "./state-file.ts";
import { hashToken } from "./token-hash.ts";
import type { AgentEntry, EnvironmentEntry, OrganizationData, ProjectEntry, Role, UserEntry } from "./organization-schema.ts";

/** A user whom a provider of identities, or the list of users, has authenticated. */
export interface Principal {
  /** Without a prefix. */
  readonly name: string;
  /** Only from a verified claim, or from the list of users. */
  readonly groups: readonly string[];
}

/** As whom requests of a user are made in the cluster. */
export type AgentAccess = "agent" | "user";

/** An agent, and the id of the project that owns it. */
export interface OrganizationAgent extends AgentEntry {
  readonly projectId: number;
}

/** From least to most. */
const ROLES: readonly Role[] = ["reporter", "developer", "maintainer"];

/** Projects, environments, agents, users, and who may use them. Immutable: a change of the files makes a new one. */
export class Organization {
  readonly #projects: ReadonlyMap<string, ProjectEntry>;
  readonly #agents: ReadonlyMap<number, OrganizationAgent>;
  readonly #agentsByName: ReadonlyMap<string, OrganizationAgent>;
  readonly #agentsByToken: ReadonlyMap<string, OrganizationAgent>;
  readonly #users: ReadonlyMap<string, UserEntry>;
  readonly #usersByToken: ReadonlyMap<string, { readonly user: UserEntry; readonly expiresAtMs: number }>;

  /**
   * @param data consistent, as `parseOrganization` checks it
   * @param ofPages tokens that users created on pages; those of the files win
   */
  constructor({ projects, agents, users }: OrganizationData, ofPages: readonly StateToken[] = []) {
    this.#projects = new Map(projects.map((project) => [project.path, project]));
    const owned = agents.map((agent) => ({ ...agent, projectId: this.#projects.get(agent.project)?.id ?? 0 }));
    this.#agents = new Map(owned.map((agent) => [agent.id, agent]));
    this.#agentsByName = new Map(owned.map((agent) => [`${agent.project}:${agent.name}`, agent]));
    this.#agentsByToken = new Map(owned.flatMap((agent) => agent.tokens.map((hash) => [hash, agent])));
    this.#users = new Map(users.map((user) => [user.name, user]));
    const owners = ofPages.flatMap(({ user: name, ...token }) => {
      const user = this.#users.get(name);
      return user === undefined ? [] : [{ user, token }];
    });
    const listed = [...owners, ...users.flatMap((user) => user.tokens.map((token) => ({ user, token })))];
    this.#usersByToken = new Map(
      listed.map(({ user, token: { hash, expires_at: end } }) => [
        hash,
        { user, expiresAtMs: end === undefined ? Infinity : Date.parse(end) },
      ]),
    );
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

  /** The agent of an environment; `undefined`: it has none. */
  agentOfEnvironment(project: string, { agent }: Pick<EnvironmentEntry, "agent">): OrganizationAgent | undefined {
    return agent === undefined ? undefined : this.#agentsByName.get(fullAgentName(project, agent));
  }

  /** As whom a user's requests are made through an agent; `undefined`: they are not. */
  accessTo(agentId: number, { name, groups }: Principal): AgentAccess | undefined {
    const access = this.#agents.get(agentId)?.user_access;
    if (access === undefined) return undefined;
    const isListed = access.users.includes(name) || access.groups.some((group) => groups.includes(group));
    return isListed ? access.access_as : undefined;
  }

  user(name: string): UserEntry | undefined {
    return this.#users.get(name);
  }

  /** The user who signed in with a password that is still theirs. @param mark of the password's hash at the sign-in */
  userWithPassword(name: string, mark: string): UserEntry | undefined {
    const user = this.#users.get(name);
    return user?.password !== undefined && passwordMark(user.password) === mark ? user : undefined;
  }

  /** The user whom a personal access token belongs to; `undefined` also for one that has expired. */
  userOfToken(token: string, nowMs: number): UserEntry | undefined {
    const found = this.#usersByToken.get(hashToken(token));
    return found !== undefined && nowMs < found.expiresAtMs ? found.user : undefined;
  }

  /** A project of which the user is a member. */
  projectFor(path: string, principal: Principal): ProjectEntry | undefined {
    const project = this.#projects.get(path);
    return project !== undefined && roleOf(project, principal) !== undefined ? project : undefined;
  }

  /** Projects of which the user is a member, by path. */
  projectsOf(principal: Principal): readonly ProjectEntry[] {
    return [...this.#projects.values()]
      .filter((project) => roleOf(project, principal) !== undefined)
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }
}

/** "group/project:name" of an agent that an entry of this project names. */
export function fullAgentName(project: string, agent: string): string {
  return agent.includes(":") ? agent : `${project}:${agent}`;
}

/** The highest role of a user in a project, by themselves and their groups; `undefined`: no member. */
function roleOf({ members }: ProjectEntry, { name, groups }: Principal): Role | undefined {
  const roles = members
    .filter((member) => ("user" in member ? member.user === name : groups.includes(member.group)))
    .map(({ role }) => role);
  return ROLES.findLast((role) => roles.includes(role));
}
