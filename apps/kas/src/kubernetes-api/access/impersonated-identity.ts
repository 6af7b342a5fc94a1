import { create } from "@bufbuild/protobuf";
import { ImpersonationConfigSchema, type ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault } from "@binnacle/rpc";

import type { AllowedAgents, MainApplicationUser } from "../../main-application/proxy-authorizer.ts";
import { jobAccessModeOf, userAccessModeOf } from "./access-mode.ts";

const extra = (key: string, value: string | number): { key: string; val: string[] } => ({
  key: `agent.gitlab.com/${key}`,
  val: [String(value)],
});

/**
 * Who a person is in the cluster (docs/design/contract.md "Impersonation").
 *
 * @param accessType "session_cookie" or "personal_access_token"
 * @returns undefined when the agent itself acts
 * @throws Fault `access_mode_unknown`
 */
export function identityOfUser(authorized: MainApplicationUser, agentId: bigint, accessType: string): ImpersonationConfig | undefined {
  const access = userAccessModeOf(authorized.access_as);
  if (access.kind === "agent") return undefined;
  const { user, agent } = authorized;
  return create(ImpersonationConfigSchema, {
    username: `gitlab:user:${user.username}`,
    groups: [
      "gitlab:user",
      ...access.projects.flatMap(({ id, roles }) => roles.map((role) => `gitlab:project_role:${id}:${role}`)),
      ...access.groups.flatMap(({ id, roles }) => roles.map((role) => `gitlab:group_role:${id}:${role}`)),
    ],
    extra: [
      extra("id", String(agentId)),
      extra("username", user.username),
      extra("access_type", accessType),
      extra("config_project_id", agent.config_project.id),
    ],
  });
}

/**
 * Who a job is in the cluster (docs/design/contract.md "Impersonation").
 *
 * @returns undefined when the agent itself acts
 * @throws Fault `access_mode_unknown`
 */
export function identityOfJob(allowed: AllowedAgents, entry: AllowedAgents["allowed_agents"][number]): ImpersonationConfig | undefined {
  const access = jobAccessModeOf(entry.configuration?.access_as);
  if (access.kind === "agent") return undefined;
  if (access.kind === "impersonate") {
    const { username, groups, uid, extra: extras } = access;
    // agentk reads an empty configuration as no impersonation, and would act as itself.
    if (username === "") throw new Fault("access_mode_unknown", "access_as.impersonate of the agent's configuration names no user");
    return create(ImpersonationConfigSchema, { username, groups, uid, extra: extras });
  }
  const { project, job, pipeline, user, environment } = allowed;
  const tier = environment?.tier;
  return create(ImpersonationConfigSchema, {
    username: `gitlab:ci_job:${job.id}`,
    groups: [
      "gitlab:ci_job",
      ...project.groups.map((group) => `gitlab:group:${group.id}`),
      `gitlab:project:${project.id}`,
      ...(tier ? project.groups.map((group) => `gitlab:group_env_tier:${group.id}:${tier}`) : []),
      ...(environment ? [`gitlab:project_env:${project.id}:${environment.slug}`] : []),
      ...(tier ? [`gitlab:project_env_tier:${project.id}:${tier}`] : []),
    ],
    extra: [
      extra("id", entry.id),
      extra("config_project_id", entry.config_project.id),
      extra("project_id", project.id),
      extra("ci_pipeline_id", pipeline.id),
      extra("ci_job_id", job.id),
      extra("username", user.username),
      ...(environment ? [extra("environment_slug", environment.slug)] : []),
      ...(tier ? [extra("environment_tier", tier)] : []),
    ],
  });
}
