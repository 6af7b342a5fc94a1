import { encodeKey, formatInventoryId, type ObjectKey } from "@binnacle/kube";

import type { Inventory } from "../inventory/inventory.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { Commit } from "./commit.ts";
import { whyConsentNeeded } from "./prune-consent.ts";
import type { SyncOptions } from "./sync-options.ts";

/** What the inventory lists and the commit does not have. A Namespace that the commit or the inventory lives in stays. */
export function leavingObjects(before: Inventory, manifests: readonly PlacedManifest[]): readonly ObjectKey[] {
  const wanted = new Set(manifests.map(({ key }) => encodeKey(key)));
  const homes = new Set([before.namespace, ...manifests.map(({ key }) => key.namespace)]);
  const isHome = (key: ObjectKey): boolean => key.group === "" && key.kind === "Namespace" && homes.has(key.name);
  return [...before.objects.values()].filter((key) => !wanted.has(encodeKey(key)) && !isHome(key));
}

/** A prune that is thought of. */
export interface WantedPrune {
  readonly commit: Commit;
  readonly options: SyncOptions;
  /** As it was before the sync. */
  readonly inventory: Inventory;
  /** What leaves. */
  readonly leaving: readonly ObjectKey[];
  /** Whether anything of the commit was not applied. */
  readonly failed: boolean;
}

/** Why what leaves is not pruned now; empty when it may be, or nothing leaves. What was added since it was held makes it no smaller. */
export function whyHeld({ commit, options, inventory, leaving, failed }: WantedPrune): string {
  if (leaving.length === 0) return "";
  if (!options.prune) return "prune is false";
  if (failed) return "not everything was applied";
  if (inventory.consent === commit.commitId) return "";
  const { objects, fresh } = inventory;
  const settled = leaving.filter((key) => !fresh.has(formatInventoryId(key) ?? ""));
  return (
    whyConsentNeeded({ listed: objects.size, pruned: leaving.length }) ??
    whyConsentNeeded({ listed: objects.size - fresh.size, pruned: settled.length }) ??
    ""
  );
}
