import { field, isRecord, listOf } from "./configuration-field.ts";
import type { Agent, Project, Role, User, World } from "./world.ts";

const ORDER: readonly Role[] = ["guest", "reporter", "developer", "maintainer"];

/** Who acts in the cluster for a person, in the form of `authorize_proxy_user`. */
export type UserAccess =
  | { readonly agent: Record<string, never> }
  | {
      readonly user: {
        readonly projects: readonly { readonly id: number; readonly roles: readonly Role[] }[];
        readonly groups: readonly never[];
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
 * Whether `user_access` of the agent's reported configuration covers the user: developers and above of a listed project.
 *
 * @returns `null` when nothing covers the user (or nothing was reported yet)
 */
export function userAccessOf(world: World, agentId: number, user: User): UserAccess | null {
  const section = field(world.configuration(agentId), "user_access", "userAccess");
  const projects = developedIn(world, section, user).map(({ id, members }) => ({ id, roles: cumulativeRoles(members.get(user.id)) }));
  if (projects.length === 0) return null;
  const accessAs = field(section, "access_as", "accessAs");
  return isRecord(field(accessAs, "user")) ? { user: { projects, groups: [] } } : { agent: {} };
}

/**
 * Whether GraphQL shows an agent to a user: to a member of its own project, and to developers of the projects that it is shared with, by `user_access`
 * or `ci_access`. All others get null, as where there is no agent.
 *
 * @see gitlab-org/gitlab, `Clusters::AgentPolicy` ("read_cluster_agent") and `Clusters::Agent#ci_access_authorized_for?`. There only developers of its own
 * project read it; here reporters do too, and the answer of kas then denies them its use.
 */
export function isAgentVisible(world: World, agent: Agent, user: User): boolean {
  if (cumulativeRoles(world.project(agent.projectId)?.members.get(user.id)).length > 0) return true;
  const configuration = world.configuration(agent.id);
  const sections = [field(configuration, "user_access", "userAccess"), field(configuration, "ci_access", "ciAccess")];
  return sections.some((section) => developedIn(world, section, user).length > 0);
}

/** Projects that a section lists and the user develops. */
function developedIn(world: World, section: unknown, user: User): readonly Project[] {
  return listOf(section, "projects").flatMap((entry) => {
    const id = field(entry, "id");
    const project = typeof id === "string" ? world.projectByPath(id) : undefined;
    return project && cumulativeRoles(project.members.get(user.id)).includes("developer") ? [project] : [];
  });
}
