import { words } from "@binnacle/words";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { AgentName, AgentsAccess, AgentsOfProject, AgentTokenRecord, ProjectAgent } from "../main-application/agents.ts";
import { lineOf } from "../main-application/foreign-text.ts";
import type { MainViewer } from "../main-application/records.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

/** @see docs.gitlab.com, GraphQL reference, `ClusterAgent`, `ClusterAgentToken`, `ProjectPermissions` */
const AGENT = `id name createdAt connections { nodes { connectedAt } }
  tokens(status: ACTIVE) { nodes { id name createdAt lastUsedAt createdByUser { username } } }`;

const LIST = `query Agents($project: ID!, $after: String) {
  currentUser { username name }
  project(fullPath: $project) {
    fullPath userPermissions { adminProject }
    clusterAgents(first: 100, after: $after) { nodes { ${AGENT} } pageInfo { hasNextPage endCursor } }
  }
}`;

const ONE = `query Agent($project: ID!, $name: String!) {
  currentUser { username name }
  project(fullPath: $project) { fullPath userPermissions { adminProject } clusterAgent(name: $name) { ${AGENT} } }
}`;

/** All queries of this file (`environment-query.ts`). */
export const QUERIES: readonly string[] = [LIST, ONE];

const text = z.string().nullish();
const agentSchema = z.object({
  id: z.string().regex(/^gid:\/\/[^/]+\/[^/]+\/\d{1,18}$/),
  name: z.string(),
  createdAt: text,
  connections: z.object({ nodes: z.array(z.object({ connectedAt: text }).nullable()).nullish() }).nullish(),
  tokens: z
    .object({
      nodes: z
        .array(
          z
            .object({
              id: z.string().max(200),
              name: text,
              createdAt: text,
              lastUsedAt: text,
              createdByUser: z.object({ username: text }).nullish(),
            })
            .nullable(),
        )
        .nullish(),
    })
    .nullish(),
});
const projectSchema = z.object({ fullPath: z.string(), userPermissions: z.object({ adminProject: z.boolean().nullish() }).nullish() });
const viewerSchema = z.object({ username: z.string(), name: z.string() }).nullish();
const listSchema = z.object({
  currentUser: viewerSchema,
  project: projectSchema
    .extend({
      clusterAgents: z
        .object({
          nodes: z.array(agentSchema.nullable()).nullish(),
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: text }),
        })
        .nullish(),
    })
    .nullish(),
});
const oneSchema = z.object({ currentUser: viewerSchema, project: projectSchema.extend({ clusterAgent: agentSchema.nullish() }).nullish() });

/** Pages of 100 agents that are read. */
const MAX_PAGES = 5;
const MAX_TOKENS = 100;

/** @see AgentsAccess.agents */
export async function queryAgents(access: GraphqlAccess, projectPath: string, signal: AbortSignal): Promise<AgentsOfProject> {
  const agents: ProjectAgent[] = [];
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const data = await access.graphql(LIST, { project: projectPath, after }, { projectPath, signal });
    const answer: z.infer<typeof listSchema> = parse(listSchema, data);
    const viewer = viewerOf(access, answer.currentUser);
    const project = answer.project ?? missingProject(projectPath);
    agents.push(...(project.clusterAgents?.nodes ?? []).flatMap((node) => (node ? [agentOf(node)] : [])));
    const pageInfo = project.clusterAgents?.pageInfo;
    after = pageInfo?.endCursor ?? null;
    const hasMore = pageInfo?.hasNextPage === true && after !== null;
    if (hasMore && page < MAX_PAGES) continue;
    const mayAdminister = project.userPermissions?.adminProject === true;
    const byName = agents.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { viewer, projectPath: project.fullPath, agents: byName, isTruncated: hasMore, mayAdminister };
  }
}

/** @see AgentsAccess.agent */
export async function queryAgent(access: GraphqlAccess, of: AgentName, signal: AbortSignal): ReturnType<AgentsAccess["agent"]> {
  const { projectPath, name } = of;
  const answer = parse(oneSchema, await access.graphql(ONE, { project: projectPath, name }, { projectPath, signal }));
  const viewer = viewerOf(access, answer.currentUser);
  const project = answer.project ?? missingProject(projectPath);
  if (!project.clusterAgent) throw new MessageFault("not_found", words("agents/no-agent", { agent: name, project: projectPath }));
  const mayAdminister = project.userPermissions?.adminProject === true;
  return { viewer, projectPath: project.fullPath, agent: agentOf(project.clusterAgent), mayAdminister };
}

function viewerOf(access: GraphqlAccess, viewer: z.infer<typeof viewerSchema>): MainViewer {
  // GraphQL answers an unknown credential as an anonymous user.
  if (!viewer) throw sessionEnded();
  access.identify(viewer.username);
  return viewer;
}

function missingProject(project: string): never {
  throw new MessageFault("not_found", words("problem/no-project", { project }));
}

function agentOf({ id, name, createdAt, connections, tokens }: z.infer<typeof agentSchema>): ProjectAgent {
  const connectedAtMs = (connections?.nodes ?? []).flatMap((node) => timeOf(node?.connectedAt) ?? []).toSorted((a, b) => a - b);
  const shown = tokens?.nodes?.flatMap((node): AgentTokenRecord[] => {
    if (!node) return [];
    const times = { createdAtMs: timeOf(node.createdAt), lastUsedAtMs: timeOf(node.lastUsedAt) };
    return [{ id: node.id, name: lineOf(node.name), createdBy: lineOf(node.createdByUser?.username), ...times }];
  });
  const seen = [...connectedAtMs, ...(shown ?? []).flatMap(({ lastUsedAtMs }) => lastUsedAtMs ?? [])];
  return {
    id: BigInt(/\d{1,18}$/.exec(id)?.[0] ?? "0"),
    name: lineOf(name),
    createdAtMs: timeOf(createdAt),
    connectedAtMs,
    lastSeenAtMs: seen.length === 0 ? undefined : Math.max(...seen),
    tokens: shown?.toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0)).slice(0, MAX_TOKENS),
  };
}

function timeOf(at: string | null | undefined): number | undefined {
  const ms = Date.parse(at ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

function parse<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new MessageFault("main_application_unavailable", words("main-application/shape"), { cause: parsed.error });
}
