import { fieldsAt, OWNING_INVENTORY, textAt } from "@binnacle/kube";

import type { InventoryPolicy } from "../sync/sync-options.ts";

/** What the objects of an inventory bear. */
export interface InventoryIds {
  readonly id: string;
  /** What they may bear still; empty for an inventory that never had another id. */
  readonly formerId: string;
}

/** The inventory that an object says it belongs to; empty for none. */
export function ownerOf(live: unknown): string {
  return textAt(fieldsAt(fieldsAt(live, "metadata"), "annotations"), OWNING_INVENTORY);
}

/** Whether an object says that it belongs to the inventory. */
export function isOwned(live: unknown, { id, formerId }: InventoryIds): boolean {
  const owner = ownerOf(live);
  return owner !== "" && (owner === id || owner === formerId);
}

/**
 * Why an object that is there may not be applied for an inventory; undefined when it may.
 *
 * @see cli-utils, "inventory policy"
 */
export function whyForeign(live: unknown, ids: InventoryIds, policy: InventoryPolicy): string | undefined {
  if (isOwned(live, ids) || policy === "adopt_all") return undefined;
  const owner = ownerOf(live);
  if (owner !== "") return `the object belongs to inventory ${owner}`;
  return policy === "must_match" ? "the object was there before, and inventory_policy is must_match" : undefined;
}
