import { ObjectType, type Repository } from "@binnacle/proto/gitaly";
import { BlobService, type GetBlobsRequest } from "@binnacle/proto/gitaly-blob";
import {
  CommitService,
  TreeEntry_EntryType,
  TreeEntryResponse_ObjectType,
  type FindCommitRequest,
  type GetTreeEntriesRequest,
  type ListCommitsRequest,
  type TreeEntryRequest,
} from "@binnacle/proto/gitaly-commit";
import { SmartHTTPService, type InfoRefsRequest } from "@binnacle/proto/gitaly-smarthttp";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";

import { GitRepository, type TreeLine } from "./git-repository.ts";
import { isGitalyToken } from "./gitaly-token.ts";

const CHUNK_BYTES = 32 * 1024;
const ENTRIES_PER_MESSAGE = 500;
/** As Gitaly: no more commits in one message. */
const COMMITS_PER_MESSAGE = 20;
const OBJECT_TYPE = {
  blob: TreeEntryResponse_ObjectType.BLOB,
  tree: TreeEntryResponse_ObjectType.TREE,
  commit: TreeEntryResponse_ObjectType.COMMIT,
} as const;
const ENTRY_TYPE = { blob: TreeEntry_EntryType.BLOB, tree: TreeEntry_EntryType.TREE, commit: TreeEntry_EntryType.COMMIT } as const;

/** Where the repositories are and who may read them. */
export interface GitalyOptions {
  /** Directory of the bare repositories; a repository's relative path is below it. */
  readonly gitRoot: string;
  /** Secret of the v2 tokens. */
  readonly secret: string;
}

/** The RPCs of Gitaly that kas uses, over real repositories. */
export function gitalyServices(options: GitalyOptions): (router: ConnectRouter) => void {
  const open = (repository: Repository | undefined, context: HandlerContext): GitRepository => {
    const authorization = context.requestHeader.get("authorization");
    if (!isGitalyToken(authorization, { secret: options.secret, nowMs: Date.now() })) {
      throw new ConnectError(
        authorization === null ? "authentication required" : "permission denied",
        authorization === null ? Code.Unauthenticated : Code.PermissionDenied,
      );
    }
    const found = GitRepository.find(options.gitRoot, repository?.relativePath ?? "");
    if (!found) throw new ConnectError("repository not found", Code.NotFound);
    return found;
  };
  return (router) => {
    router.service(SmartHTTPService, {
      infoRefsUploadPack: (request, context) => infoRefs(open(request.repository, context), request, context),
    });
    router.service(CommitService, {
      treeEntry: (request, context) => treeEntry(open(request.repository, context), request, context),
      getTreeEntries: (request, context) => treeEntries(open(request.repository, context), request, context),
      findCommit: (request, context) => findCommit(open(request.repository, context), request, context),
      listCommits: (request, context) => listCommits(open(request.repository, context), request, context),
    });
    router.service(BlobService, {
      getBlobs: (request, context) => getBlobs(open(request.repository, context), request, context),
    });
  };
}

async function* infoRefs(
  repository: GitRepository,
  request: InfoRefsRequest,
  { signal }: HandlerContext,
): AsyncGenerator<{ data: Uint8Array }> {
  yield { data: Buffer.from("001e# service=git-upload-pack\n0000") };
  yield* chunksOf(await repository.advertisement(request.gitProtocol, signal));
}

async function* treeEntry(
  repository: GitRepository,
  request: TreeEntryRequest,
  { signal }: HandlerContext,
): AsyncGenerator<Partial<{ type: TreeEntryResponse_ObjectType; oid: string; size: bigint; mode: number; data: Uint8Array }>> {
  const commit = await commitOf(repository, request.revision, signal);
  const path = cleanPath(request.path);
  const entry: TreeLine | undefined =
    path === ""
      ? { mode: 0o40000, type: "tree", oid: await repository.rootTreeOf(commit, signal), path }
      : await repository.entryAt(commit, path, signal);
  if (!entry) throw new ConnectError("not found: tree entry", Code.NotFound);
  const head = { type: OBJECT_TYPE[entry.type], oid: entry.oid, mode: entry.mode };
  if (entry.type !== "blob")
    return yield { ...head, size: entry.type === "tree" ? BigInt(await repository.sizeOf(entry.oid, signal)) : 0n };
  const size = await repository.sizeOf(entry.oid, signal);
  if (request.maxSize > 0n && BigInt(size) > request.maxSize) {
    throw new ConnectError(`object is ${size} bytes, more than the requested maximum of ${request.maxSize}`, Code.FailedPrecondition);
  }
  const content = await repository.blob(entry.oid, signal);
  const wanted = request.limit > 0n && request.limit < BigInt(content.length) ? content.subarray(0, Number(request.limit)) : content;
  const [first = { data: new Uint8Array() }, ...rest] = chunksOf(wanted);
  yield { ...head, size: BigInt(size), ...first };
  return yield* rest;
}

async function* treeEntries(
  repository: GitRepository,
  request: GetTreeEntriesRequest,
  { signal }: HandlerContext,
): AsyncGenerator<{ entries: Record<string, unknown>[] }> {
  const commit = await commitOf(repository, request.revision, signal);
  const rootOid = await repository.rootTreeOf(commit, signal);
  const lines = await repository.entriesBelow(commit, { path: cleanPath(request.path), recursive: request.recursive }, signal);
  for (let at = 0; at < lines.length; at += ENTRIES_PER_MESSAGE) {
    const entries = lines.slice(at, at + ENTRIES_PER_MESSAGE).map((line) => ({
      oid: line.oid,
      rootOid,
      path: Buffer.from(line.path),
      flatPath: Buffer.from(line.path),
      type: ENTRY_TYPE[line.type],
      mode: line.mode,
      commitOid: commit,
    }));
    yield { entries };
  }
}

/** As Gitaly does: all but the data stand in the first message of each file, and a file that is missing has no object id. */
async function* getBlobs(repository: GitRepository, { revisionPaths, limit }: GetBlobsRequest, { signal }: HandlerContext) {
  const entries = await entriesOf(repository, revisionPaths, signal);
  const contents = repository.blobs(
    entries.flatMap((entry) => (entry?.type === "blob" ? [entry.oid] : [])),
    signal,
  );
  for (const [index, { revision, path }] of revisionPaths.entries()) {
    const entry = entries[index];
    if (entry?.type !== "blob") {
      yield { revision, path };
      continue;
    }
    const { value: content } = await contents.next();
    if (content === undefined) throw new ConnectError("a blob is missing", Code.Internal);
    const wanted = limit >= 0n && limit < BigInt(content.length) ? content.subarray(0, Number(limit)) : content;
    const [first = { data: new Uint8Array() }, ...rest] = chunksOf(wanted);
    yield { revision, path, oid: entry.oid, mode: entry.mode, type: ObjectType.BLOB, size: BigInt(content.length), ...first };
    yield* rest;
  }
}

/** What stands at each path; undefined where there is nothing. */
async function entriesOf(
  repository: GitRepository,
  revisionPaths: GetBlobsRequest["revisionPaths"],
  signal: AbortSignal,
): Promise<readonly (TreeLine | undefined)[]> {
  const byRevision = new Map<string, ReadonlyMap<string, TreeLine>>();
  for (const revision of new Set(revisionPaths.map((each) => each.revision))) {
    const commit = await repository.commitOf(revision, signal);
    const paths = revisionPaths.filter((each) => each.revision === revision).map(({ path }) => cleanPath(path));
    byRevision.set(revision, commit === undefined ? new Map() : await repository.entriesAt(commit, paths, signal));
  }
  return revisionPaths.map(({ revision, path }) => byRevision.get(revision)?.get(cleanPath(path)));
}

async function findCommit(repository: GitRepository, { revision }: FindCommitRequest, { signal }: HandlerContext) {
  const id = await repository.commitOf(Buffer.from(revision).toString("utf8"), signal);
  return id === undefined ? {} : { commit: { id, ...(await repository.messageOf(id, signal)) } };
}

/** Newest first. An unknown revision ends the call, as in Gitaly. */
async function* listCommits(repository: GitRepository, { revisions, paginationParams }: ListCommitsRequest, { signal }: HandlerContext) {
  const walk: string[] = [];
  for (const revision of revisions) {
    const isLeftOut = revision.startsWith("^");
    const id = await commitOf(repository, Buffer.from(isLeftOut ? revision.slice(1) : revision), signal);
    walk.push(isLeftOut ? `^${id}` : id);
  }
  const limit = paginationParams && paginationParams.limit > 0 ? paginationParams.limit : undefined;
  const commits = await repository.commitsOf(walk, limit, signal);
  for (let at = 0; at < commits.length; at += COMMITS_PER_MESSAGE) yield { commits: commits.slice(at, at + COMMITS_PER_MESSAGE) };
}

async function commitOf(repository: GitRepository, revision: Uint8Array, signal: AbortSignal): Promise<string> {
  const commit = await repository.commitOf(Buffer.from(revision).toString("utf8"), signal);
  if (commit === undefined) throw new ConnectError("revision not found", Code.NotFound);
  return commit;
}

/** "." and "/" are the root; no slash at either end. */
function cleanPath(path: Uint8Array): string {
  const text = Buffer.from(path)
    .toString("utf8")
    .replace(/^\/+|(?<!\/)\/+$/g, "");
  return text === "." ? "" : text;
}

function* chunksOf(bytes: Buffer): Generator<{ data: Uint8Array }> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield { data: bytes.subarray(at, at + CHUNK_BYTES) };
}
