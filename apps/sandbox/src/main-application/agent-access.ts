import { field, isRecord, listOf } from "./configuration-field.ts";
import type { Agent, Group, Project, Role, User, World } from "./world.ts";

const ORDER: readonly Role[] = ["guest", "reporter", "developer", "maintainer"];

/** Who acts in the cluster for a person, in the form of `authorize_proxy_user`. */
export type UserAccess =
  | { readonly agent: Record<string, never> }
  | {
      readonly user: {
        readonly projects: readonly { readonly id: number; readonly roles: readonly Role[] }[];
        readonly groups: readonly { readonly id: number; readonly roles: readonly Role[] }[];
      };
    };

/**
 * The roles kas puts into group names: cumulative, from reporter upwards.
 *
 * @returns empty for a guest
 */
export function cumulativeRoles(role: Role | undefined): readonly Role[] {
  return role === undefined ? [] : ORDER.slice(1, ORDER.indexOf(role) + 1);
}

/**
 * Whether `user_access` of the agent's reported configuration covers the user: developers and above of a listed project or group.
 *
 * @returns `null` when nothing covers the user (or nothing was reported yet)
 */
export function userAccessOf(world: World, agentId: number, user: User): UserAccess | null {
  const section = field(world.configuration(agentId), "user_access", "userAccess");
  const withRoles = ({ id, members }: Group | Project) => ({ id, roles: cumulativeRoles(members.get(user.id)) });
  const projects = developed(sharedProjects(world, section), user).map(withRoles);
  const groups = developed(sharedGroups(world, section), user).map(withRoles);
  if (projects.length + groups.length === 0) return null;
  const accessAs = field(section, "access_as", "accessAs");
  return isRecord(field(accessAs, "user")) ? { user: { projects, groups } } : { agent: {} };
}

/**
 * Whether GraphQL shows an agent to a user: to a member of its own project, and to developers of the projects and groups that it is shared with, by
 * `user_access` or `ci_access`. All others get null, as where there is no agent.
 *
 * @see gitlab-org/gitlab, `Clusters::AgentPolicy` ("read_cluster_agent") and `Clusters::Agent#ci_access_authorized_for?`. There only developers of its own
 * project read it; here reporters do too, and the answer of kas then denies them its use.
 */
export function isAgentVisible(world: World, agent: Agent, user: User): boolean {
  if (cumulativeRoles(world.project(agent.projectId)?.members.get(user.id)).length > 0) return true;
  return SECTIONS.some((names) => {
    const section = field(world.configuration(agent.id), ...names);
    const projects = sharedProjects(world, section);
    // A project of a listed group is enough, for jobs of that project may use the agent.
    const inGroups = sharedGroups(world, section).flatMap((group) => world.projectsIn(group, true));
    return developed([...projects, ...inGroups], user).length > 0;
  });
}

/** An agent that a project may use, and the entry of its configuration that says so. */
export interface AgentAuthorization {
  readonly agent: Agent;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Agents that a section of their configuration shares with a project: by its own path, else by that of the nearest of its groups; jobs may also use
 * those of the project itself, which need no entry.
 *
 * @see gitlab-org/gitlab, `Project.userAccessAuthorizedAgents` and `ciAccessAuthorizedAgents`
 */
export function authorizedAgents(world: World, project: Project, section: "user_access" | "ci_access"): readonly AgentAuthorization[] {
  const names = section === "user_access" ? USER_ACCESS : CI_ACCESS;
  return world.agents.flatMap((agent) => {
    const shared = field(world.configuration(agent.id), ...names);
    const entry = entryFor(shared, project.fullPath);
    // The entry of user_access holds nothing but the path: how it is used stands beside the lists.
    const config = section === "user_access" ? { access_as: field(shared, "access_as", "accessAs") ?? {} } : (entry ?? {});
    if (entry === undefined) return section === "ci_access" && agent.projectId === project.id ? [{ agent, config: {} }] : [];
    return [{ agent, config }];
  });
}

const USER_ACCESS = ["user_access", "userAccess"] as const;
const CI_ACCESS = ["ci_access", "ciAccess"] as const;
const SECTIONS = [USER_ACCESS, CI_ACCESS] as const;

/** The entry of a section for a project: its own, else that of its nearest group. */
function entryFor(section: unknown, path: string): Record<string, unknown> | undefined {
  const parts = path.split("/");
  const own = listOf(section, "projects").find((entry) => isOfPath(entry, path));
  if (isRecord(own)) return own;
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const entry = listOf(section, "groups").find((each) => isOfPath(each, parts.slice(0, depth).join("/")));
    if (isRecord(entry)) return entry;
  }
  return undefined;
}

function isOfPath(entry: unknown, path: string): boolean {
  const id = field(entry, "id");
  return typeof id === "string" && id.toLowerCase() === path.toLowerCase();
}

function sharedProjects(world: World, section: unknown): readonly Project[] {
  return pathsIn(section, "projects").flatMap((path) => world.projectByPath(path) ?? []);
}

function sharedGroups(world: World, section: unknown): readonly Group[] {
  return pathsIn(section, "groups").flatMap((path) => world.groupByPath(path) ?? []);
}

function pathsIn(section: unknown, list: "projects" | "groups"): readonly string[] {
  return listOf(section, list).flatMap((entry) => {
    const id = field(entry, "id");
    return typeof id === "string" ? [id] : [];
  });
}

/** Those of which the user is a developer or more. */
function developed<T extends Pick<Group | Project, "members">>(places: readonly T[], user: User): readonly T[] {
  return places.filter(({ members }) => cumulativeRoles(members.get(user.id)).includes("developer"));
}
