import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import type { ManyEnvironmentsRequest, ProjectEnvironments } from "../main-application/many-projects.ts";
import type { EnvironmentRecord, FileAnswer, ProjectRecord } from "../main-application/records.ts";
import { environmentOf, environmentSchema, pageInfoSchema, parseAnswer, STATES, viewerOf, viewerSchema } from "./environment-query.ts";
import type { GraphqlAccess } from "./graphql-access.ts";
import type { HasField } from "./instance-fields.ts";
import { blobAnswerOf, blobSchema } from "./query-blob.ts";
import { environmentFields, queryEnvironmentFields } from "./query-environments.ts";

/**
 * Environments of a hundred at most come in one response: of twenty projects five each, and what goes beyond of one project after the other.
 * As a connection inside a connection they cost about a third of the complexity that an instance allows for one query
 * (docs.gitlab.com, "GraphQL API: Limits"); a field for each project would cost several times that limit.
 */
const MAX_PROJECTS = 20;
const FIRST = 5;
const MAX_FIRST = 100;
/** Requests that run at once for one reading. */
const MAX_AT_ONCE = 4;
/** Environments of one project beyond which it is not read on. */
const MAX_ENVIRONMENTS = 2_000;

const query = (
  has: HasField,
): string => `query ManyEnvironments($ids: [ID!], $first: Int, $after: String, $states: [String!], $paths: [String!]!) {
  currentUser { username name }
  projects(ids: $ids, first: ${MAX_PROJECTS}) {
    nodes {
      id fullPath repository { blobs(paths: $paths) { nodes { path size rawTextBlob } } }
      environments(first: $first, after: $after, states: $states) { nodes { ${environmentFields(has)} } pageInfo { hasNextPage endCursor } }
    }
  }
}`;

/** All queries of this file (`environment-query.ts`). */
export const QUERIES: readonly string[] = [query(() => true)];

const blobsSchema = z.object({ blobs: z.object({ nodes: z.array(blobSchema.nullable()).nullish() }).nullish() }).nullish();
const projectSchema = z.object({
  id: z.string(),
  fullPath: z.string(),
  repository: blobsSchema,
  environments: z.object({ nodes: z.array(environmentSchema.nullable()), pageInfo: pageInfoSchema }).nullish(),
});
const answerSchema = z.object({
  currentUser: viewerSchema,
  projects: z.object({ nodes: z.array(projectSchema.nullable()) }).nullish(),
});

/** Projects of one request; `after` only where it is one alone. */
interface Batch {
  readonly projects: readonly ProjectRecord[];
  readonly after: string | null;
  readonly before: readonly EnvironmentRecord[];
}

/** Environments of many projects, as `ViewerAccess.environmentsOf`. @throws Fault `session_ended` */
export async function queryManyEnvironments(
  access: GraphqlAccess,
  request: ManyEnvironmentsRequest,
  { found, signal }: { readonly found: (projects: readonly ProjectEnvironments[]) => void; readonly signal: AbortSignal },
): Promise<void> {
  const { projects } = request;
  const waiting: Batch[] = [];
  for (let from = 0; from < projects.length; from += MAX_PROJECTS)
    waiting.push({ projects: projects.slice(from, from + MAX_PROJECTS), after: null, before: [] });
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const readInTurn = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined && !until.aborted; batch = waiting.shift()) {
      const { read, more } = await readBatch(access, { ...request, ...batch }, until);
      waiting.unshift(...more);
      if (read.length > 0 && !until.aborted) found(read);
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, readInTurn));
  } finally {
    ended.abort();
  }
}

interface ReadBatch {
  readonly read: readonly ProjectEnvironments[];
  /** What is still to be read of them. */
  readonly more: readonly Batch[];
}

/** @throws Fault `session_ended` */
async function readBatch(access: GraphqlAccess, batch: ManyEnvironmentsRequest & Batch, signal: AbortSignal): Promise<ReadBatch> {
  const all = (kind: "failed"): ReadBatch => ({
    read: batch.projects.map(({ fullPath }) => ({ projectPath: fullPath, result: { kind } })),
    more: [],
  });
  try {
    for (const states of STATES) {
      const read = await readInStates(access, { ...batch, states }, signal);
      if (read !== undefined) return read;
    }
    return all("failed");
  } catch (error) {
    if (error instanceof Fault && error.reason === "session_ended") throw error;
    if (error instanceof Fault) return all("failed");
    throw error;
  }
}

/** @returns `undefined` when the main application does not know such states */
async function readInStates(
  access: GraphqlAccess,
  batch: ManyEnvironmentsRequest & Batch & { readonly states: readonly string[] },
  signal: AbortSignal,
): Promise<ReadBatch | undefined> {
  const { projects, after, before, states, filePath, maxFileBytes } = batch;
  const first = after === null ? FIRST : MAX_FIRST;
  const variables = { ids: projects.map(({ id }) => id), first, after, states, paths: [filePath] };
  const fields =
    (has: HasField): HasField =>
    (field) =>
      (batch.deployments || field !== "Environment.lastDeployment") && has(field);
  const request = { query: (has: HasField) => query(fields(has)), variables, projectPath: "", signal };
  const { data, isWithAgents, deployment: deployed } = await queryEnvironmentFields(access, request);
  const response = { isWithAgents, deployment: batch.deployments ? deployed : () => undefined };
  const answer = parseAnswer(answerSchema, data);
  viewerOf(access, answer.currentUser);
  const nodes = (answer.projects?.nodes ?? []).flatMap((node, index) => (node === null ? [] : [{ node, index }]));
  if (nodes.length > 0 && nodes.every(({ node }) => !node.environments)) return undefined;
  const read: ProjectEnvironments[] = [];
  const more: Batch[] = [];
  for (const project of projects) {
    const found = nodes.find(({ node }) => node.id === project.id);
    const projectPath = project.fullPath;
    if (found?.node.environments === undefined || found.node.environments === null) {
      read.push({ projectPath, result: { kind: found === undefined ? "not_found" : "failed" } });
      continue;
    }
    const { node, index } = found;
    const { nodes: environments, pageInfo } = found.node.environments;
    const path = ["projects", "nodes", index, "environments", "nodes"];
    const records = environments.flatMap((each, at) =>
      each === null ? [] : [environmentOf(response, { projectPath: node.fullPath, found: each, path: [...path, at] })],
    );
    const known = [...before, ...records];
    if (pageInfo.hasNextPage && pageInfo.endCursor && known.length < MAX_ENVIRONMENTS) {
      more.push({ projects: [project], after: pageInfo.endCursor, before: known });
      continue;
    }
    const file: FileAnswer = blobAnswerOf(node.repository?.blobs?.nodes, { path: filePath, mostBytes: maxFileBytes });
    read.push({ projectPath, result: { kind: "read", environments: known, file } });
  }
  return { read, more };
}
