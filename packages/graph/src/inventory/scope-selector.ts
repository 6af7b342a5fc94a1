import { encodeKey, fieldsAt, type KubeObject } from "@binnacle/kube";

import type { GraphNode } from "../graph-model.ts";
import { matchesSelector, type LabelSelector } from "../label-selector.ts";
import type { InventoryEntry } from "./inventories-of.ts";
import type { ManagedBy } from "./managed-by.ts";
import { managerOf } from "./manager-of.ts";

/** Which objects are selected: all given conditions must hold. An absent condition or an empty list restricts nothing. */
export interface ScopeSelector {
  readonly namespaces?: readonly string[];
  readonly labels?: LabelSelector;
  /** Objects that bear its mark or that it lists. For Argo CD `name`, or `namespace_name` to distinguish Applications of one name. */
  readonly inventory?: ManagedBy;
}

/** What a scope looks at in a node. `ownerId` leads to its parent in a forest. */
export type ScopeNode = Pick<GraphNode, "id" | "group" | "kind" | "namespace" | "name" | "presence" | "ownerId" | "object">;

/** Lines of the requested inventory that list an object. */
export type ListingsOf = (key: string) => Iterable<InventoryEntry>;

/** Whether a line belongs to the requested inventory. */
export function isLineOf({ inventory, listedBy }: InventoryEntry, requested: ManagedBy): boolean {
  if (inventory.tool !== requested.tool) return false;
  return inventory.name === requested.name || (requested.tool === "argocd" && `${listedBy.namespace}_${inventory.name}` === requested.name);
}

/**
 * Whether a node itself is selected, whatever owns it. Ghosts never are.
 *
 * @param listingsOf by `encodeKey` of an object
 */
export function isSelected(node: ScopeNode, selector: ScopeSelector, listingsOf: ListingsOf): boolean {
  const { namespaces, labels, inventory } = selector;
  if (node.presence !== "present" || node.object === undefined) return false;
  if (namespaces !== undefined && namespaces.length > 0 && !namespaces.includes(node.namespace)) return false;
  if (labels !== undefined && !matchesSelector(labels, fieldsAt(node.object.metadata, "labels"))) return false;
  return inventory === undefined || belongsTo(node.object, inventory, listingsOf(encodeKey(node)));
}

/** By its own mark, else because it is listed. A mark of another inventory of the same tool outweighs the list: it was handed over. */
function belongsTo(object: KubeObject, requested: ManagedBy, listings: Iterable<InventoryEntry>): boolean {
  const mark = managerOf(object);
  if (mark?.tool === requested.tool && mark.name === requested.name) return true;
  for (const { inventory, listedBy } of listings) {
    if (mark?.tool !== requested.tool) return true;
    // An Application that is requested by its long name has its short one in the marks of its own namespace.
    if (mark.name === inventory.name && requested.name === `${listedBy.namespace}_${inventory.name}`) return true;
  }
  return false;
}
