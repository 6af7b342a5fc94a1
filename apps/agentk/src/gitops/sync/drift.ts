import { createHash } from "node:crypto";

import { isFields } from "@binnacle/kube";

import type { Inventory } from "../inventory/inventory.ts";
import type { Turns } from "../manifests/turns.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { Commit } from "./commit.ts";
import { leavingObjects, whyHeld } from "./leaving-objects.ts";
import { type ObjectResult, resultOf } from "./object-result.ts";
import type { ReadCommit } from "./read-commit.ts";
import type { SyncOptions } from "./sync-options.ts";
import { emptyReport, type SyncReport } from "./sync-report.ts";
import { contentOf, tryObject, type Applying } from "./apply-object.ts";
import { digestAfter } from "./left-fields.ts";

/** What a sync is of. */
interface SyncSubject {
  readonly commit: Commit;
  readonly options: SyncOptions;
  /** As it was before the sync. */
  readonly inventory: Inventory;
}

/**
 * Marks, where drift is shown, that a commit was fully applied: the commit, and all else that decides what a sync does. So a new commit, other
 * options and a request in the annotations (a sync, a consent to prune) lead to a sync that changes the cluster. Empty where drift is corrected.
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

/** Fields that are reported of one object. */
const MAX_FIELDS = 5;

interface Collecting {
  readonly path: string;
  readonly found: string[];
  readonly max: number;
}

/**
 * Whether an object is still as in its manifest. Nothing is changed: a dry run shows what an apply with force would make of it. Fields that
 * the manifest does not name, such as defaults and those of controllers, are no drift. The fields that differ are reported, never their values.
 *
 * @throws Fault when the API server does not answer
 */
export async function compareObject(manifest: PlacedManifest, by: Applying): Promise<ObjectResult> {
  const tried = await tryObject(manifest, { ...by, force: true, dryRun: true });
  if ("outcome" in tried) return tried;
  if (tried.before === undefined) return resultOf(manifest, "drifted", { reason: "it is not there any more" });
  const fields = changedFields(contentOf(tried.before), contentOf(tried.after), MAX_FIELDS + 1);
  const appliedDigest = digestAfter(tried.after, tried.before);
  if (fields.length === 0) return resultOf(manifest, "unchanged", { appliedDigest });
  const named = fields.slice(0, MAX_FIELDS).join(", ");
  const reason = `other than in the manifest: ${named}${fields.length > MAX_FIELDS ? " and more" : ""}`;
  return resultOf(manifest, "drifted", { reason, appliedDigest });
}

/** Paths of the fields in which two values differ, `.spec.replicas`; the first `max`. Lists of different lengths differ as wholes. */
export function changedFields(before: unknown, after: unknown, max: number): readonly string[] {
  const found: string[] = [];
  collect(before, after, { path: "", found, max });
  return found;
}

function collect(before: unknown, after: unknown, into: Collecting): void {
  const { path, found, max } = into;
  if (found.length >= max || before === after) return;
  if (isFields(before) && isFields(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect(before[name], after[name], { ...into, path: `${path}${/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}` });
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) collect(item, after[index], { ...into, path: `${path}[${index}]` });
  } else found.push(path);
}
