import { createHash } from "node:crypto";

import type { Inventory } from "../inventory/inventory.ts";
import type { Turns } from "../manifests/turns.ts";
import type { Commit } from "./commit.ts";
import { leavingObjects, whyHeld } from "./leaving-objects.ts";
import type { ObjectResult } from "./object-result.ts";
import type { ReadCommit } from "./read-commit.ts";
import type { SyncOptions } from "./sync-options.ts";
import { emptyReport, type SyncReport } from "./sync-report.ts";

/** What a sync is of. */
interface SyncSubject {
  readonly commit: Commit;
  readonly options: SyncOptions;
  /** As it was before the sync. */
  readonly inventory: Inventory;
}

/**
 * Says, where drift is shown, that a commit was applied as a whole: the commit, and what else a sync does something by. So a new commit, other
 * options and a word of somebody (a sync is asked for, a prune consented to) lead to a sync that changes the cluster. Empty where drift is corrected.
 */
export function appliedMark({ commit, options: all, inventory }: SyncSubject): string {
  // The limit changes nothing that is applied.
  const { maxObjects: _limit, ...options } = all;
  if (options.drift === "correct") return "";
  const rest = createHash("sha256")
    .update(JSON.stringify([options, inventory.word]))
    .digest("hex")
    .slice(0, 16);
  return `${commit.commitId} ${rest}`;
}

/** Whether there is nothing to do but to look for drift. */
export function isApplied(of: SyncSubject): boolean {
  const mark = appliedMark(of);
  return mark !== "" && mark === of.inventory.applied;
}

/** The report of a sync that changes nothing. @param results of `compareObject`; none where drift is ignored */
export async function driftReport(
  of: SyncSubject & { readonly read: ReadCommit; readonly turns: Turns },
  results: readonly ObjectResult[],
): Promise<SyncReport> {
  const { commit, options, inventory, read, turns } = of;
  const manifests = read.waves.flat();
  const has = (outcome: ObjectResult["outcome"]): boolean => results.some((result) => result.outcome === outcome);
  const failed = read.errors.length > 0 || has("failed");
  const drifted = has("drifted") ? "drifted" : "synced";
  const leaving = await leavingObjects(inventory, manifests, turns);
  const well = new Set(results.filter(({ outcome }) => outcome === "unchanged").map(({ key }) => key));
  return {
    ...emptyReport(commit.commitId, failed ? "failed" : drifted),
    errors: read.errors,
    results,
    pruneHeld: await whyHeld({ commit, options, inventory, leaving, failed: false, turns }),
    waves: read.waves.length,
    live: manifests.filter(({ key }) => well.has(key)),
  };
}
