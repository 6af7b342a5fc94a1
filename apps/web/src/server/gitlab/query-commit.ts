import { z } from "zod";

import { lineOf, linkInto } from "../main-application/foreign-text.ts";
import type { CommitRecord } from "../main-application/records.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

const QUERY = `query SyncCommit($project: ID!, $ref: String!) {
  project(fullPath: $project) { repository { tree(ref: $ref) { lastCommit { sha title authorName webUrl } } } }
}`;

const text = z.string().nullish();
const commit = z.object({ sha: z.string().regex(/^[0-9a-f]{7,64}$/), title: text, authorName: text, webUrl: text });
const answerSchema = z.object({
  project: z.object({ repository: z.object({ tree: z.object({ lastCommit: commit.nullish() }).nullish() }).nullish() }).nullish(),
});

/** All queries of this file (`environment-query.ts`). */
export const QUERIES: readonly string[] = [QUERY];

/** A commit of a project; `undefined` for a viewer who may not read it. @throws Fault `session_ended`, `main_application_unavailable` */
export async function queryCommit(
  access: GraphqlAccess,
  { project, sha }: { readonly project: string; readonly sha: string },
  signal: AbortSignal,
): Promise<CommitRecord | undefined> {
  const data = await access.graphql(QUERY, { project, ref: sha }, { projectPath: "", signal, mostBytes: 256 * 1024 });
  const found = answerSchema.safeParse(data).data?.project?.repository?.tree?.lastCommit;
  // A branch may have a name like a commit's.
  if (!found?.sha.startsWith(sha)) return undefined;
  const url = linkInto(access.mainApplicationUrl, found.webUrl);
  return { sha: found.sha, title: lineOf(found.title), author: lineOf(found.authorName), url };
}
