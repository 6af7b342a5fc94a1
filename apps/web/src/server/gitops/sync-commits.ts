import { Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import { lineOf, linkInto } from "../deployment/deployment-record.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";

/** Who may read a project no more is shown its commits no longer than this. */
const FRESH_MS = 60_000;
/** The main application answers an HTTP request within 15 s, or not at all. */
const LIMIT_MS = 15_000;
const MOST_COMMITS = 2_000;

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

interface Known {
  readonly commit: SyncCommit | undefined;
  readonly atMs: number;
}

/** Commits of manifest projects, as each viewer may read them: what one has read is never shown to another. */
export class SyncCommits {
  readonly #clock: Clock;
  /** By credential, project and commit. */
  readonly #known = new LRUCache<string, Known>({ max: MOST_COMMITS });
  readonly #underWay = new Map<string, Promise<SyncCommit | undefined>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What was read not long ago. */
  last(access: Pick<ViewerAccess, "key">, of: { readonly project: string; readonly sha: string }): SyncCommit | undefined {
    return this.#fresh(keyOf(access, of))?.commit;
  }

  /** The commit; `undefined` for who may not read it, or while nobody answers. Never rejects. */
  async read(access: ViewerAccess, of: { readonly project: string; readonly sha: string }): Promise<SyncCommit | undefined> {
    if (of.sha === "") return undefined;
    const key = keyOf(access, of);
    const known = this.#fresh(key);
    if (known !== undefined) return known.commit;
    const asking = this.#underWay.get(key) ?? this.#ask(key, access, of);
    return asking;
  }

  #ask(key: string, access: ViewerAccess, of: { readonly project: string; readonly sha: string }): Promise<SyncCommit | undefined> {
    // Shared by all who wait for it: nobody's leaving may abort it.
    const asking = queryCommit(access, of, AbortSignal.timeout(LIMIT_MS))
      .catch((error: unknown) => {
        if (error instanceof Fault) return undefined;
        throw error;
      })
      .then((read) => {
        this.#known.set(key, { commit: read, atMs: this.#clock.now() });
        return read;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }

  #fresh(key: string): Known | undefined {
    const known = this.#known.get(key);
    const ageMs = known === undefined ? 0 : this.#clock.now() - known.atMs;
    return ageMs < 0 || ageMs >= FRESH_MS ? undefined : known;
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
