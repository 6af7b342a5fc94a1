import {
  GitopsDriftMode,
  GitopsKeptFieldSchema,
  GitopsObjectSchema,
  GitopsOutcome,
  GitopsSyncSchema,
  ReportSyncRequest_ObjectsSchema,
  ReportSyncRequestSchema,
  type GitopsObject,
  type GitopsSync,
  type ReportSyncRequest,
} from "@binnacle/proto/kas-gitops";
import { timeField, toTimestamp } from "@binnacle/proto/wire-values";
import { create, toBinary } from "@bufbuild/protobuf";

import type { ObjectResult } from "../sync/object-result.ts";
import type { SyncOptions } from "../sync/sync-options.ts";
import type { SyncStatus } from "./sync-status.ts";

/** What kas takes, with some room for frames (docs/design/gitops.md "Status"). */
const MAX_BYTES = 480 * 1024;
const MAX_PIECE_BYTES = 60 * 1024;
const MAX_CHARACTERS = 1_024;
const MAX_NAMESPACES = 100;
const MAX_GLOBS = 100;
const MAX_GLOB_CHARACTERS = 128;
/** Of one object. */
const MAX_KEPT_FIELDS = 100;

const OUTCOME = {
  applied: GitopsOutcome.APPLIED,
  unchanged: GitopsOutcome.UNCHANGED,
  pruned: GitopsOutcome.PRUNED,
  skipped: GitopsOutcome.SKIPPED,
  drifted: GitopsOutcome.DRIFTED,
  failed: GitopsOutcome.FAILED,
  pending: GitopsOutcome.UNSPECIFIED,
} as const;

const DRIFT_MODE = {
  correct: GitopsDriftMode.CORRECT,
  show: GitopsDriftMode.SHOW,
  ignore: GitopsDriftMode.IGNORE,
} as const satisfies Record<SyncOptions["drift"], GitopsDriftMode>;

/** Order of objects in a report, most urgent first: what does not fit is left out at the end. */
const URGENCY = { failed: 0, drifted: 1, skipped: 2, pruned: 3, applied: 4, unchanged: 5, pending: 6 } as const;

/** The project of a report, as the agent's configuration has it. */
export interface ReportedProject {
  readonly id: string;
  readonly globs: readonly string[];
  readonly drift: SyncOptions["drift"];
}

/** The messages of `ReportSync` for a status, encoded: the sync, then its objects, failures first, as many as kas takes. */
export function reportPieces(status: SyncStatus, project: ReportedProject): readonly Uint8Array[] {
  const pieces = [encoded({ case: "sync", value: syncOf(status, project) })];
  let left = MAX_BYTES - (pieces[0]?.byteLength ?? 0);
  let objects: GitopsObject[] = [];
  let bytes = 0;
  const close = (): void => {
    if (objects.length > 0) pieces.push(encoded({ case: "objects", value: create(ReportSyncRequest_ObjectsSchema, { objects }) }));
    [objects, bytes] = [[], 0];
  };
  const { results } = status.former ?? status;
  for (const result of results.toSorted((a, b) => URGENCY[a.outcome] - URGENCY[b.outcome])) {
    const object = objectOf(result);
    // With the tag and the length in front of it.
    const size = toBinary(GitopsObjectSchema, object).byteLength + 4;
    if (size > left) break;
    if (bytes + size > MAX_PIECE_BYTES) close();
    objects.push(object);
    bytes += size;
    left -= size;
  }
  close();
  return pieces;
}

function syncOf(status: SyncStatus, { id, globs, drift }: ReportedProject): GitopsSync {
  const { state, startedAtMs, finishedAtMs, waves, applied, inventory } = status;
  return create(GitopsSyncSchema, {
    project: cut(id),
    driftMode: DRIFT_MODE[drift],
    state,
    waves,
    commitId: status.commitId,
    reason: cut(status.reason),
    pruneHeld: cut(status.pruneHeld),
    startedAt: toTimestamp(startedAtMs),
    ...timeField("finishedAt", finishedAtMs),
    objects: status.objects,
    failed: countOf(status, "failed"),
    drifted: countOf(status, "drifted"),
    namespaces: status.namespaces.slice(0, MAX_NAMESPACES),
    globs: globs.slice(0, MAX_GLOBS).map((glob) => glob.slice(0, MAX_GLOB_CHARACTERS)),
    outcomeUnknown: status.outcomeUnknown,
    objectsCommitId: status.former?.commitId ?? "",
    ...(applied?.objects !== undefined && { appliedObjects: applied.objects }),
    appliedCommitId: applied?.commitId ?? "",
    ...timeField("appliedAt", applied?.atMs),
    ...(inventory && { inventoryId: inventory.id, inventoryNamespace: inventory.namespace, inventoryName: inventory.name }),
  });
}

function countOf({ results }: SyncStatus, outcome: ObjectResult["outcome"]): number {
  return results.filter((result) => result.outcome === outcome).length;
}

function objectOf({ key, outcome, reason, source, line, fieldLine, appliedDigest, keptFields = [] }: ObjectResult): GitopsObject {
  const { group, kind, namespace, name } = key;
  return create(GitopsObjectSchema, {
    group: cut(group),
    kind: cut(kind),
    namespace: cut(namespace),
    name: cut(name),
    outcome: OUTCOME[outcome],
    reason: cut(reason),
    source: cut(source),
    line,
    fieldLine,
    ...(appliedDigest && { appliedDigest }),
    keptFields: keptFields
      .slice(0, MAX_KEPT_FIELDS)
      .map(({ field, user, proof, atMs }) =>
        create(GitopsKeptFieldSchema, { field: cut(field), user: cut(user), proof: cut(proof), ...timeField("keptAt", atMs) }),
      ),
  });
}

function cut(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

function encoded(piece: ReportSyncRequest["piece"]): Uint8Array {
  return toBinary(ReportSyncRequestSchema, create(ReportSyncRequestSchema, { piece }));
}
