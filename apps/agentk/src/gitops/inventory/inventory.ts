import { fieldsAt, PAUSED, PRUNE_CONSENT, SYNC_REQUESTED, textAt, type ObjectKey } from "@binnacle/kube";

import type { InventoryIds } from "./ownership.ts";

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
export interface InventoryRef extends InventoryIds {
  readonly namespace: string;
  readonly name: string;
}

/** The objects that belong to one project, as the cluster keeps them. */
export interface Inventory extends InventoryRef {
  /** The id as the label of its ConfigMap has it: the former one until it is converted. */
  readonly label: string;
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

/**
 * The inventory of an agent and a project whose manifests name none: name and id as Go's agentk makes them. Releases of ours before this one took the
 * name for the id.
 */
export function inventoryRefOf(agentId: bigint, projectId: bigint, namespace: string): InventoryRef {
  const name = `inventory-${agentId}-${projectId}`;
  return { namespace, name, id: `${agentId}-${projectId}`, formerId: name };
}
