import { randomBytes } from "node:crypto";

import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import { lineOf, linkInto } from "../main-application/foreign-text.ts";
import type { EditableFile, EnvironmentChange, FileCommit, NewEnvironment, WriteResult } from "../main-application/settings-access.ts";
import { parseAnswer } from "./environment-query.ts";
import { QueryRefused } from "./gitlab-client.ts";
import type { GraphqlAccess } from "./graphql-access.ts";
import { blobAnswerOf, blobSchema } from "./query-blob.ts";

/** What GitLab says when the file of a commit is another one by now (`Commits::CreateService`, `Files::MultiService`). */
const CHANGED = /changed since you started editing|already exists/i;
/** What it says when the branch is protected (`Commits::CreateService`). */
const PROTECTED = /not allowed to push/i;

const UPDATE = `mutation EnvironmentUpdate($input: EnvironmentUpdateInput!) { result: environmentUpdate(input: $input) { errors } }`;
const CREATE = `mutation EnvironmentCreate($input: EnvironmentCreateInput!) { result: environmentCreate(input: $input) { errors } }`;
const STOP = `mutation EnvironmentStop($input: EnvironmentStopInput!) { result: environmentStop(input: $input) { errors } }`;
const DELETE = `mutation EnvironmentDelete($input: EnvironmentDeleteInput!) { result: environmentDelete(input: $input) { errors } }`;
const COMMIT = `mutation CommitFile($input: CommitCreateInput!) { result: commitCreate(input: $input) { commit { webUrl } errors } }`;
const FILE = `query EditableFile($project: ID!, $path: String!) {
  project(fullPath: $project) {
    repository { rootRef blobs(paths: [$path]) { nodes { path size rawTextBlob } } tree(path: $path) { lastCommit { sha } } }
  }
}`;

const resultSchema = z.object({
  result: z.object({ errors: z.array(z.string()).nullish(), commit: z.object({ webUrl: z.string().nullish() }).nullish() }).nullish(),
});
const fileSchema = z.object({
  project: z
    .object({
      repository: z
        .object({
          rootRef: z.string().nullish(),
          blobs: z.object({ nodes: z.array(blobSchema.nullable()).nullish() }).nullish(),
          tree: z.object({ lastCommit: z.object({ sha: z.string() }).nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** A mutation of one project. */
interface Mutation {
  readonly projectPath: string;
  readonly query: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Changes what an environment has; a field that is absent is not sent. */
export function updateEnvironment(
  access: GraphqlAccess,
  of: { readonly projectPath: string; readonly number: string; readonly signal: AbortSignal },
  change: EnvironmentChange,
): Promise<WriteResult> {
  return write(access, { ...of, query: UPDATE, input: { id: environmentGid(of.number), ...inputOf(change) } });
}

/** Creates an environment. */
export function createEnvironment(
  access: GraphqlAccess,
  of: { readonly projectPath: string; readonly signal: AbortSignal },
  { name, externalUrl, tier, ...change }: NewEnvironment,
): Promise<WriteResult> {
  const own = { projectPath: of.projectPath, name, ...(externalUrl && { externalUrl }), ...(tier && { tier: tier.toUpperCase() }) };
  return write(access, { ...of, query: CREATE, input: { ...own, ...inputOf(change) } });
}

/** Stops an environment. */
export function stopEnvironment(
  access: GraphqlAccess,
  of: { readonly projectPath: string; readonly number: string; readonly signal: AbortSignal },
): Promise<WriteResult> {
  return write(access, { ...of, query: STOP, input: { id: environmentGid(of.number) } });
}

/** Deletes an environment that was stopped. */
export function deleteEnvironment(
  access: GraphqlAccess,
  of: { readonly projectPath: string; readonly number: string; readonly signal: AbortSignal },
): Promise<WriteResult> {
  return write(access, { ...of, query: DELETE, input: { id: environmentGid(of.number) } });
}

/** A file of the default branch with what a commit of it needs. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryEditableFile(
  access: GraphqlAccess,
  { project, path, mostBytes }: { readonly project: string; readonly path: string; readonly mostBytes: number },
  signal: AbortSignal,
): Promise<EditableFile> {
  const options = { projectPath: project, signal, mostBytes: 6 * mostBytes + 64 * 1024 };
  try {
    const { repository } = parseAnswer(fileSchema, await access.graphql(FILE, { project, path }, options)).project ?? {};
    const answer = blobAnswerOf(repository?.blobs?.nodes, { path, mostBytes });
    return { answer, lastCommitId: repository?.tree?.lastCommit?.sha ?? "", branch: repository?.rootRef ?? "" };
  } catch (error) {
    if (!(error instanceof Fault) || error.reason !== "message_too_large") throw error;
    return { answer: { kind: "too-large" }, lastCommitId: "", branch: "" };
  }
}

/** Commits a file to its branch; where the viewer may not push there, to a branch that begins at it. */
export async function commitFile(access: GraphqlAccess, commit: FileCommit, signal: AbortSignal): Promise<WriteResult> {
  const { project, path, text, message, branch, isNew, lastCommitId } = commit;
  const action = { action: isNew ? "CREATE" : "UPDATE", filePath: path, content: text, ...(lastCommitId && !isNew && { lastCommitId }) };
  const input = { projectPath: project, message, actions: [action] };
  const first = await write(access, { projectPath: project, query: COMMIT, input: { ...input, branch }, signal });
  if (first.kind !== "rejected") return first;
  if (CHANGED.test(first.why)) return { kind: "conflict" };
  if (!PROTECTED.test(first.why)) return first;
  const own = `binnacle-settings-${randomBytes(4).toString("hex")}`;
  const second = await write(access, {
    projectPath: project,
    query: COMMIT,
    input: { ...input, branch: own, startBranch: branch },
    signal,
  });
  if (second.kind === "rejected" && CHANGED.test(second.why)) return { kind: "conflict" };
  if (second.kind !== "done") return second;
  const from = new URLSearchParams({ "merge_request[source_branch]": own, "merge_request[target_branch]": branch });
  const page = `${project.split("/").map(encodeURIComponent).join("/")}/-/merge_requests/new?${from.toString()}`;
  return { kind: "proposed", branch: own, url: linkInto(access.mainApplicationUrl, new URL(page, access.mainApplicationUrl).href) };
}

/** Sends a mutation once. What has no answer may have been done. */
async function write(access: GraphqlAccess, { projectPath, query, input, signal }: Mutation): Promise<WriteResult> {
  const problems: string[] = [];
  let data: unknown;
  try {
    const failed = (_path: unknown, message: string): void => void problems.push(message);
    data = await access.graphql(query, { input }, { projectPath, signal, failed });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.reason === "session_ended") throw error;
    // It did not take the mutation.
    if (error instanceof QueryRefused) return { kind: "rejected", why: "" };
    return { kind: "unknown" };
  }
  const answer = resultSchema.safeParse(data);
  if (!answer.success) return { kind: "unknown" };
  const { result } = answer.data;
  const errors = result?.errors ?? [];
  if (result && errors.length === 0) return { kind: "done", url: linkInto(access.mainApplicationUrl, result.commit?.webUrl) };
  return { kind: "rejected", why: lineOf([...errors, ...problems].join("; ")) };
}

function inputOf(change: EnvironmentChange): Record<string, unknown> {
  const { agentId, namespace, fluxResourcePath } = change;
  return {
    ...("agentId" in change && { clusterAgentId: agentId === undefined ? null : `gid://gitlab/Clusters::Agent/${agentId}` }),
    ...(namespace !== undefined && { kubernetesNamespace: namespace === "" ? null : namespace }),
    ...(fluxResourcePath !== undefined && { fluxResourcePath: fluxResourcePath === "" ? null : fluxResourcePath }),
  };
}

function environmentGid(number: string): string {
  return `gid://gitlab/Environment/${number}`;
}
