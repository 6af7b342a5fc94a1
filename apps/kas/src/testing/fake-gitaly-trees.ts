import { ObjectType } from "@binnacle/proto/gitaly";
import type { GetBlobsRequest, GetBlobsResponseSchema } from "@binnacle/proto/gitaly-blob";
import { TreeEntry_EntryType, type GetTreeEntriesResponseSchema } from "@binnacle/proto/gitaly-commit";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** Runs git in a repository. */
export type Printed = (...argv: readonly string[]) => Buffer;

const ENTRY_TYPE = { blob: TreeEntry_EntryType.BLOB, tree: TreeEntry_EntryType.TREE, commit: TreeEntry_EntryType.COMMIT } as const;
const ENTRIES_PER_MESSAGE = 100;
const PIECE_BYTES = 128 * 1024;

/** What GetTreeEntries answers; nothing for a directory that is missing. */
export function* treeEntries(
  printed: Printed,
  at: { readonly revision: string; readonly path: string; readonly recursive: boolean },
): Generator<MessageInitShape<typeof GetTreeEntriesResponseSchema>> {
  const below = at.path === "." ? [] : ["--", `${at.path}/`];
  const lines = printed("ls-tree", "-z", ...(at.recursive ? ["-r", "-t"] : []), at.revision, ...below)
    .toString("latin1")
    .split("\0");
  const entries = lines.flatMap((line) => {
    const [, mode = "", type = "", oid = "", name = ""] = /^(\d+) (\w+) (\w+)\t(.+)$/s.exec(line) ?? [];
    if (type !== "blob" && type !== "tree" && type !== "commit") return [];
    return [{ mode: Number.parseInt(mode, 8), type: ENTRY_TYPE[type], oid, path: Buffer.from(name, "latin1") }];
  });
  for (let from = 0; from < entries.length; from += ENTRIES_PER_MESSAGE) yield { entries: entries.slice(from, from + ENTRIES_PER_MESSAGE) };
}

/** What GetBlobs answers: all but the data stand in the first piece of each file only. */
export function* blobs(
  printed: Printed,
  { revisionPaths, limit }: GetBlobsRequest,
): Generator<MessageInitShape<typeof GetBlobsResponseSchema>> {
  const files = new Map<string, BlobsByPath>();
  for (const { revision, path } of revisionPaths) {
    const listed = files.get(revision) ?? blobsByPath(printed, revision);
    files.set(revision, listed);
    const found = listed.get(Buffer.from(path).toString("latin1"));
    if (found === undefined) {
      yield { revision, path };
      continue;
    }
    const { mode, oid } = found;
    const content = printed("cat-file", "blob", oid);
    const head = { revision, path, oid, mode, type: ObjectType.BLOB, size: BigInt(content.length) };
    const sent = limit < 0n ? content : content.subarray(0, Number(limit));
    yield { ...head, data: sent.subarray(0, PIECE_BYTES) };
    for (let from = PIECE_BYTES; from < sent.length; from += PIECE_BYTES) yield { data: sent.subarray(from, from + PIECE_BYTES) };
  }
}

/** Files of a revision; the key has a character for each byte of the path. */
type BlobsByPath = ReadonlyMap<string, { readonly mode: number; readonly oid: string }>;

/** All at once: starting git for each file of a thousand takes seconds. */
function blobsByPath(printed: Printed, revision: string): BlobsByPath {
  const lines = printed("ls-tree", "-r", "-z", revision).toString("latin1").split("\0");
  const found = lines.flatMap((line) => {
    const [, mode = "", oid = "", path = ""] = /^(\d+) blob (\w+)\t(.+)$/s.exec(line) ?? [];
    return oid === "" ? [] : [[path, { mode: Number.parseInt(mode, 8), oid }] as const];
  });
  return new Map(found);
}
