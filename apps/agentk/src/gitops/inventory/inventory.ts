import { fieldsAt, PAUSED, PRUNE_CONSENT, SYNC_REQUESTED, textAt, type ObjectKey } from "@binnacle/kube";

/**
 * Annotation of an inventory, written by syncs that show drift: what was applied last as a whole. While a sync would be of the same, it changes
 * nothing and says what has drifted since.
 */
export const APPLIED = "gitops.binnacle/applied";

/**
 * Value of a line that was added while other objects had left the manifests and were not pruned yet; all others are empty. Without it, what is
 * added would make a prune of everything that was there look small as soon as it is held.
 */
export const FRESH = "fresh";

/** Where an inventory is, and its id, which its objects bear. */
export interface InventoryRef {
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
}

/** The objects that belong to one project, as the cluster keeps them. */
export interface Inventory extends InventoryRef {
  /** Of the ConfigMap as it was read; undefined while there is none. */
  readonly resourceVersion: string | undefined;
  /** By their keys in the ConfigMap. */
  readonly objects: ReadonlyMap<string, ObjectKey>;
  /** Commit that may prune much; empty for none. */
  readonly consent: string;
  readonly paused: boolean;
  /** Lines with the value `FRESH`. */
  readonly fresh: ReadonlySet<string>;
  /** What was applied last as a whole, as `appliedMark` writes it; empty while drift is not shown. */
  readonly applied: string;
  /** All that its annotations say to a sync, to be compared. */
  readonly word: string;
}

/** All that the annotations of an inventory's ConfigMap say to a sync. */
export function wordOf(configMap: unknown): string {
  const annotations = fieldsAt(fieldsAt(configMap, "metadata"), "annotations");
  return JSON.stringify([PRUNE_CONSENT, PAUSED, SYNC_REQUESTED].map((name) => textAt(annotations, name)));
}

/** Name and id of the inventory of an agent and a project, as Go's agentk makes them. */
export function inventoryNameOf(agentId: bigint, projectId: bigint): string {
  return `inventory-${agentId}-${projectId}`;
}
