import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { automatonOf, GRPC_CODE, StreamAutomaton } from "@binnacle/grpc-wire";
import {
  ObjectsToSynchronizeRequestSchema,
  ObjectsToSynchronizeResponseSchema,
  type ObjectsToSynchronizeResponse_Object,
} from "@binnacle/proto/gitops";
import { Fault } from "@binnacle/rpc";

import type { ManifestFile } from "../manifests/manifest-file.ts";
import type { Commit } from "../sync/commit.ts";
import { callKas, type KasAnswer, type KasCall } from "../../kas-link/kas-call.ts";

const GET_OBJECTS = "/gitlab.agent.gitops.rpc.Gitops/GetObjectsToSynchronize";
const TABLE = automatonOf(ObjectsToSynchronizeResponseSchema);
const FIELDS = { header: 1, object: 2, trailer: 3 } as const;

/** kas has configurable limits of its own (20 MiB and 1,000 files by default); these limit the memory of the agent if kas has none. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;
/** Of a reason for which a file is refused. */
const MAX_REASON_CHARACTERS = 300;

/** How a stream ended. */
export interface ReceivedCommit extends KasAnswer {
  /** Only when the stream was whole: header, files, trailer, and a good end. */
  readonly commit: Commit | undefined;
}

/** What a request for a commit needs. */
export interface ReceiveOptions extends Pick<KasCall, "session" | "metadata" | "signal"> {
  readonly projectId: string;
  readonly globs: readonly string[];
  /** The last commit that was received; kas answers when there is another one. */
  readonly commitId: string;
}

/** Waits for the next commit of a project. Never rejects; a signal that aborts cancels the call. */
export async function receiveCommit({ projectId, globs, commitId, ...options }: ReceiveOptions): Promise<ReceivedCommit> {
  const collected = new CommitCollector();
  const request = create(ObjectsToSynchronizeRequestSchema, {
    projectId,
    commitId,
    paths: globs.map((glob) => ({ glob })),
    takesRefusedFiles: true,
  });
  const answer = await callKas({
    ...options,
    path: GET_OBJECTS,
    messages: [toBinary(ObjectsToSynchronizeRequestSchema, request)],
    answered: (data) => collected.take(data),
  });
  return { ...answer, commit: answer.status.code === GRPC_CODE.ok ? collected.commit : undefined };
}

/** Puts a commit together out of messages; pieces of one file follow each other. */
class CommitCollector {
  readonly #automaton = new StreamAutomaton(TABLE);
  readonly #files: { readonly source: string; readonly pieces: Uint8Array[]; readonly refused?: string }[] = [];
  #header: { readonly commitId: string; readonly projectId: bigint } | undefined;
  #bytes = 0;
  #whole = false;

  /** The commit, once its trailer has come. */
  get commit(): Commit | undefined {
    if (!this.#whole || this.#header === undefined) return undefined;
    const files = this.#files.map(({ pieces, ...file }): ManifestFile => ({ ...file, data: Buffer.concat(pieces) }));
    return { ...this.#header, files };
  }

  /** @throws Fault for something that is out of order, has no commit, or is too much; it ends the call */
  take(data: Uint8Array): void {
    const { message } = fromBinary(ObjectsToSynchronizeResponseSchema, data);
    this.#automaton.check(message.case === undefined ? 0 : FIELDS[message.case]);
    if (message.case === "header") {
      if (message.value.commitId === "") throw new Fault("invalid_request", "kas sent a commit without an id");
      this.#header = { commitId: message.value.commitId, projectId: message.value.projectId };
    } else if (message.case === "object") this.#takePiece(message.value);
    else this.#whole = true;
  }

  #takePiece({ source, data, refused }: ObjectsToSynchronizeResponse_Object): void {
    this.#bytes += data.byteLength;
    const last = this.#files.at(-1);
    if (refused !== "") this.#files.push({ source, pieces: [], refused: refused.slice(0, MAX_REASON_CHARACTERS) });
    // The piece is a view of a buffer that is used again.
    else if (last?.source === source) last.pieces.push(data.slice());
    else this.#files.push({ source, pieces: [data.slice()] });
    if (this.#bytes > MAX_BYTES || this.#files.length > MAX_FILES)
      throw new Fault("over_budget", `kas sent more than ${MAX_BYTES} bytes or ${MAX_FILES} files`);
  }
}
