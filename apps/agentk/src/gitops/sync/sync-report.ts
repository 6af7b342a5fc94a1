import type { ObjectKey } from "@binnacle/kube";

import type { Inventory } from "../inventory/inventory.ts";
import type { ManifestError } from "../manifests/manifest.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { ObjectResult } from "./object-result.ts";

/** What became of one sync. */
export interface SyncReport {
  readonly commitId: string;
  /**
   * `invalid`: nothing was applied, because of errors in the files; `drifted`: it was, and objects were changed since; `conflicting`: all
   * but objects of which other field managers own fields; `tried`: a dry run; `interrupted`: a newer commit is there; `too_large`: nothing was
   * applied, and it is no use to try the same commit again.
   */
  readonly state: "synced" | "drifted" | "conflicting" | "failed" | "invalid" | "paused" | "tried" | "interrupted" | "too_large";
  /** Of all of the sync: one sentence that names no file; usually empty. */
  readonly reason: string;
  readonly results: readonly ObjectResult[];
  /** What is wrong with the files. */
  readonly errors: readonly ManifestError[];
  /** Why objects that left the manifests were not pruned; empty when there was no such thing. */
  readonly pruneHeld: string;
  /** The inventory as it is at the end; undefined when it was not read. */
  readonly inventory: Inventory | undefined;
  /** Objects that another agent seems to apply too. */
  readonly foreign: readonly ObjectKey[];
  /** Waves that were applied. */
  readonly waves: number;
  /** Applied objects, for those who wait until they are well. */
  readonly live: readonly PlacedManifest[];
}

/** A report that says nothing yet. */
export function emptyReport(commitId: string, state: SyncReport["state"]): SyncReport {
  return { commitId, state, reason: "", results: [], errors: [], pruneHeld: "", inventory: undefined, foreign: [], waves: 0, live: [] };
}
