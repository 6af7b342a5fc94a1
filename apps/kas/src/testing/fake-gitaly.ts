import { join } from "node:path";

import {
  create,
  fromBinary,
  toBinary,
  type DescMethodServerStreaming,
  type MessageInitShape,
  type DescMessage,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  CommitService,
  TreeEntry_EntryType,
  TreeEntryResponse_ObjectType,
  type TreeEntryResponseSchema,
} from "@binnacle/proto/gitaly-commit";
import { SmartHTTPService } from "@binnacle/proto/gitaly-smarthttp";
import { Server, ServerCredentials, status, type Metadata, type ServerWritableStream } from "@grpc/grpc-js";

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
  /** Refs that were asked for so far, per call. */
  readonly advertisements: number;
  /** Bytes of advertisements that have left; a reader that stops stops this too. */
  readonly advertisedBytes: number;
  close(): void;
}

class GitalyError extends Error {
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
  const dirOf = (repository: { relativePath: string } | undefined): string => join(root, repository?.relativePath ?? "absent");
  const add = <I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
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
      void send(call); // never rejects
    };
    server.register(definition.path, handle, definition.responseSerialize, definition.requestDeserialize, "serverStream");
  };
  const counts = { advertisements: 0, bytes: 0 };
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
  add(CommitService.method.getTreeEntries, (request) =>
    treeEntries(dirOf(request.repository), textOf(request.revision), textOf(request.path)),
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const fake: FakeGitaly = {
    address: `tcp://127.0.0.1:${port}`,
    seen,
    down: false,
    advertised: undefined,
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
function roomIn(call: { once(event: "drain" | "cancelled", listener: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => {
    call.once("drain", resolve);
    call.once("cancelled", resolve);
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

function* treeEntries(dir: string, revision: string, path: string) {
  const lines = printed(dir, "ls-tree", "-r", "-t", revision, "--", `${path}/`).toString().split("\n");
  for (const line of lines.filter((text) => text !== "")) {
    const [head, name = ""] = line.split("\t");
    const type = head?.includes(" blob ") === true ? TreeEntry_EntryType.BLOB : TreeEntry_EntryType.TREE;
    yield { entries: [{ path: Buffer.from(name), type }] };
  }
}
