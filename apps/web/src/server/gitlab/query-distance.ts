import { Fault } from "@binnacle/rpc";

import type { CommitDistance } from "../main-application/many-projects.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

/** Commits of one response; of more than that the number is the least. */
const MAX_COMMITS = 100;
const MAX_BYTES = 1024 * 1024;
const COMMIT = /^[0-9a-f]{7,64}$/;

/**
 * How far two commits are apart: the commits of both ranges (docs.gitlab.com, "Commits API", `ref_name` as a revision range), because GraphQL
 * compares no commits and the compare of REST comes with all differences of files.
 *
 * @throws Fault `main_application_unavailable`
 */
export async function queryDistance(
  access: Pick<GraphqlAccess, "rest">,
  { project, base, head }: { readonly project: string; readonly base: string; readonly head: string },
  signal: AbortSignal,
): Promise<CommitDistance> {
  if (!COMMIT.test(base) || !COMMIT.test(head)) return { kind: "not-readable" };
  const [ahead, behind] = await Promise.all([
    countRange(access, { project, range: `${base}..${head}` }, signal),
    countRange(access, { project, range: `${head}..${base}` }, signal),
  ]);
  if (typeof ahead === "string") return { kind: ahead };
  if (typeof behind === "string") return { kind: behind };
  return { kind: "compared", ahead: ahead.commits, behind: behind.commits, atLeast: ahead.hasMore || behind.hasMore };
}

async function countRange(
  access: Pick<GraphqlAccess, "rest">,
  { project, range }: { readonly project: string; readonly range: string },
  signal: AbortSignal,
): Promise<{ readonly commits: number; readonly hasMore: boolean } | "not-readable" | "not-supported"> {
  const query = new URLSearchParams({ ref_name: range, per_page: String(MAX_COMMITS) });
  const path = `/projects/${encodeURIComponent(project)}/repository/commits?${query.toString()}`;
  try {
    const { status, content, hasNext } = await access.rest(path, { signal, mostBytes: MAX_BYTES });
    if (status === 200 && Array.isArray(content)) return { commits: Math.min(content.length, MAX_COMMITS), hasMore: hasNext };
    // An instance or a proxy that has no REST for this credential answers 401 or 405.
    return status === 401 || status === 405 ? "not-supported" : "not-readable";
  } catch (error) {
    if (error instanceof Fault && error.reason === "message_too_large") return "not-readable";
    throw error;
  }
}
