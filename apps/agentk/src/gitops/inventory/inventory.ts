import {
  fieldsAt,
  KEPT_FIELDS,
  PAUSED,
  PAUSED_REASON,
  PRUNE_CONSENT,
  SYNC_REQUESTED,
  TAKE_OVER,
  textAt,
  type KeptField,
  type ObjectKey,
} from "@binnacle/kube";

import type { AppliedCommit } from "./last-applied.ts";
import type { InventoryIds } from "./ownership.ts";

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
  /** The reason that was written with the pause: one line of at most 200 characters; empty: no reason. */
  readonly pausedReason: string;
  /** Lines with the value `FRESH`. */
  readonly fresh: ReadonlySet<string>;
  /** What was applied last as a whole, as `appliedMark` writes it; empty while drift is not shown. */
  readonly applied: string;
  /** The commit that was applied last as a whole; undefined: not known. */
  readonly lastApplied: AppliedCommit | undefined;
  /** Line of the object that is to be applied with force; empty for none. Any text. */
  readonly takeOver: string;
  /** Fields that stay as others have written them, by the lines of their objects. */
  readonly kept: ReadonlyMap<string, readonly KeptField[]>;
  /** What its annotations ask of all of a sync, to be compared. */
  readonly word: string;
  /** All that its annotations ask, to be compared. */
  readonly requests: string;
}

/** What the annotations of an inventory's ConfigMap ask of all of a sync. */
export function wordOf(configMap: unknown): string {
  return textsOf(configMap, [PRUNE_CONSENT, PAUSED, SYNC_REQUESTED]);
}

/** All that the annotations of an inventory's ConfigMap ask, also of single objects. */
export function requestsOf(configMap: unknown): string {
  return textsOf(configMap, [PRUNE_CONSENT, PAUSED, PAUSED_REASON, SYNC_REQUESTED, TAKE_OVER, KEPT_FIELDS]);
}

function textsOf(configMap: unknown, names: readonly string[]): string {
  const annotations = fieldsAt(fieldsAt(configMap, "metadata"), "annotations");
  return JSON.stringify(names.map((name) => textAt(annotations, name)));
}

/**
 * The inventory of an agent and a project whose manifests name none: name and id as Go's agentk makes them. Releases of ours before this one took the
 * name for the id.
 */
export function inventoryRefOf(agentId: bigint, projectId: bigint, namespace: string): InventoryRef {
  const name = `inventory-${agentId}-${projectId}`;
  return { namespace, name, id: `${agentId}-${projectId}`, formerId: name };
}
