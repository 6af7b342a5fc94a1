import { create } from "@bufbuild/protobuf";
import { unlimitedAccount } from "@binnacle/grpc-wire";
import { CommitService } from "@binnacle/proto/gitaly-commit";
import { Fault } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import { gitalyRepository, type GitalyClient } from "../gitaly/gitaly-client.ts";
import type { ProjectInfo } from "../main-application/project-info-lookup.ts";

/** Who wrote a commit, and its first line. */
export interface CommitWords {
  readonly author: string;
  readonly subject: string;
}

const MAX_KEPT = 4_096;
const MAX_CHARACTERS = 255;
const NOTHING: CommitWords = { author: "", subject: "" };

/** Author and first line of commits, fetched once per commit. */
export class CommitWordsLookup {
  readonly #gitaly: Pick<GitalyClient, "read">;
  readonly #kept = new LRUCache<string, CommitWords>(atMost(MAX_KEPT));

  constructor(gitaly: Pick<GitalyClient, "read">) {
    this.#gitaly = gitaly;
  }

  /** Empty when Gitaly does not know the commit, or is unavailable; the next call fetches it again. */
  async of(
    { projectId, gitaly, repository }: ProjectInfo,
    commit: string,
    asking: { readonly agentId: bigint; readonly signal: AbortSignal },
  ): Promise<CommitWords> {
    // What the agent says may be anything; a revision of Git's could be, too.
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return NOTHING;
    const key = `${projectId} ${commit}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const method = CommitService.method.findCommit;
    const request = create(method.input, { repository: gitalyRepository(repository), revision: Buffer.from(commit) });
    const read = { method, request, flow: String(asking.agentId), signal: asking.signal, account: unlimitedAccount };
    try {
      for await (const { commit: found } of this.#gitaly.read(gitaly, read)) {
        if (found?.id !== commit) return NOTHING;
        const words = { author: textOf(found.author?.name), subject: textOf(found.subject) };
        this.#kept.set(key, words);
        return words;
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    return NOTHING;
  }
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? [])
    .toString()
    .slice(0, MAX_CHARACTERS);
}
