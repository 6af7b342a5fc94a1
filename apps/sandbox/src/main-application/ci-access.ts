import { field, isRecord, listOf } from "./configuration-field.ts";
import type { Agent, CiJob, World } from "./world.ts";

/** One agent a job may use, in the form of `job/allowed_agents`. */
export interface AllowedAgent {
  readonly id: number;
  readonly config_project: { readonly id: number };
  readonly configuration: Readonly<Record<string, unknown>>;
}

/**
 * The agents that a job may use: those whose `ci_access` lists its project, one of its groups (the nearest counts) or the instance, with
 * nothing against its environment or branch; and those of its own project, which need no list (docs.gitlab.com, "Using GitLab CI/CD with
 * a Kubernetes cluster").
 */
export function allowedAgentsOf(world: World, job: CiJob): readonly AllowedAgent[] {
  const path = world.project(job.projectId)?.fullPath ?? "";
  return world.agents.flatMap((agent) => {
    const entry = entryOf(world, agent, path) ?? (agent.projectId === job.projectId ? {} : undefined);
    if (entry === undefined || !isForEnvironment(entry, job) || !isForBranch(entry, job)) return [];
    const namespace = field(entry, "default_namespace", "defaultNamespace");
    return [
      {
        id: agent.id,
        config_project: { id: agent.projectId },
        configuration: { ...(namespace === undefined ? {} : { default_namespace: namespace }), access_as: accessAsOf(entry) },
      },
    ];
  });
}

/** The entry of the configuration for a project: its own, else that of its nearest group, else that of the instance. */
function entryOf(world: World, agent: Agent, path: string): Record<string, unknown> | undefined {
  const section = field(world.configuration(agent.id), "ci_access", "ciAccess");
  const own = listOf(section, "projects").find((entry) => isSamePath(field(entry, "id"), path));
  if (isRecord(own)) return own;
  const parts = path.split("/");
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const group = parts.slice(0, depth).join("/");
    const entry = listOf(section, "groups").find((candidate) => isSamePath(field(candidate, "id"), group));
    if (isRecord(entry)) return entry;
  }
  const instance = field(section, "instance");
  return isRecord(instance) ? instance : undefined;
}

function isSamePath(id: unknown, path: string): boolean {
  return typeof id === "string" && id.toLowerCase() === path.toLowerCase();
}

/** An entry that names environments is for jobs in one of them. */
function isForEnvironment(entry: unknown, job: CiJob): boolean {
  const patterns = listOf(entry, "environments");
  if (patterns.length === 0) return true;
  const name = job.environment?.name;
  return name !== undefined && patterns.some((pattern) => typeof pattern === "string" && isMatch(pattern, name));
}

function isForBranch(entry: unknown, job: CiJob): boolean {
  return field(entry, "protected_branches_only", "protectedBranchesOnly") !== true || job.isOnProtectedBranch;
}

/** Whether a name is of a pattern in which `*` stands for any characters, also none. */
function isMatch(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

function accessAsOf(entry: unknown): Record<string, unknown> {
  const accessAs = field(entry, "access_as", "accessAs");
  if (isRecord(field(accessAs, "ci_job", "ciJob"))) return { ci_job: {} };
  const impersonate = field(accessAs, "impersonate");
  return isRecord(impersonate) ? { impersonate } : { agent: {} };
}
