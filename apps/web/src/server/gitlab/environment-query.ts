import { words } from "@binnacle/words";
import { z } from "zod";

import { QueryRefused, type FieldPath } from "./gitlab-client.ts";
import type { HasField } from "./instance-fields.ts";
import { environmentFields, queryEnvironmentFields, type EnvironmentsResponse } from "./query-environments.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { EnvironmentRecord, MainViewer, ProjectRecord } from "../main-application/records.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

const environmentQuery = (has: HasField): string => `query Environment($project: ID!, $environment: String!) {
  currentUser { username name }
  project(fullPath: $project) { fullPath environment(name: $environment) { ${environmentFields(has)} } }
}`;

const environmentsQuery = (has: HasField): string => `query Environments($project: ID!, $first: Int, $after: String, $states: [String!]) {
  currentUser { username name }
  project(fullPath: $project) {
    fullPath environments(first: $first, after: $after, states: $states) { nodes { ${environmentFields(has)} } pageInfo { hasNextPage endCursor } }
  }
}`;

/** Environments that were stopped are over, and there may be thousands of them. Older versions know none that is being stopped. */
const STATES: readonly (readonly string[])[] = [["available", "stopping"], ["available"]];

const PROJECTS = `query Projects($after: String) {
  currentUser { username name }
  projects(membership: true, first: 100, after: $after) { nodes { name fullPath } pageInfo { hasNextPage endCursor } }
}`;

const CURRENT_USER = `query CurrentUser { currentUser { username name } }`;

/** `currentUser`. */
export const viewerSchema = z.object({ username: z.string(), name: z.string() }).nullish();
const environmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullish(),
  tier: z.string().nullish(),
  state: z.string().nullish(),
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

/** GitLab's own maximum, and what is less complex (docs.gitlab.com, GraphQL API, "Limits"). */
const [PAGE, SMALL_PAGE] = [100, 20];
/** Entries of a connection beyond which no more are requested. */
const MAX_ENTRIES = 2_000;

/** All queries of this file, with every field: a test compares them with the versions of GitLab. */
export const QUERIES: readonly string[] = [environmentQuery(() => true), environmentsQuery(() => true), PROJECTS, CURRENT_USER];

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
  const response = await queryEnvironmentFields(access, request);
  const answer = parseAnswer(environmentAnswer, response.data);
  const viewer = viewerOf(access, answer.currentUser);
  const found = answer.project?.environment;
  if (!answer.project || !found)
    throw new MessageFault("not_found", words("problem/no-environment", { environment: names.environment, project: names.projectPath }));
  return {
    viewer,
    environment: environmentOf(response, { projectPath: answer.project.fullPath, found, path: ["project", "environment"] }),
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
  for (let entries = 0; ;) {
    const response: EnvironmentsResponse = await queryPage(access, { projectPath, variables: { after, states } }, signal);
    const answer: z.infer<typeof environmentsAnswer> = parseAnswer(environmentsAnswer, response.data);
    const viewer = viewerOf(access, answer.currentUser);
    if (!answer.project) throw new MessageFault("not_found", words("problem/no-project", { project: projectPath }));
    const { fullPath, environments: connection } = answer.project;
    if (!connection) return undefined;
    const recordOf = (found: FoundEnvironment, index: number): EnvironmentRecord =>
      environmentOf(response, { projectPath: fullPath, found, path: ["project", "environments", "nodes", index] });
    environments.push(...connection.nodes.flatMap((node, index) => (node ? [recordOf(node, index)] : [])));
    entries += connection.nodes.length;
    after = connection.pageInfo.endCursor ?? null;
    const isLast = !connection.pageInfo.hasNextPage || after === null || connection.nodes.length === 0;
    if (isLast || entries >= MAX_ENTRIES) return { viewer, environments };
  }
}

/** One page, a smaller one where a whole one is too complex for the instance. */
async function queryPage(
  access: GraphqlAccess,
  { projectPath, variables }: { readonly projectPath: string; readonly variables: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<EnvironmentsResponse> {
  const { largePages } = access.instance;
  const page = (first: number): Promise<EnvironmentsResponse> =>
    queryEnvironmentFields(access, {
      query: environmentsQuery,
      variables: { project: projectPath, first, ...variables },
      projectPath,
      signal,
    });
  if (largePages.isRemembered) return page(SMALL_PAGE);
  try {
    return await page(PAGE);
  } catch (error) {
    if (!(error instanceof QueryRefused) || !error.isTooComplex) throw error;
    largePages.remember();
    return page(SMALL_PAGE);
  }
}

/** Projects of which the viewer is a member. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryProjects(
  access: GraphqlAccess,
  signal: AbortSignal,
): Promise<{ viewer: MainViewer; projects: ProjectRecord[] }> {
  const projects: ProjectRecord[] = [];
  let after: string | null = null;
  for (let entries = 0; ;) {
    const answer: z.infer<typeof projectsAnswer> = parseAnswer(
      projectsAnswer,
      await access.graphql(PROJECTS, { after }, { projectPath: "", signal }),
    );
    const viewer = viewerOf(access, answer.currentUser);
    const nodes = answer.projects?.nodes ?? [];
    projects.push(...nodes.flatMap((node) => (node ? [node] : [])));
    entries += nodes.length;
    after = answer.projects?.pageInfo.endCursor ?? null;
    const isLast = answer.projects?.pageInfo.hasNextPage !== true || after === null || nodes.length === 0;
    if (isLast || entries >= MAX_ENTRIES) {
      return { viewer, projects: projects.toSorted((a, b) => (a.fullPath < b.fullPath ? -1 : 1)) };
    }
  }
}

/** Who the credential belongs to. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryViewer(access: GraphqlAccess, signal: AbortSignal): Promise<MainViewer> {
  const answer = parseAnswer(z.object({ currentUser: viewerSchema }), await access.graphql(CURRENT_USER, {}, { projectPath: "", signal }));
  return viewerOf(access, answer.currentUser);
}

/** Whose credential it is. @throws Fault `session_ended` */
export function viewerOf(access: GraphqlAccess, viewer: z.infer<typeof viewerSchema>): MainViewer {
  // GraphQL answers an unknown credential as an anonymous user.
  if (!viewer) throw sessionEnded();
  access.identify(viewer.username);
  return viewer;
}

type FoundEnvironment = z.infer<typeof environmentSchema>;

function environmentOf(
  { isWithAgents, deployment }: EnvironmentsResponse,
  { projectPath, found, path }: { readonly projectPath: string; readonly found: FoundEnvironment; readonly path: FieldPath },
): EnvironmentRecord {
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
    externalUrl: found.externalUrl ?? "",
    namespace: found.kubernetesNamespace ?? "",
    deployment: deployment(found.lastDeployment, path),
    ...(isWithAgents ? {} : { agentsNotReported: true }),
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

/** `gid://gitlab/Clusters::Agent/1` → `1`. */
export function gidNumber(gid: string): string {
  const number = /^gid:\/\/[^/]+\/[^/]+\/(\d+)$/.exec(gid)?.[1];
  if (number === undefined) throw new MessageFault("main_application_unavailable", words("main-application/no-id"));
  return number;
}

/** An answer of GraphQL in its shape. @throws Fault `main_application_unavailable` */
export function parseAnswer<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new MessageFault("main_application_unavailable", words("main-application/shape"), { cause: parsed.error });
}
