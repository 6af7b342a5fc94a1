import type { Inventory } from "../inventory/inventory.ts";
import type { ManifestError } from "../manifests/manifest.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { ObjectResult } from "./object-result.ts";

/** What a sync is going to do. */
export interface SyncPlan {
  /** As it was read for this sync. */
  readonly inventory: Inventory;
  readonly manifests: readonly PlacedManifest[];
  /** Objects that will not be applied, for what stands in the files. */
  readonly errors: readonly ManifestError[];
}

/** Hears of a sync while it goes on. */
export interface SyncObserver {
  /** Once, before anything is changed; not for files that cannot be read. */
  planned(plan: SyncPlan): void;
  /** Once per object that is applied or refused. */
  settled(result: ObjectResult): void;
}
