import { encodeKey, fieldsAt, type KubeObject } from "@binnacle/kube";

import type { GraphNode } from "../graph-model.ts";
import { matchesSelector, type LabelSelector } from "../label-selector.ts";
import type { InventoryEntry } from "./inventories-of.ts";
import type { ManagedBy } from "./managed-by.ts";
import { managerOf } from "./manager-of.ts";

/** Which objects are asked for: all that is said must hold. What is left out, or an empty list, asks for nothing in particular. */
export interface ScopeSelector {
  readonly namespaces?: readonly string[];
  readonly labels?: LabelSelector;
  /** Objects that bear its mark or that it lists. For Argo CD `name`, or `namespace_name` to tell Applications of one name apart. */
  readonly inventory?: ManagedBy;
}

/** What a scope looks at in a node. `ownerId` leads to its parent in a forest. */
export type ScopeNode = Pick<GraphNode, "id" | "group" | "kind" | "namespace" | "name" | "presence" | "ownerId" | "object">;

/** Lines of the inventory asked for that list an object. */
export type ListingsOf = (key: string) => Iterable<InventoryEntry>;

/** Whether a line belongs to the inventory that is asked for. */
export function isLineOf({ inventory, listedBy }: InventoryEntry, asked: ManagedBy): boolean {
  if (inventory.tool !== asked.tool) return false;
  return inventory.name === asked.name || (asked.tool === "argocd" && `${listedBy.namespace}_${inventory.name}` === asked.name);
}

/**
 * Whether a node is asked for by itself, whoever owns it. Ghosts never are.
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
function belongsTo(object: KubeObject, asked: ManagedBy, listings: Iterable<InventoryEntry>): boolean {
  const mark = managerOf(object);
  if (mark?.tool === asked.tool && mark.name === asked.name) return true;
  for (const { inventory, listedBy } of listings) {
    if (mark?.tool !== asked.tool) return true;
    // An Application asked for by its long name is called by its short one in the marks of its own namespace.
    if (mark.name === inventory.name && asked.name === `${listedBy.namespace}_${inventory.name}`) return true;
  }
  return false;
}
