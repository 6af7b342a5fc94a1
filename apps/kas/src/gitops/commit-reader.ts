import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { ByteAccount } from "@binnacle/grpc-wire";
import { BlobService, type GetBlobsResponse } from "@binnacle/proto/gitaly-blob";
import { CommitService, type TreeEntry } from "@binnacle/proto/gitaly-commit";
import { Fault } from "@binnacle/rpc";

import { gitalyRepository, type GitalyClient } from "../gitaly/gitaly-client.ts";
import type { GitalyRead } from "../gitaly/pulled-call.ts";
import type { GitalyAccess, RepositoryName } from "../main-application/agent-info.ts";

/** Which commit is read, and on whose behalf. */
export interface CommitReaderOptions {
  readonly gitaly: Pick<GitalyClient, "read">;
  readonly at: { readonly gitaly: GitalyAccess; readonly repository: RepositoryName };
  readonly commit: string;
  /** Agents take turns. */
  readonly agentId: bigint;
  readonly signal: AbortSignal;
  readonly account: ByteAccount;
}

const text = new TextEncoder();

/** Reads directories and files of one commit, no faster than they are taken. Everything throws Fault `gitaly_unavailable`, `cancelled`. */
export class CommitReader {
  readonly #options: CommitReaderOptions;

  constructor(options: CommitReaderOptions) {
    this.#options = options;
  }

  /** Entries of a directory; none when it is not there, or when the commit is not. @see exists */
  async *entries(treePath: string, recursive: boolean): AsyncGenerator<readonly TreeEntry[], void> {
    const method = CommitService.method.getTreeEntries;
    const request = create(method.input, { ...this.#revision(), path: text.encode(treePath), recursive });
    try {
      for await (const { entries } of this.#read({ method, request })) yield entries;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Whether the commit is there: without it every directory looks as if it were missing. */
  async exists(): Promise<boolean> {
    const method = CommitService.method.findCommit;
    const request = create(method.input, this.#revision());
    let exists = false;
    try {
      for await (const { commit } of this.#read({ method, request })) exists = commit?.id === this.#options.commit;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return exists;
  }

  /** The pieces of files, in the order of the paths. @param fileBytes of each file no more is sent; absent: all of it */
  async *blobs(paths: readonly Uint8Array[], fileBytes?: number): AsyncGenerator<GetBlobsResponse, void> {
    const method = BlobService.method.getBlobs;
    const { at, commit: revision } = this.#options;
    const request = create(method.input, {
      repository: gitalyRepository(at.repository),
      revisionPaths: paths.map((path) => ({ revision, path })),
      limit: fileBytes === undefined ? -1n : BigInt(fileBytes),
    });
    try {
      yield* this.#read({ method, request });
    } catch (error) {
      if (isNotFound(error)) throw new Fault("gitaly_unavailable", "Gitaly: the repository is gone", { cause: error });
      throw error;
    }
  }

  #revision() {
    const { at, commit } = this.#options;
    return { repository: gitalyRepository(at.repository), revision: text.encode(commit) };
  }

  #read<I extends DescMessage, O extends DescMessage>(
    call: Pick<GitalyRead<I, O>, "method" | "request">,
  ): AsyncGenerator<MessageShape<O>, void> {
    const { gitaly, at, agentId, signal, account } = this.#options;
    return gitaly.read(at.gitaly, { ...call, flow: String(agentId), signal, account });
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Fault && error.reason === "not_found";
}
