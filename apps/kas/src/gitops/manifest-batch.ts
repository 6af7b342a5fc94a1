import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { GetBlobsResponse } from "@binnacle/proto/gitaly-blob";
import { ObjectType } from "@binnacle/proto/gitaly";
import { ObjectsToSynchronizeResponseSchema, type ObjectsToSynchronizeResponse } from "@binnacle/proto/gitops";
import { Fault } from "@binnacle/rpc";

import type { CommitReader } from "./commit-reader.ts";
import { listManifests, type ListingLimits, type ManifestFile } from "./manifest-listing.ts";
import type { ManifestGlob } from "./manifest-glob.ts";

/** Bytes of one message to the agent; the original keeps the same limit. */
const CHUNK_BYTES = 128 * 1024;
/** Files of one question to Gitaly. */
const FILES_A_CALL = 200;

/** What may be sent. */
export interface BatchLimits extends ListingLimits {
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
}

/** Which files of which commit. */
export interface BatchInput {
  readonly reader: CommitReader;
  readonly commit: string;
  readonly projectId: bigint;
  readonly globs: readonly ManifestGlob[];
  readonly limits: BatchLimits;
  /** A file that may not be sent goes to the agent as a refused one; otherwise it refuses the commit. */
  readonly takesRefused: boolean;
}

/**
 * Header, the files piece by piece, trailer. The trailer is sent only when every byte of every file was: an agent takes a batch without it
 * for nothing.
 *
 * @returns files and bytes that were sent
 * @throws Fault `manifests_refused`, `gitaly_unavailable`, `cancelled`; before the header everything that is wrong with the list of files
 */
export async function* manifestBatch(
  input: BatchInput,
): AsyncGenerator<ObjectsToSynchronizeResponse, { readonly files: number; readonly bytes: number }> {
  const { reader, commit, projectId, globs } = input;
  const files = await listManifests(reader, globs, input);
  const allowance = new Allowance(input);
  const pieces = allPieces(reader, files, allowance);
  // The first piece is read before anything is sent: a Gitaly that is busy or unavailable can then be retried.
  let piece = await pieces.next();
  try {
    yield message({ case: "header", value: { commitId: commit, projectId } });
    for (; piece.done !== true; piece = await pieces.next()) {
      const { source, data, refused } = piece.value;
      if (refused !== undefined) {
        yield message({ case: "object", value: { source, refused } });
        continue;
      }
      // An empty file is a file too.
      for (let from = 0; from === 0 || from < data.length; from += CHUNK_BYTES)
        yield message({ case: "object", value: { source, data: data.subarray(from, from + CHUNK_BYTES) } });
    }
  } finally {
    await pieces.return();
  }
  yield message({ case: "trailer", value: {} });
  return { files: files.length, bytes: allowance.bytes };
}

function message(value: NonNullable<MessageInitShape<typeof ObjectsToSynchronizeResponseSchema>["message"]>): ObjectsToSynchronizeResponse {
  return create(ObjectsToSynchronizeResponseSchema, { message: value });
}

/** Counts what is sent. */
class Allowance {
  bytes = 0;
  readonly #input: Pick<BatchInput, "limits" | "takesRefused">;

  constructor(input: Pick<BatchInput, "limits" | "takesRefused">) {
    this.#input = input;
  }

  /** @returns why the file is refused; undefined when it may be sent. @throws Fault `manifests_refused` */
  spend(path: string, fileBytes: number): string | undefined {
    const { maxFileBytes, maxTotalBytes } = this.#input.limits;
    if (fileBytes > maxFileBytes) {
      const reason = `has ${fileBytes} bytes, more than ${maxFileBytes} (max_manifest_file_size)`;
      if (this.#input.takesRefused) return reason;
      throw new Fault("manifests_refused", `${path} ${reason}`);
    }
    this.bytes += fileBytes;
    if (this.bytes > maxTotalBytes)
      throw new Fault("manifests_refused", `with ${path} there are more than ${maxTotalBytes} bytes (max_total_manifest_file_size)`);
    return undefined;
  }

  /** What Gitaly is to send of one file; all of it unless a file may be left out: then no more than may be sent. */
  get fileBytes(): number | undefined {
    return this.#input.takesRefused ? this.#input.limits.maxFileBytes : undefined;
  }
}

interface Piece {
  readonly source: string;
  readonly data: Uint8Array;
  /** Why the file is not sent. */
  readonly refused?: string;
}

type Pieces = AsyncGenerator<Piece, void>;

async function* allPieces(reader: CommitReader, files: readonly ManifestFile[], allowance: Allowance): Pieces {
  for (const { path, refused } of files) if (refused !== undefined) yield { source: path, data: NOTHING, refused };
  const readable = files.filter(({ refused }) => refused === undefined);
  for (let at = 0; at < readable.length; at += FILES_A_CALL) yield* piecesOf(reader, readable.slice(at, at + FILES_A_CALL), allowance);
}

const NOTHING = new Uint8Array();

/** The files, in order and complete. */
async function* piecesOf(reader: CommitReader, files: readonly ManifestFile[], allowance: Allowance): Pieces {
  let next = 0;
  let file: ManifestFile | undefined;
  let missing = 0;
  let refused: string | undefined;
  const paths = files.map(({ pathBytes }) => pathBytes);
  for await (const piece of reader.blobs(paths, allowance.fileBytes)) {
    if (piece.path.length > 0 || piece.oid !== "") {
      if (missing > 0) throw broken(file, "is shorter than announced");
      file = files[next];
      next += 1;
      const size = sizeOf(piece, file);
      refused = allowance.spend(file?.path ?? "", size);
      missing = refused === undefined ? size : 0;
      if (file !== undefined && refused !== undefined) yield { source: file.path, data: NOTHING, refused };
    }
    if (file !== undefined && refused !== undefined) continue;
    missing -= piece.data.length;
    if (file === undefined || missing < 0) throw broken(file, "is longer than announced");
    yield { source: file.path, data: piece.data };
  }
  if (missing > 0) throw broken(file, "is shorter than announced");
  if (next < files.length) throw broken(files[next], "was not sent");
}

/** @throws Fault when it is not the file that was listed */
function sizeOf(piece: GetBlobsResponse, file: ManifestFile | undefined): number {
  if (file === undefined || !Buffer.from(piece.path).equals(file.pathBytes)) throw broken(file, "is not what was sent");
  if (piece.type !== ObjectType.BLOB || piece.oid !== file.oid) throw broken(file, "is not what was listed");
  return Number(piece.size);
}

function broken(file: ManifestFile | undefined, what: string): Fault {
  return new Fault("gitaly_unavailable", `Gitaly: ${file?.path ?? "a file that was not requested"} ${what}`);
}
