import type { ObjectKey } from "@binnacle/kube";

/**
 * Annotation of an inventory: the commit (its full id) that may prune more than a sync may by itself. It holds for that commit only. Who may
 * `patch` the ConfigMap may consent.
 */
export const PRUNE_CONSENT = "gitops.binnacle/prune-consent";

/** Annotation of an inventory: "true" stops syncs of the project until it is taken away. */
export const PAUSED = "gitops.binnacle/paused";

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
}

/** Name and id of the inventory of an agent and a project, as Go's agentk makes them. */
export function inventoryNameOf(agentId: bigint, projectId: bigint): string {
  return `inventory-${agentId}-${projectId}`;
}
