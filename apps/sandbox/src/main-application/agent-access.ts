import type { CiJob, Role, User, World } from "./world.ts";

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

/** One agent a job may use, in the form of `job/allowed_agents`. */
export interface AllowedAgent {
  readonly id: number;
  readonly config_project: { readonly id: number };
  readonly configuration: Readonly<Record<string, unknown>>;
}

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

/** The agents whose `ci_access` lists the job's project. */
export function allowedAgentsOf(world: World, job: CiJob): readonly AllowedAgent[] {
  const path = world.project(job.projectId)?.fullPath;
  return world.agents.flatMap((agent) => {
    const section = field(world.configuration(agent.id), "ci_access", "ciAccess");
    const entry = listOf(section, "projects").find((candidate) => field(candidate, "id") === path);
    if (!isRecord(entry)) return [];
    const namespace = field(entry, "default_namespace", "defaultNamespace");
    return [
      {
        id: agent.id,
        config_project: { id: agent.projectId },
        configuration: { ...(namespace === undefined ? {} : { default_namespace: namespace }), access_as: ciAccessAs(entry) },
      },
    ];
  });
}

function ciAccessAs(entry: unknown): Record<string, unknown> {
  const accessAs = field(entry, "access_as", "accessAs");
  if (isRecord(field(accessAs, "ci_job", "ciJob"))) return { ci_job: {} };
  const impersonate = field(accessAs, "impersonate");
  return isRecord(impersonate) ? { impersonate } : { agent: {} };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of the names that is there: parsed configuration comes as snake_case or as protobuf's JSON names. */
function field(value: unknown, ...names: readonly string[]): unknown {
  if (!isRecord(value)) return undefined;
  const name = names.find((candidate) => value[candidate] !== undefined);
  return name === undefined ? undefined : value[name];
}

function listOf(section: unknown, name: string): readonly unknown[] {
  const list = field(section, name);
  return Array.isArray(list) ? list : [];
}
