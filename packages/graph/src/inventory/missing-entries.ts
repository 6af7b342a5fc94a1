import { encodeKey } from "@binnacle/kube";

import type { KindAccessEntry } from "../graph-model.ts";
import { KindAccessTable } from "../kind-access.ts";
import { inventoriesOf, type InventoryEntry } from "./inventories-of.ts";
import type { ManagedBy } from "./managed-by.ts";
import { isLineOf, type ScopeNode } from "./scope-selector.ts";

/**
 * Lines of inventories whose object is not there although its kind is synced in its namespace; of other kinds this is unknown.
 *
 * @param nodes of a graph; ghosts do not count as there
 * @param access as given to `ResourceGraph.setKindAccess`
 * @param inventory only its lines; absent = those of all inventories
 * @returns sorted by target, then by who lists it
 */
export function missingEntriesOf(nodes: Iterable<ScopeNode>, access: Iterable<KindAccessEntry>, inventory?: ManagedBy): InventoryEntry[] {
  const table = new KindAccessTable();
  for (const entry of access) table.set(entry);
  const there = new Set<string>();
  const lines: InventoryEntry[] = [];
  for (const node of nodes) {
    if (node.presence !== "present") continue;
    there.add(encodeKey(node));
    if (node.object === undefined) continue;
    for (const line of inventoriesOf(node.object)) if (inventory === undefined || isLineOf(line, inventory)) lines.push(line);
  }
  const missing = lines.filter(({ target }) => !there.has(encodeKey(target)) && table.isComplete(target));
  return missing.sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
}

function orderOf({ target, listedBy }: InventoryEntry): string {
  return `${encodeKey(target)} ${encodeKey(listedBy)}`;
}
