import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import type { ViewerAccess } from "../session/viewer-access.ts";
import { MOST_TEAM_FILE_BYTES, TEAM_FILE_PATH } from "./team-file-schema.ts";

/** A byte of the file is six at most as JSON, and a little stands around it. */
const MOST_ANSWER_BYTES = 6 * MOST_TEAM_FILE_BYTES + 64 * 1024;

/** What the file is asked with. */
export type TeamFileAccess = Pick<ViewerAccess, "key" | "graphql">;

/** What the main application gave of the file. */
export type TeamFileAnswer =
  | { readonly kind: "text"; readonly text: string }
  /** There is no such file. */
  | { readonly kind: "absent" }
  /** The viewer may not read the repository. */
  | { readonly kind: "forbidden" }
  | { readonly kind: "too-large" }
  /** It cannot be given as text. */
  | { readonly kind: "binary" };

const QUERY = `query TeamFile($project: ID!, $paths: [String!]!) {
  project(fullPath: $project) { repository { blobs(paths: $paths) { nodes { path size rawTextBlob } } } }
}`;

const blobSchema = z.object({ path: z.string(), size: z.union([z.string(), z.number()]).nullish(), rawTextBlob: z.string().nullish() });
const answerSchema = z.object({
  project: z
    .object({ repository: z.object({ blobs: z.object({ nodes: z.array(blobSchema.nullable()).nullish() }).nullish() }).nullish() })
    .nullish(),
});

/**
 * Reads the file of a project, on its default branch, as the viewer.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`
 */
export async function queryTeamFile(access: TeamFileAccess, projectPath: string, signal: AbortSignal): Promise<TeamFileAnswer> {
  const variables = { project: projectPath, paths: [TEAM_FILE_PATH] };
  let data: unknown;
  try {
    data = await access.graphql(QUERY, variables, { projectPath, signal, mostBytes: MOST_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof Fault && error.reason === "message_too_large") return { kind: "too-large" };
    throw error;
  }
  const parsed = answerSchema.safeParse(data);
  if (!parsed.success)
    throw new Fault("main_application_unavailable", "the main application answers GraphQL in an unknown shape", { cause: parsed.error });
  const nodes = parsed.data.project?.repository?.blobs?.nodes;
  if (!nodes) return { kind: "forbidden" };
  if (nodes.length === 0) return { kind: "absent" };
  // Another file is not this one, whatever was answered.
  const blob = nodes.find((node) => node?.path === TEAM_FILE_PATH);
  if (!blob) return { kind: "forbidden" };
  if (Number(blob.size ?? 0) > MOST_TEAM_FILE_BYTES) return { kind: "too-large" };
  return typeof blob.rawTextBlob === "string" ? { kind: "text", text: blob.rawTextBlob } : { kind: "binary" };
}
