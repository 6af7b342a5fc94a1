import { field, isRecord, listOf } from "./configuration-field.ts";
import type { Role, User, World } from "./world.ts";

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
  const projects = listOf(section, "projects").flatMap((entry) => {
    const id = field(entry, "id");
    const project = typeof id === "string" ? world.projectByPath(id) : undefined;
    const roles = cumulativeRoles(project?.members.get(user.id));
    return project && roles.includes("developer") ? [{ id: project.id, roles }] : [];
  });
  if (projects.length === 0) return null;
  const accessAs = field(section, "access_as", "accessAs");
  return isRecord(field(accessAs, "user")) ? { user: { projects, groups: [] } } : { agent: {} };
}
