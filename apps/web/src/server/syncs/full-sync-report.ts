import { encodeKey } from "@binnacle/kube";
import { GetSyncResponseSchema, GitopsSyncState } from "@binnacle/proto/kas-gitops";

import { lineOf } from "../main-application/foreign-text.ts";
import { readAnswer, UnreadableSyncs } from "./sync-record.ts";

/** Where a manifest stands in its project. */
interface ManifestPlace {
  /** Path of the file. */
  readonly path: string;
  /** First line of the object, from 1; 0 when it is not known. */
  readonly line: number;
  /** Line of the field that was refused or changed, from 1; 0 when there is none. */
  readonly fieldLine: number;
}

/** Details of a sync for viewers who may read the manifest project. */
export interface FullSyncReport {
  /** The commit that the locations refer to; empty when there is none. */
  readonly commitId: string;
  /** Globs of its files, each short and of one line. */
  readonly globs: readonly string[];
  /** Empty when it is not known. */
  readonly branch: string;
  /** Authors of the commits that wait, newest first. */
  readonly waitingAuthors: readonly string[];
  /** What is wrong with the files; empty when nothing is, or something else. */
  readonly invalid: string;
  /** Places of its objects, by their keys (`encodeKey`). */
  readonly places: ReadonlyMap<string, ManifestPlace>;
}

/** Objects of one sync. kas keeps no more of a report than half a megabyte. */
const MAX_OBJECTS = 20_000;
const MAX_PATH_CHARS = 1_024;
const MAX_GLOBS = 20;
const MAX_AUTHORS = 20;
const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Reads what kas tells a reader of manifests. @throws UnreadableSyncs */
export function fullReportOf(answer: unknown, project: string): FullSyncReport {
  const { sync, objects } = readAnswer(GetSyncResponseSchema, answer);
  // A kas that does not know the assertion answers as it answers everybody.
  if (sync?.project !== project || ![sync.commitId, sync.objectsCommitId].every((id) => id === "" || FULL_SHA.test(id)))
    throw new UnreadableSyncs("it is no whole sync");
  const places = new Map<string, ManifestPlace>();
  for (const { group, kind, namespace, name, source, line, fieldLine } of objects.slice(0, MAX_OBJECTS)) {
    if (source === "" || source.length > MAX_PATH_CHARS) continue;
    places.set(encodeKey({ group, kind, namespace, name }), { path: source, line, fieldLine });
  }
  const globs = sync.globs.slice(0, MAX_GLOBS).map(lineOf);
  return {
    commitId: sync.objectsCommitId || sync.commitId,
    globs,
    branch: lineOf(sync.branch),
    waitingAuthors: sync.waitingAuthors.slice(0, MAX_AUTHORS).map(lineOf),
    invalid: sync.state === GitopsSyncState.INVALID ? lineOf(sync.reason) : "",
    places,
  };
}
