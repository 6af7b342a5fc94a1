import { Fault, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import { lineOf, linkInto } from "../main-application/deployment-record.ts";
import type { ViewerAccess } from "../main-application/viewer-access.ts";
import { FreshAnswers } from "../base/fresh-answers.ts";

/** Who may read a project no more is shown its commits no longer than this. */
const FRESH_MS = 60_000;
/** The main application answers an HTTP request within 15 s, or not at all. */
const LIMIT_MS = 15_000;
const MAX_COMMITS = 2_000;

/** A commit as its reader sees it. */
export interface SyncCommit {
  readonly sha: string;
  readonly title: string;
  readonly author: string;
  readonly url: string;
}

const QUERY = `query SyncCommit($project: ID!, $ref: String!) {
  project(fullPath: $project) { webUrl repository { tree(ref: $ref) { lastCommit { sha title authorName webUrl } } } }
}`;

const text = z.string().nullish();
const commit = z.object({ sha: z.string().regex(/^[0-9a-f]{7,64}$/), title: text, authorName: text, webUrl: text });
const answerSchema = z.object({
  project: z.object({ repository: z.object({ tree: z.object({ lastCommit: commit.nullish() }).nullish() }).nullish() }).nullish(),
});

/** Commits of manifest projects, as each viewer may read them: what one has read is never shown to another. */
export class SyncCommits {
  /** By credential, project and commit. */
  readonly #commits: FreshAnswers<SyncCommit | undefined>;

  constructor(clock: Clock) {
    this.#commits = new FreshAnswers(clock, MAX_COMMITS);
  }

  /** What was read not long ago. */
  last(access: Pick<ViewerAccess, "key">, of: { readonly project: string; readonly sha: string }): SyncCommit | undefined {
    return this.#commits.last(keyOf(access, of))?.answer;
  }

  /** The commit; `undefined` for a viewer who may not read it, or while there is no answer. Never rejects. */
  async read(access: ViewerAccess, of: { readonly project: string; readonly sha: string }): Promise<SyncCommit | undefined> {
    if (of.sha === "") return undefined;
    return this.#commits.read(keyOf(access, of), async () => {
      try {
        return { answer: await queryCommit(access, of, AbortSignal.timeout(LIMIT_MS)), freshMs: FRESH_MS };
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return { answer: undefined, freshMs: FRESH_MS };
      }
    });
  }
}

function keyOf({ key }: Pick<ViewerAccess, "key">, { project, sha }: { readonly project: string; readonly sha: string }): string {
  return `${key}\0${project.toLowerCase()}\0${sha}`;
}

async function queryCommit(
  access: ViewerAccess,
  { project, sha }: { readonly project: string; readonly sha: string },
  signal: AbortSignal,
): Promise<SyncCommit | undefined> {
  const data = await access.graphql(QUERY, { project, ref: sha }, { projectPath: "", signal, mostBytes: 256 * 1024 });
  const found = answerSchema.safeParse(data).data?.project?.repository?.tree?.lastCommit;
  // A branch may have a name like a commit's.
  if (!found?.sha.startsWith(sha)) return undefined;
  const url = linkInto(access.mainApplicationUrl, found.webUrl);
  return { sha: found.sha, title: lineOf(found.title), author: lineOf(found.authorName), url };
}
