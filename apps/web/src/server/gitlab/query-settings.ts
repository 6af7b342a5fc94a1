import { words } from "@binnacle/words";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import type { EnvironmentSettingsRecord, SettingsRecord, SharedAgent } from "../main-application/settings-access.ts";
import { gidNumber, parseAnswer, viewerOf, viewerSchema } from "./environment-query.ts";
import type { GraphqlAccess } from "./graphql-access.ts";
import { GITLAB_VERSIONS, type InstanceCapabilities, type InstanceFields } from "./settings-capabilities.ts";

/** Pages of agents beyond which we stop asking; 100 entries each. */
const MAX_PAGES = 10;
const AGENT = "id name project { name fullPath }";

const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z.object({ name: z.string().nullish(), fullPath: z.string().nullish() }).nullish(),
});
const agentsSchema = z
  .object({
    nodes: z.array(z.object({ agent: agentSchema.nullish() }).nullable()).nullish(),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }).nullish(),
  })
  .nullish();
const flag = z.boolean().nullish();
const answerSchema = z.object({
  currentUser: viewerSchema,
  project: z
    .object({
      fullPath: z.string(),
      userPermissions: z.object({ pushCode: flag, createDeployment: flag }).nullish(),
      userAccessAuthorizedAgents: agentsSchema,
      ciAccessAuthorizedAgents: agentsSchema,
      environment: z
        .object({
          id: z.string(),
          name: z.string(),
          state: z.string().nullish(),
          kubernetesNamespace: z.string().nullish(),
          fluxResourcePath: z.string().nullish(),
          autoStopAt: z.string().nullish(),
          clusterAgent: agentSchema.nullish(),
          userPermissions: z.object({ updateEnvironment: flag, stopEnvironment: flag, destroyEnvironment: flag }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
type Answer = z.infer<typeof answerSchema>;

/** Settings of an environment, or of a new one. @throws Fault `session_ended`, `not_found`, `main_application_unavailable` */
export async function querySettings(
  access: GraphqlAccess,
  capabilities: InstanceCapabilities,
  request: { readonly projectPath: string; readonly environment: string | undefined; readonly signal: AbortSignal },
): Promise<SettingsRecord> {
  const { projectPath, environment, signal } = request;
  const fields = await capabilities.of(access);
  const query = queryOf(fields, environment !== undefined);
  const agents = new Map<string, SharedAgent>();
  let after: { users: string | null; jobs: string | null } = { users: null, jobs: null };
  for (let page = 1; ; page += 1) {
    const variables = { project: projectPath, ...(environment === undefined ? {} : { environment }), ...after };
    const answer: Answer = parseAnswer(answerSchema, await access.graphql(query, variables, { projectPath, signal }));
    const viewer = viewerOf(access, answer.currentUser);
    const { project } = answer;
    if (!project) throw new MessageFault("not_found", words("problem/no-project", { project: projectPath }));
    if (environment !== undefined && !project.environment)
      throw new MessageFault("not_found", words("problem/no-environment", { environment, project: projectPath }));
    const { userAccessAuthorizedAgents: users, ciAccessAuthorizedAgents: jobs } = project;
    for (const [list, forUsers] of [[users, true] as const, [jobs, false] as const]) {
      for (const { id, agent } of agentsIn(list, forUsers)) if (forUsers || !agents.has(id)) agents.set(id, agent);
    }
    const next = { users: cursorOf(users), jobs: cursorOf(jobs) };
    if ((next.users !== null || next.jobs !== null) && page < MAX_PAGES) {
      // A list that has ended has nothing after its own end.
      after = {
        users: next.users ?? users?.pageInfo?.endCursor ?? after.users,
        jobs: next.jobs ?? jobs?.pageInfo?.endCursor ?? after.jobs,
      };
      continue;
    }
    const { userPermissions: may } = project;
    return {
      viewer,
      projectPath: project.fullPath,
      environment: project.environment ? environmentOf(project.environment, fields) : undefined,
      agents: [...agents.values()].toSorted(byUseAndName),
      // GitLab has no field for the right to create environments; it gives that right and this one together.
      may: { create: may?.createDeployment !== false, push: may?.pushCode === true },
      capabilities: fields,
      versions: GITLAB_VERSIONS,
    };
  }
}

function queryOf(fields: InstanceFields, isNamed: boolean): string {
  const { readable } = fields;
  const connection = (name: string, cursor: string): string =>
    `${name}(first: 100, after: $${cursor}) { nodes { agent { ${AGENT} } } pageInfo { hasNextPage endCursor } }`;
  const environment = [
    "id name state",
    ...(readable.namespace ? ["kubernetesNamespace"] : []),
    ...(readable.flux ? ["fluxResourcePath"] : []),
    ...(fields.autoStopAt ? ["autoStopAt"] : []),
    ...(readable.agent ? [`clusterAgent { ${AGENT} }`] : []),
    ...(fields.environmentPermissions ? ["userPermissions { updateEnvironment stopEnvironment destroyEnvironment }"] : []),
  ].join(" ");
  const variables = [
    "$project: ID!",
    ...(isNamed ? ["$environment: String!"] : []),
    ...(fields.sharedAgents ? ["$users: String"] : []),
    ...(fields.ciAgents ? ["$jobs: String"] : []),
  ];
  return `query EnvironmentSettings(${variables.join(", ")}) {
    currentUser { id username name }
    project(fullPath: $project) {
      fullPath userPermissions { pushCode createDeployment }
      ${fields.sharedAgents ? connection("userAccessAuthorizedAgents", "users") : ""}
      ${fields.ciAgents ? connection("ciAccessAuthorizedAgents", "jobs") : ""}
      ${isNamed ? `environment(name: $environment) { ${environment} }` : ""}
    }
  }`;
}

function agentsIn(list: z.infer<typeof agentsSchema>, forUsers: boolean): { readonly id: string; readonly agent: SharedAgent }[] {
  return (list?.nodes ?? []).flatMap((node) => (node?.agent ? [{ id: node.agent.id, agent: agentOf(node.agent, forUsers) }] : []));
}

function agentOf({ id, name, project }: z.infer<typeof agentSchema>, forUsers: boolean): SharedAgent {
  return { id: BigInt(gidNumber(id)), name, projectPath: project?.fullPath ?? project?.name ?? "", forUsers };
}

function cursorOf(list: z.infer<typeof agentsSchema>): string | null {
  return list?.pageInfo?.hasNextPage === true ? (list.pageInfo.endCursor ?? null) : null;
}

function byUseAndName(a: SharedAgent, b: SharedAgent): number {
  if (a.forUsers !== b.forUsers) return a.forUsers ? -1 : 1;
  return a.projectPath === b.projectPath ? (a.name < b.name ? -1 : 1) : a.projectPath < b.projectPath ? -1 : 1;
}

type FoundEnvironment = NonNullable<NonNullable<Answer["project"]>["environment"]>;

function environmentOf(found: FoundEnvironment, { environmentPermissions }: InstanceFields): EnvironmentSettingsRecord {
  const { userPermissions: may } = found;
  // An instance that does not say leaves it to the mutation.
  const isAllowed = (right: boolean | null | undefined): boolean => (environmentPermissions ? right === true : true);
  return {
    number: gidNumber(found.id),
    name: found.name,
    state: found.state ?? "",
    namespace: found.kubernetesNamespace ?? "",
    fluxResourcePath: found.fluxResourcePath ?? "",
    agent: found.clusterAgent ? agentOf(found.clusterAgent, true) : undefined,
    autoStopAt: found.autoStopAt ?? "",
    may: {
      update: isAllowed(may?.updateEnvironment),
      stop: isAllowed(may?.stopEnvironment),
      remove: isAllowed(may?.destroyEnvironment),
    },
  };
}
