import { unlimitedAccount } from "@binnacle/grpc-wire";
import { CommitService, ListCommitsRequest_Order } from "@binnacle/proto/gitaly-commit";
import type { GitopsSync } from "@binnacle/proto/kas-gitops";
import { Fault, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import { gitalyRepository, type GitalyClient } from "../gitaly/gitaly-client.ts";
import type { ProjectInfo } from "../main-application/project-info-lookup.ts";

/** Commits that wait to be applied, as fields of a sync; empty: not known. */
export type WaitingCommits = Partial<Pick<GitopsSync, "waitingCommits" | "moreWaiting" | "waitingAuthors" | "newestCommitId">>;

const MAX_COMMITS = 100;
const MAX_AUTHORS = 20;
const MAX_AUTHOR_CHARACTERS = 255;
const MAX_CACHED = 4_096;
const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const UNKNOWN: WaitingCommits = {};

/** What a count needs. */
interface WaitingCommitsOptions {
  readonly gitaly: Pick<GitalyClient, "read">;
  readonly clock: Clock;
  /** How often a repository is read, in milliseconds: a count is reused for so long. */
  readonly pollMs: number;
}

interface CachedCount {
  readonly waiting: WaitingCommits;
  readonly atMs: number;
}

/** Counts the commits between the applied one and the newest one of a branch, by `ListCommits` of Gitaly. */
export class WaitingCommitsLookup {
  readonly #options: WaitingCommitsOptions;
  /** By project, branch, applied and reported commit: with a new commit the agent reports another one, and the count is made again. */
  readonly #cache = new LRUCache<string, CachedCount>(atMost(MAX_CACHED));

  constructor(options: WaitingCommitsOptions) {
    this.#options = options;
  }

  /** Empty when no applied commit is known, or Gitaly cannot answer now. */
  async of(
    project: ProjectInfo,
    { appliedCommitId, commitId }: Pick<GitopsSync, "appliedCommitId" | "commitId">,
    by: { readonly agentId: bigint; readonly signal: AbortSignal },
  ): Promise<WaitingCommits> {
    // An agent may send anything as an id; a revision could be an option of Git.
    if (!COMMIT_ID.test(appliedCommitId)) return UNKNOWN;
    const key = `${project.projectId} ${project.defaultBranch} ${appliedCommitId} ${commitId}`;
    const { clock, pollMs } = this.#options;
    const cached = this.#cache.get(key);
    if (cached !== undefined && clock.now() - cached.atMs < pollMs) return cached.waiting;
    const waiting = await this.#count(project, appliedCommitId, by);
    if (waiting !== UNKNOWN) this.#cache.set(key, { waiting, atMs: clock.now() });
    return waiting;
  }

  async #count(
    { gitaly, repository, defaultBranch }: ProjectInfo,
    applied: string,
    { agentId, signal }: { readonly agentId: bigint; readonly signal: AbortSignal },
  ): Promise<WaitingCommits> {
    const method = CommitService.method.listCommits;
    const request = create(method.input, {
      repository: gitalyRepository(repository),
      revisions: [defaultBranch === "" ? "HEAD" : `refs/heads/${defaultBranch}`, `^${applied}`],
      paginationParams: { limit: MAX_COMMITS + 1 },
      order: ListCommitsRequest_Order.TOPO,
    });
    let count = 0;
    let newest = "";
    const authors = new Set<string>();
    try {
      const read = { method, request, flow: String(agentId), signal, account: unlimitedAccount };
      for await (const { commits } of this.#options.gitaly.read(gitaly, read)) {
        for (const { id, author } of commits) {
          if (newest === "") newest = id;
          count += 1;
          const name = Buffer.from(author?.name ?? [])
            .toString()
            .slice(0, MAX_AUTHOR_CHARACTERS);
          if (name !== "" && authors.size < MAX_AUTHORS && count <= MAX_COMMITS) authors.add(name);
        }
        if (count > MAX_COMMITS) break;
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return UNKNOWN;
    }
    return {
      waitingCommits: Math.min(count, MAX_COMMITS),
      moreWaiting: count > MAX_COMMITS,
      waitingAuthors: [...authors],
      newestCommitId: COMMIT_ID.test(newest) ? newest : "",
    };
  }
}
