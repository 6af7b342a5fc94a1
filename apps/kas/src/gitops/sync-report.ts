import { create, toBinary } from "@bufbuild/protobuf";
import {
  GetSyncResponseSchema,
  GitopsKeptFieldSchema,
  GitopsObjectSchema,
  GitopsSyncSchema,
  ReportSyncRequestSchema,
  type GetSyncResponse,
  type GitopsObject,
  type GitopsSync,
  type ReportSyncRequest,
} from "@binnacle/proto/kas-gitops";
import { checkMessage } from "@binnacle/proto/read-message";
import { Fault } from "@binnacle/rpc";

/** Bytes of a report in all; 2,000 objects with their files are half of it. */
const MAX_BYTES = 512 * 1024;
const MAX_NAME_CHARACTERS = 1_024;
const MAX_REASON_CHARACTERS = 1_024;
const MAX_NAMESPACES = 100;
const MAX_GLOBS = 100;
const COMMIT_ID = /^[0-9a-f]{7,64}$/;
const MAX_DIGEST_BYTES = 64;
const MAX_KEPT_FIELDS = 100;

/**
 * Puts a report together out of its pieces. Texts are cut, and what only kas may say is taken away.
 *
 * @throws Fault `frame_order`, `invalid_request`, `over_budget`
 */
export async function readSyncReport(pieces: AsyncIterable<ReportSyncRequest>): Promise<GetSyncResponse> {
  let sync: GitopsSync | undefined;
  const objects: GitopsObject[] = [];
  let bytes = 0;
  for await (const message of pieces) {
    bytes += toBinary(ReportSyncRequestSchema, message).length;
    if (bytes > MAX_BYTES) throw new Fault("over_budget", `a report may have ${MAX_BYTES} bytes`);
    const { piece } = checkMessage(ReportSyncRequestSchema, message);
    if ((piece.case === "sync") === (sync !== undefined)) throw new Fault("frame_order", "the sync comes first, and once");
    if (piece.case === "sync") sync = ownWords(piece.value);
    else if (piece.case === "objects") objects.push(...piece.value.objects.map(cutObject));
    else throw new Fault("frame_order", "a piece is empty");
  }
  if (!sync) throw new Fault("frame_order", "a report begins with a sync");
  if (sync.project === "" || sync.project.length > MAX_NAME_CHARACTERS)
    throw new Fault("invalid_request", "project is empty or much too long");
  return create(GetSyncResponseSchema, { sync, objects });
}

function ownWords(sync: GitopsSync): GitopsSync {
  const { project, commitId, state, reason, startedAt, finishedAt, waves, pruneHeld, objects, failed, drifted } = sync;
  return create(GitopsSyncSchema, {
    project,
    commitId: commitId.slice(0, 64),
    state,
    reason: reason.slice(0, MAX_REASON_CHARACTERS),
    ...(startedAt && { startedAt }),
    ...(finishedAt && { finishedAt }),
    waves,
    pruneHeld: pruneHeld.slice(0, MAX_REASON_CHARACTERS),
    objects,
    failed,
    drifted,
    namespaces: sync.namespaces.slice(0, MAX_NAMESPACES).map(cut),
    globs: sync.globs.slice(0, MAX_GLOBS).map(cut),
    inventoryId: cut(sync.inventoryId),
    inventoryNamespace: cut(sync.inventoryNamespace),
    inventoryName: cut(sync.inventoryName),
    // The agent reads it in an annotation that others may write.
    appliedCommitId: COMMIT_ID.test(sync.appliedCommitId) ? sync.appliedCommitId : "",
    ...(sync.appliedAt && { appliedAt: sync.appliedAt }),
    outcomeUnknown: sync.outcomeUnknown,
    objectsCommitId: sync.objectsCommitId.slice(0, 64),
    ...(sync.appliedObjects !== undefined && { appliedObjects: sync.appliedObjects }),
    driftMode: sync.driftMode,
  });
}

function cutObject({ group, kind, namespace, name, reason, source, appliedDigest, keptFields, ...numbers }: GitopsObject): GitopsObject {
  return create(GitopsObjectSchema, {
    outcome: numbers.outcome,
    line: numbers.line,
    fieldLine: numbers.fieldLine,
    group: cut(group),
    kind: cut(kind),
    namespace: cut(namespace),
    name: cut(name),
    reason: reason.slice(0, MAX_REASON_CHARACTERS),
    source: cut(source),
    appliedDigest: appliedDigest.slice(0, MAX_DIGEST_BYTES),
    keptFields: keptFields
      .slice(0, MAX_KEPT_FIELDS)
      .map(({ field, user, proof, keptAt }) =>
        create(GitopsKeptFieldSchema, { field: cut(field), user: cut(user), proof: cut(proof), ...(keptAt && { keptAt }) }),
      ),
  });
}

function cut(text: string): string {
  return text.slice(0, MAX_NAME_CHARACTERS);
}
