import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import type { FileAnswer, FileQuestion } from "../main-application/records.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

const NODES = "{ nodes { path size rawTextBlob } }";
const QUERY = `query Blob($project: ID!, $paths: [String!]!) {
  project(fullPath: $project) { repository { blobs(paths: $paths) ${NODES} } }
}`;
const QUERY_AT = `query BlobAt($project: ID!, $paths: [String!]!, $ref: String) {
  project(fullPath: $project) { repository { blobs(paths: $paths, ref: $ref) ${NODES} } }
}`;

/** All queries of this file (`environment-query.ts`). */
export const QUERIES: readonly string[] = [QUERY, QUERY_AT];

/** A file in GraphQL. */
export const blobSchema = z.object({
  path: z.string(),
  size: z.union([z.string(), z.number()]).nullish(),
  rawTextBlob: z.string().nullish(),
});
const answerSchema = z.object({
  project: z
    .object({ repository: z.object({ blobs: z.object({ nodes: z.array(blobSchema.nullable()).nullish() }).nullish() }).nullish() })
    .nullish(),
});

/**
 * Reads a file of a project as the viewer.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`
 */
export async function queryBlob(access: Pick<GraphqlAccess, "graphql">, question: FileQuestion, signal: AbortSignal): Promise<FileAnswer> {
  const { project, path, ref, mostBytes } = question;
  // A byte of the file is six at most as JSON, and a little stands around it.
  const asking = { projectPath: project, signal, mostBytes: 6 * mostBytes + 64 * 1024 };
  let data: unknown;
  try {
    const variables = { project, paths: [path] };
    data = await (ref === undefined ? access.graphql(QUERY, variables, asking) : access.graphql(QUERY_AT, { ...variables, ref }, asking));
  } catch (error) {
    if (error instanceof Fault && error.reason === "message_too_large") return { kind: "too-large" };
    throw error;
  }
  const parsed = answerSchema.safeParse(data);
  if (!parsed.success)
    throw new Fault("main_application_unavailable", "the main application answers GraphQL in an unknown shape", { cause: parsed.error });
  return blobAnswerOf(parsed.data.project?.repository?.blobs?.nodes, question);
}

/** The file of a path among those that were answered; no list: the viewer may not read the repository. */
export function blobAnswerOf(
  nodes: readonly (z.infer<typeof blobSchema> | null)[] | null | undefined,
  { path, mostBytes }: Pick<FileQuestion, "path" | "mostBytes">,
): FileAnswer {
  if (!nodes) return { kind: "forbidden" };
  if (nodes.length === 0) return { kind: "absent" };
  // Another file is not this one, whatever was answered.
  const blob = nodes.find((node) => node?.path === path);
  if (!blob) return { kind: "forbidden" };
  const { size, rawTextBlob: text } = blob;
  // The stated size alone is not trusted: the content is measured too.
  if (Math.max(Number(size ?? 0), Buffer.byteLength(text ?? "")) > mostBytes) return { kind: "too-large" };
  return typeof text === "string" ? { kind: "text", text } : { kind: "binary" };
}
