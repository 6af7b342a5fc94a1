import { fieldsAt, OWNING_INVENTORY, textAt } from "@binnacle/kube";

import type { InventoryPolicy } from "../sync/sync-options.ts";

/** The inventory that an object says it belongs to; empty for none. */
export function ownerOf(live: unknown): string {
  return textAt(fieldsAt(fieldsAt(live, "metadata"), "annotations"), OWNING_INVENTORY);
}

/**
 * Why an object that is there may not be applied for an inventory; undefined when it may.
 *
 * @see cli-utils, "inventory policy"
 */
export function whyForeign(live: unknown, inventoryId: string, policy: InventoryPolicy): string | undefined {
  const owner = ownerOf(live);
  if (owner === inventoryId || policy === "adopt_all") return undefined;
  if (owner !== "") return `the object belongs to inventory ${owner}`;
  return policy === "must_match" ? "the object was there before, and inventory_policy is must_match" : undefined;
}
