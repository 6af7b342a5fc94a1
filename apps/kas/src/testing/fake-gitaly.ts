import { join } from "node:path";

import {
  create,
  fromBinary,
  toBinary,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type DescMessage,
  type MessageShape,
} from "@bufbuild/protobuf";
import { BlobService, type GetBlobsResponseSchema } from "@binnacle/proto/gitaly-blob";
import { CommitService, TreeEntryResponse_ObjectType, type TreeEntryResponseSchema } from "@binnacle/proto/gitaly-commit";
import { SmartHTTPService } from "@binnacle/proto/gitaly-smarthttp";
import { Server, ServerCredentials, status, type Metadata, type ServerWritableStream } from "@grpc/grpc-js";

import { blobs, treeEntries, type Printed } from "./fake-gitaly-trees.ts";
import { git } from "./test-repository.ts";

/** Gitaly on a socket, over the repositories below a root. */
export interface FakeGitaly {
  /** "tcp://127.0.0.1:port" */
  readonly address: string;
  /** Metadata of every call, oldest first. */
  readonly seen: Metadata[];
  /** While true every call answers UNAVAILABLE. */
  down: boolean;
  /** When set, what is advertised instead of the refs that are there. */
  advertised: Iterable<{ readonly data: Uint8Array }> | undefined;
  /** When set, what becomes of the pieces of files: a Gitaly that lies, or breaks. */
  tamper: ((pieces: Iterable<BlobPiece>) => Iterable<BlobPiece>) | undefined;
  /** When true, directories look as if they were missing. */
  blind: boolean;
  /** How often each method was called, by its name. */
  readonly calls: ReadonlyMap<string, number>;
  /** Bytes of files that have left through GetBlobs. */
  readonly blobBytes: number;
  /** Refs that were requested so far, per call. */
  readonly advertisements: number;
  /** Bytes of advertisements that have left; a reader that stops stops this too. */
  readonly advertisedBytes: number;
  close(): void;
}

/** A message of GetBlobs. */
type BlobPiece = MessageInitShape<typeof GetBlobsResponseSchema>;

/** A failure of Gitaly itself. */
export class GitalyError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const CHUNK_BYTES = 1_000;

/** Starts it on a free port. It answers as Gitaly does, file contents in several messages. */
export async function startGitaly(root: string): Promise<FakeGitaly> {
  const server = new Server();
  const seen: Metadata[] = [];
  const calls = new Map<string, number>();
  const dirOf = (repository: { relativePath: string } | undefined): string => join(root, repository?.relativePath ?? "absent");
  const add = <I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O> | DescMethodUnary<I, O>,
    answer: (request: MessageShape<I>) => Iterable<MessageInitShape<O>>,
  ): void => {
    const definition = {
      path: `/${method.parent.typeName}/${method.name}`,
      requestStream: false,
      responseStream: true,
      requestSerialize: (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
      requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
      responseSerialize: (message: MessageShape<O>) => Buffer.from(toBinary(method.output, message)),
      responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
    } as const;
    const send = async (call: ServerWritableStream<MessageShape<I>, MessageShape<O>>): Promise<void> => {
      try {
        if (fake.down) throw new GitalyError(status.UNAVAILABLE, "down");
        for (const message of answer(call.request)) {
          if (call.cancelled) return;
          if (!call.write(create(method.output, message))) await roomIn(call);
        }
        call.end();
      } catch (error) {
        const code = error instanceof GitalyError ? error.code : status.INTERNAL;
        call.emit("error", { code, details: error instanceof Error ? error.message : "failed" });
      }
    };
    const handle = (call: ServerWritableStream<MessageShape<I>, MessageShape<O>>): void => {
      seen.push(call.metadata);
      calls.set(method.name, (calls.get(method.name) ?? 0) + 1);
      void send(call); // never rejects
    };
    server.register(definition.path, handle, definition.responseSerialize, definition.requestDeserialize, "serverStream");
  };
  /** What a commit holds never changes, and starting git takes long. */
  const known = new Map<string, Buffer>();
  const remembered =
    (dir: string): Printed =>
    (...argv) => {
      const key = JSON.stringify([dir, ...argv]);
      const found = known.get(key) ?? printed(dir, ...argv);
      if (argv.some((word) => /^[0-9a-f]{40}$/.test(word))) known.set(key, found);
      return found;
    };
  const counts = { advertisements: 0, bytes: 0, blobs: 0 };
  add(SmartHTTPService.method.infoRefsUploadPack, function* ({ repository }) {
    counts.advertisements += 1;
    for (const message of fake.advertised ?? advertisement(dirOf(repository))) {
      counts.bytes += message.data.length;
      yield message;
    }
  });
  add(CommitService.method.treeEntry, (request) =>
    treeEntry(dirOf(request.repository), { at: `${textOf(request.revision)}:${textOf(request.path)}`, maxSize: Number(request.maxSize) }),
  );
  add(CommitService.method.getTreeEntries, (request) => {
    const dir = dirOf(request.repository);
    const at = { revision: textOf(request.revision), path: textOf(request.path), recursive: request.recursive };
    return fake.blind ? [] : treeEntries(remembered(dir), at);
  });
  add(CommitService.method.findCommit, function* (request) {
    const dir = dirOf(request.repository);
    printed(dir, "rev-parse", "--git-dir");
    try {
      const shown = git(dir, "show", "--no-patch", "--format=%H%x00%an%x00%s", `${textOf(request.revision)}^{commit}`).toString();
      const [id = "", name = "", subject = ""] = shown.trimEnd().split("\0");
      yield { commit: { id, subject: Buffer.from(subject), author: { name: Buffer.from(name) } } };
    } catch {
      yield {};
    }
  });
  add(CommitService.method.listCommits, function* ({ repository: at, revisions, paginationParams }) {
    const count = `--max-count=${paginationParams?.limit ?? 0}`;
    const lines = printed(dirOf(at), "log", "--topo-order", count, "--format=%H%x1f%an", ...revisions)
      .toString()
      .split("\n");
    for (const line of lines.filter((one) => one !== "")) {
      const [id = "", name = ""] = line.split("\x1f");
      yield { commits: [{ id, author: { name: Buffer.from(name) } }] };
    }
  });
  add(BlobService.method.getBlobs, function* (request) {
    const pieces = blobs(remembered(dirOf(request.repository)), request);
    for (const piece of fake.tamper?.(pieces) ?? pieces) {
      counts.blobs += piece.data?.length ?? 0;
      yield piece;
    }
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const fake: FakeGitaly = {
    address: `tcp://127.0.0.1:${port}`,
    seen,
    down: false,
    advertised: undefined,
    tamper: undefined,
    blind: false,
    calls,
    get blobBytes() {
      return counts.blobs;
    },
    get advertisements() {
      return counts.advertisements;
    },
    get advertisedBytes() {
      return counts.bytes;
    },
    close: () => server.forceShutdown(),
  };
  return fake;
}

/** Settles when the reader wants more, or has left. */
function roomIn(call: {
  once(event: "drain" | "cancelled", listener: () => void): unknown;
  off(event: "drain" | "cancelled", listener: () => void): unknown;
}): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off("drain", done);
      call.off("cancelled", done);
      resolve();
    };
    call.once("drain", done);
    call.once("cancelled", done);
  });
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Runs git, or fails as Gitaly does for what is not there. */
function printed(dir: string, ...argv: readonly string[]): Buffer {
  try {
    return git(dir, ...argv);
  } catch {
    throw new GitalyError(status.NOT_FOUND, "not found");
  }
}

function* chunks(bytes: Buffer): Generator<{ data: Uint8Array }> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield { data: bytes.subarray(at, at + CHUNK_BYTES) };
}

function* advertisement(dir: string): Generator<{ data: Uint8Array }> {
  yield { data: Buffer.from("001e# service=git-upload-pack\n0000") };
  yield* chunks(printed(dir, "upload-pack", "--stateless-rpc", "--advertise-refs", "."));
}

function* treeEntry(
  dir: string,
  { at, maxSize }: { readonly at: string; readonly maxSize: number },
): Generator<MessageInitShape<typeof TreeEntryResponseSchema>> {
  const type = printed(dir, "cat-file", "-t", at).toString().trim();
  if (type !== "blob") {
    yield { type: TreeEntryResponse_ObjectType.TREE, oid: "1" };
    return;
  }
  const content = printed(dir, "cat-file", "blob", at);
  if (maxSize > 0 && content.length > maxSize)
    throw new GitalyError(status.FAILED_PRECONDITION, `object size (${content.length}) is bigger than the maximum`);
  // As Gitaly does, all but the data stand in the first message only.
  yield { type: TreeEntryResponse_ObjectType.BLOB, oid: "1", size: BigInt(content.length) };
  yield* chunks(content);
}
