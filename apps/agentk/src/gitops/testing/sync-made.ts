import type { Inventory } from "../inventory/inventory.ts";
import type { SyncOptions } from "../sync/sync-options.ts";

/** How a project is applied of which the configuration says nothing, in a namespace `shop` and with less patience. */
export const DEFAULT_OPTIONS: SyncOptions = {
  defaultNamespace: "shop",
  reconcileTimeoutMs: 30_000,
  dryRun: "none",
  prune: true,
  pruneTimeoutMs: 30_000,
  // Without controllers a deletion in the foreground never ends.
  propagation: "background",
  inventoryPolicy: "must_match",
  forceConflicts: false,
  stopOn: "unreadable_file",
  drift: "correct",
  maxObjects: 5_000,
};

/** An inventory that lists nothing. */
export const EMPTY_INVENTORY: Inventory = {
  namespace: "shop",
  name: "inventory-5-7",
  id: "5-7",
  formerId: "inventory-5-7",
  label: "5-7",
  resourceVersion: "1",
  objects: new Map(),
  consent: "",
  paused: false,
  pausedReason: "",
  fresh: new Set(),
  applied: "",
  lastApplied: undefined,
  takeOver: "",
  kept: new Map(),
  word: "",
  requests: "",
};
