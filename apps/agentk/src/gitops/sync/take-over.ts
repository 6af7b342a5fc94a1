import { formatInventoryId } from "@binnacle/kube";

import type { Inventory } from "../inventory/inventory.ts";
import type { InventoryStore } from "../inventory/inventory-store.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { applyObject, type Applying } from "./apply-object.ts";
import type { ObjectResult } from "./object-result.ts";

/** What became of a request to take an object over. */
export interface TakenOver {
  /** As it is without the request. */
  readonly inventory: Inventory;
  /** Why nothing was applied; empty when something was. Quotes nothing of the request, which may be any text. */
  readonly reason: string;
}

/**
 * Applies, with force and nothing else, the object that annotation `gitops.binnacle/take-over` of the inventory names, and removes the annotation. An
 * agent that is killed in between does it again. Only an object of the commit that is in the inventory can be named.
 *
 * @throws Fault when the cluster does not answer, or `conflict` when the inventory was changed meanwhile: the request stays
 */
export async function takeOver(
  inventory: Inventory,
  by: { readonly manifests: readonly PlacedManifest[]; readonly applying: Applying; readonly store: InventoryStore },
): Promise<TakenOver> {
  const { manifests, applying, store } = by;
  const isListed = inventory.objects.has(inventory.takeOver);
  const manifest = isListed ? manifests.find(({ key }) => formatInventoryId(key) === inventory.takeOver) : undefined;
  const result = manifest && (await applyObject(manifest, { ...applying, force: true }));
  return { inventory: await store.withoutTakeOver(inventory), reason: reasonOf(result) };
}

function reasonOf(result: ObjectResult | undefined): string {
  if (result === undefined) return "a request to take an object over names none of this commit and inventory";
  return result.outcome === "failed" ? `an object could not be taken over: ${result.reason}` : "";
}
