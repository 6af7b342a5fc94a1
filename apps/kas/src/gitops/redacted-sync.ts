import { clone } from "@bufbuild/protobuf";
import {
  GitopsObjectSchema,
  GitopsSyncSchema,
  GitopsSyncState,
  type GetSyncResponse,
  type GitopsObject,
  type GitopsSync,
} from "@binnacle/proto/kas-gitops";

/** As much of a commit's id as people read. */
const SHORT_ID = 8;

/** A sync for somebody of whom nobody knows whether he may read the manifests: nothing that stands in the repository alone. */
export function redactedSync(sync: GitopsSync): GitopsSync {
  const told = clone(GitopsSyncSchema, sync);
  told.commitId = sync.commitId.slice(0, SHORT_ID);
  told.appliedCommitId = sync.appliedCommitId.slice(0, SHORT_ID);
  told.newestCommitId = sync.newestCommitId.slice(0, SHORT_ID);
  told.objectsCommitId = sync.objectsCommitId.slice(0, SHORT_ID);
  told.waitingAuthors = [];
  told.subject = "";
  told.author = "";
  told.globs = [];
  told.branch = "";
  // What is wrong with the files quotes them.
  if (sync.state === GitopsSyncState.INVALID) told.reason = "";
  // The whole id is what consents to a prune.
  told.pruneHeld = sync.commitId === "" ? sync.pruneHeld : sync.pruneHeld.replaceAll(sync.commitId, told.commitId);
  return told;
}

/** Like `redactedSync`, with the objects, which name no file. */
export function redactedDetails({ sync, objects }: GetSyncResponse): { readonly sync?: GitopsSync; readonly objects: GitopsObject[] } {
  // A reason may name the file of another object: of one that is waited for, or has the same name.
  const files = new Set(objects.map(({ source }) => source).filter((source) => source !== ""));
  return { ...(sync && { sync: redactedSync(sync) }), objects: objects.map((object) => redactedObject(object, [...files])) };
}

function redactedObject(object: GitopsObject, files: readonly string[]): GitopsObject {
  const told = clone(GitopsObjectSchema, object);
  told.source = "";
  told.line = 0;
  told.fieldLine = 0;
  if (files.some((file) => object.reason.includes(file))) told.reason = "";
  return told;
}
