import { encodeKey, formatInventoryId, type ObjectKey } from "@binnacle/kube";

import type { Inventory } from "../inventory/inventory.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { Turns } from "../manifests/turns.ts";
import type { Commit } from "./commit.ts";
import type { SyncOptions } from "./sync-options.ts";

/** So many objects a sync prunes by itself, even when they are most of the inventory (but not all of it). */
const FEW = 10;

/** What the inventory lists and the commit does not have. A Namespace that the commit or the inventory lives in stays. */
export async function leavingObjects(before: Inventory, manifests: readonly PlacedManifest[], turns: Turns): Promise<readonly ObjectKey[]> {
  const wanted = new Set<string>();
  const homes = new Set([before.namespace]);
  for await (const { key } of turns.over(manifests)) {
    wanted.add(encodeKey(key));
    homes.add(key.namespace);
  }
  const isHome = (key: ObjectKey): boolean => key.group === "" && key.kind === "Namespace" && homes.has(key.name);
  const leaving: ObjectKey[] = [];
  for await (const key of turns.over(before.objects.values())) if (!wanted.has(encodeKey(key)) && !isHome(key)) leaving.push(key);
  return leaving;
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
  readonly turns: Turns;
}

/** Why what leaves is not pruned now; empty when it may be, or nothing leaves. What was added since it was held makes it no smaller. */
export async function whyHeld({ commit, options, inventory, leaving, failed, turns }: WantedPrune): Promise<string> {
  if (leaving.length === 0) return "";
  if (!options.prune) return "prune is false";
  if (failed) return "not everything was applied";
  if (inventory.consent === commit.commitId) return "";
  const { objects, fresh } = inventory;
  let settled = 0;
  for await (const key of turns.over(leaving)) if (!fresh.has(formatInventoryId(key) ?? "")) settled += 1;
  return (
    whyConsentNeeded({ listed: objects.size, pruned: leaving.length }) ??
    whyConsentNeeded({ listed: objects.size - fresh.size, pruned: settled }) ??
    ""
  );
}

/**
 * Why pruning needs a user's consent; undefined when it does not. `prune: true` is no consent to delete everything: what left the
 * manifests by a mistake (a folder moved, a branch emptied) looks like what left them on purpose.
 */
export function whyConsentNeeded(count: { readonly listed: number; readonly pruned: number }): string | undefined {
  if (count.pruned === 0) return undefined;
  if (count.pruned >= count.listed) return `all ${count.listed} objects of the inventory would be pruned`;
  if (count.pruned > FEW && count.pruned * 2 > count.listed)
    return `${count.pruned} of ${count.listed} objects of the inventory would be pruned`;
  return undefined;
}
