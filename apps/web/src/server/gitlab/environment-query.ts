import { words } from "@binnacle/words";
import { z } from "zod";

import { queryWithDeployments, type ResponseWithDeployments } from "./query-deployments.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { DeploymentRecord, EnvironmentRecord, MainViewer, ProjectRecord } from "../main-application/records.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

const FIELDS = `id name slug tier state autoStopAt externalUrl kubernetesNamespace
  clusterAgent { id name project { name fullPath } connections { nodes { connectedAt } } tokens { nodes { lastUsedAt } } }`;

const environmentQuery = (deployment: string): string => `query Environment($project: ID!, $environment: String!) {
  currentUser { id username name }
  project(fullPath: $project) { id name fullPath environment(name: $environment) { ${FIELDS} ${deployment} } }
}`;

const environmentsQuery = (deployment: string): string => `query Environments($project: ID!, $after: String, $states: [String!]) {
  currentUser { id username name }
  project(fullPath: $project) {
    id fullPath environments(first: 100, after: $after, states: $states) { nodes { ${FIELDS} ${deployment} } pageInfo { hasNextPage endCursor } }
  }
}`;

/** Environments that were stopped are over, and there may be thousands of them. Older versions know none that is being stopped. */
const STATES: readonly (readonly string[])[] = [["available", "stopping"], ["available"]];

const PROJECTS = `query Projects($after: String) {
  currentUser { id username name }
  projects(membership: true, first: 100, after: $after) { nodes { name fullPath } pageInfo { hasNextPage endCursor } }
}`;

const CURRENT_USER = `query CurrentUser { currentUser { id username name } }`;

const viewerSchema = z.object({ username: z.string(), name: z.string() }).nullish();
const environmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullish(),
  tier: z.string().nullish(),
  state: z.string().nullish(),
  autoStopAt: z.string().nullish(),
  externalUrl: z.string().nullish(),
  kubernetesNamespace: z.string().nullish(),
  clusterAgent: z
    .object({
      id: z.string(),
      name: z.string(),
      project: z.object({ fullPath: z.string().nullish(), name: z.string() }).nullish(),
      connections: z.object({ nodes: z.array(z.object({ connectedAt: z.string().nullish() }).nullable()).nullish() }).nullish(),
      tokens: z.object({ nodes: z.array(z.object({ lastUsedAt: z.string().nullish() }).nullable()).nullish() }).nullish(),
    })
    .nullish(),
  /** Read by itself: an odd deployment must not spoil its environment. */
  lastDeployment: z.unknown().optional(),
});
const pageInfoSchema = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const environmentAnswer = z.object({
  currentUser: viewerSchema,
  project: z.object({ fullPath: z.string(), environment: environmentSchema.nullish() }).nullish(),
});
const environmentsAnswer = z.object({
  currentUser: viewerSchema,
  project: z
    .object({
      fullPath: z.string(),
      environments: z.object({ nodes: z.array(environmentSchema.nullable()), pageInfo: pageInfoSchema }).nullish(),
    })
    .nullish(),
});
const projectsAnswer = z.object({
  currentUser: viewerSchema,
  projects: z
    .object({ nodes: z.array(z.object({ name: z.string(), fullPath: z.string() }).nullable()), pageInfo: pageInfoSchema })
    .nullish(),
});

/** Pages of a connection beyond which we stop asking; 100 entries each. */
const MAX_PAGES = 20;

/**
 * One environment.
 *
 * @throws Fault `session_ended`, `not_found` (or not visible), `main_application_unavailable`
 */
export async function queryEnvironment(
  access: GraphqlAccess,
  names: { projectPath: string; environment: string },
  signal: AbortSignal,
): Promise<{ viewer: MainViewer; environment: EnvironmentRecord }> {
  const variables = { project: names.projectPath, environment: names.environment };
  const request = { query: environmentQuery, variables, projectPath: names.projectPath, signal };
  const { data, deployment } = await queryWithDeployments(access, request);
  const answer = parse(environmentAnswer, data);
  const viewer = viewerOf(access, answer.currentUser);
  const found = answer.project?.environment;
  if (!answer.project || !found)
    throw new MessageFault("not_found", words("problem/no-environment", { environment: names.environment, project: names.projectPath }));
  return {
    viewer,
    environment: environmentOf(answer.project.fullPath, found, deployment(found.lastDeployment, ["project", "environment"])),
  };
}

/** All environments of a project but those that were stopped. @throws as queryEnvironment */
export async function queryEnvironments(
  access: GraphqlAccess,
  projectPath: string,
  signal: AbortSignal,
): Promise<{ viewer: MainViewer; environments: EnvironmentRecord[] }> {
  for (const states of STATES) {
    const answer = await queryInStates(access, { projectPath, states }, signal);
    if (answer !== undefined) return answer;
  }
  throw new MessageFault("main_application_unavailable", words("main-application/shape"));
}

/** @returns `undefined` when the main application tells no environments of such states */
async function queryInStates(
  access: GraphqlAccess,
  { projectPath, states }: { readonly projectPath: string; readonly states: readonly string[] },
  signal: AbortSignal,
): Promise<{ viewer: MainViewer; environments: EnvironmentRecord[] } | undefined> {
  const environments: EnvironmentRecord[] = [];
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const request = { query: environmentsQuery, variables: { project: projectPath, after, states }, projectPath, signal };
    const { data, deployment }: ResponseWithDeployments = await queryWithDeployments(access, request);
    const answer: z.infer<typeof environmentsAnswer> = parse(environmentsAnswer, data);
    const viewer = viewerOf(access, answer.currentUser);
    if (!answer.project) throw new MessageFault("not_found", words("problem/no-project", { project: projectPath }));
    const { fullPath, environments: connection } = answer.project;
    if (!connection) return undefined;
    const recordOf = (node: z.infer<typeof environmentSchema>, index: number): EnvironmentRecord =>
      environmentOf(fullPath, node, deployment(node.lastDeployment, ["project", "environments", "nodes", index]));
    environments.push(...connection.nodes.flatMap((node, index) => (node ? [recordOf(node, index)] : [])));
    after = connection.pageInfo.endCursor ?? null;
    if (!connection.pageInfo.hasNextPage || after === null || page >= MAX_PAGES) return { viewer, environments };
  }
}

/** Projects of which the viewer is a member. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryProjects(
  access: GraphqlAccess,
  signal: AbortSignal,
): Promise<{ viewer: MainViewer; projects: ProjectRecord[] }> {
  const projects: ProjectRecord[] = [];
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const answer: z.infer<typeof projectsAnswer> = parse(
      projectsAnswer,
      await access.graphql(PROJECTS, { after }, { projectPath: "", signal }),
    );
    const viewer = viewerOf(access, answer.currentUser);
    projects.push(...(answer.projects?.nodes ?? []).flatMap((node) => (node ? [node] : [])));
    after = answer.projects?.pageInfo.endCursor ?? null;
    if (answer.projects?.pageInfo.hasNextPage !== true || after === null || page >= MAX_PAGES) {
      return { viewer, projects: projects.toSorted((a, b) => (a.fullPath < b.fullPath ? -1 : 1)) };
    }
  }
}

/** Who the credential belongs to. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryViewer(access: GraphqlAccess, signal: AbortSignal): Promise<MainViewer> {
  const answer = parse(z.object({ currentUser: viewerSchema }), await access.graphql(CURRENT_USER, {}, { projectPath: "", signal }));
  return viewerOf(access, answer.currentUser);
}

function viewerOf(access: GraphqlAccess, viewer: z.infer<typeof viewerSchema>): MainViewer {
  // GraphQL answers an unknown credential as an anonymous user.
  if (!viewer) throw sessionEnded();
  access.identify(viewer.username);
  return viewer;
}

function environmentOf(projectPath: string, found: z.infer<typeof environmentSchema>, deployment: DeploymentRecord): EnvironmentRecord {
  const { clusterAgent } = found;
  const connections = (clusterAgent?.connections?.nodes ?? []).flatMap((node) => node?.connectedAt ?? []);
  const used = (clusterAgent?.tokens?.nodes ?? []).flatMap((node) => node?.lastUsedAt ?? []);
  return {
    projectPath,
    number: gidNumber(found.id),
    name: found.name,
    slug: found.slug ?? "",
    tier: (found.tier ?? "").toLowerCase(),
    state: found.state ?? "",
    ...autoStopOf(found.autoStopAt),
    externalUrl: found.externalUrl ?? "",
    namespace: found.kubernetesNamespace ?? "",
    deployment,
    agent: clusterAgent
      ? {
          id: BigInt(gidNumber(clusterAgent.id)),
          name: clusterAgent.name,
          projectPath: clusterAgent.project?.fullPath ?? clusterAgent.project?.name ?? "",
          connectedAt: connections.toSorted().at(-1),
          lastSeenAt: [...connections, ...used].toSorted().at(-1),
        }
      : undefined,
  };
}

/** A time that cannot be read is not known. */
function autoStopOf(at: string | null | undefined): Pick<EnvironmentRecord, "autoStopAtMs"> {
  const autoStopAtMs = Date.parse(at ?? "");
  return Number.isNaN(autoStopAtMs) ? {} : { autoStopAtMs };
}

/** `gid://gitlab/Clusters::Agent/1` → `1`. */
function gidNumber(gid: string): string {
  const number = /^gid:\/\/[^/]+\/[^/]+\/(\d+)$/.exec(gid)?.[1];
  if (number === undefined) throw new MessageFault("main_application_unavailable", words("main-application/no-id"));
  return number;
}

function parse<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new MessageFault("main_application_unavailable", words("main-application/shape"), { cause: parsed.error });
}
