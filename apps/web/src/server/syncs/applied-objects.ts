import { encodeKey, formatInventoryId, fromDigest } from "@binnacle/kube";
import type { AppliedObject } from "@binnacle/environment-view";
import { GetSyncResponseSchema, GitopsOutcome } from "@binnacle/proto/kas-gitops";
import { timeOf } from "@binnacle/proto/wire-values";

import { lineOf } from "../main-application/foreign-text.ts";
import type { KeptProofs } from "./kept-proofs.ts";
import { readAnswer, type SyncRecord } from "./sync-record.ts";

/** Objects of one sync. kas retains no more of a report than half a megabyte. */
const MAX_OBJECTS = 20_000;
const MAX_KEPT = 100;

/** A field that stays as a user has written it. */
export interface ShownKept {
  readonly field: string;
  readonly user: string;
  /** A dashboard has written the entry for this user. */
  readonly isVerified: boolean;
  readonly sinceMs: number | undefined;
}

/** An object as its agent reports it. */
export interface ReportedObject extends AppliedObject {
  readonly keptFields: readonly ShownKept[];
  /** Why it is out of sync, when the agent has found that. */
  readonly drift: string | undefined;
}

/**
 * The objects that a sync has applied, for the comparison with the view; of objects that are not applied, such as pruned ones, nothing.
 *
 * @returns `undefined` when the answer is of another sync @throws UnreadableSyncs when it is none of the contract
 */
export function appliedObjectsOf(answer: unknown, of: SyncRecord, proofs: KeptProofs): readonly ReportedObject[] | undefined {
  const { sync, objects } = readAnswer(GetSyncResponseSchema, answer);
  if (sync === undefined || sync.project !== of.project || sync.commitId !== of.sha) return undefined;
  const inventory = `${of.inventoryNamespace}/${of.inventoryName}`;
  const applied = new Map<string, ReportedObject>();
  for (const { group, kind, namespace, name, outcome, reason, appliedDigest, keptFields } of objects.slice(0, MAX_OBJECTS)) {
    const key = { group, kind, namespace, name };
    const digest = fromDigest(appliedDigest);
    const isDrifted = outcome === GitopsOutcome.DRIFTED;
    if (digest === undefined && !isDrifted) continue;
    const object = formatInventoryId(key) ?? "";
    const kept = keptFields.slice(0, MAX_KEPT).map(({ field, user, keptAt, proof }): ShownKept => {
      const sinceMs = keptAt && timeOf(keptAt);
      const isVerified = sinceMs !== undefined && proofs.isProven({ inventory, object, field, user, atMs: sinceMs }, proof);
      return { field: lineOf(field), user: lineOf(user), isVerified, sinceMs };
    });
    const drift = isDrifted ? lineOf(reason) : undefined;
    applied.set(encodeKey(key), { key, applied: digest, kept: kept.map(({ field }) => field), keptFields: kept, drift });
  }
  return [...applied.values()];
}
