import { fieldsAt, PAUSED, PRUNE_CONSENT, SYNC_REQUESTED, textAt, type ObjectKey } from "@binnacle/kube";

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
