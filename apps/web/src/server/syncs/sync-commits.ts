import { Fault, type Clock } from "@binnacle/rpc";

import type { CommitRecord } from "../main-application/records.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { FreshAnswers } from "../base/fresh-answers.ts";

/** Who may read a project no more is shown its commits no longer than this. */
const FRESH_MS = 60_000;
/** The main application answers an HTTP request within 15 s, or not at all. */
const LIMIT_MS = 15_000;
const MAX_COMMITS = 2_000;

/** Commits of manifest projects, as each viewer may read them: what one has read is never shown to another. */
export class SyncCommits {
  /** By credential, project and commit. */
  readonly #commits: FreshAnswers<CommitRecord | undefined>;

  constructor(clock: Clock) {
    this.#commits = new FreshAnswers(clock, MAX_COMMITS);
  }

  /** What was read not long ago. */
  last(access: Pick<ViewerAccess, "key">, of: { readonly project: string; readonly sha: string }): CommitRecord | undefined {
    return this.#commits.last(keyOf(access, of))?.answer;
  }

  /** The commit; `undefined` for a viewer who may not read it, or while there is no answer. Never rejects. */
  async read(access: ViewerAccess, of: { readonly project: string; readonly sha: string }): Promise<CommitRecord | undefined> {
    if (of.sha === "") return undefined;
    return this.#commits.read(keyOf(access, of), async () => {
      try {
        return { answer: await access.commit(of, AbortSignal.timeout(LIMIT_MS)), freshMs: FRESH_MS };
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
