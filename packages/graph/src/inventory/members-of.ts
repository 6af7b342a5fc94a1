import { Listings } from "./listings.ts";
import { isSelected, type ScopeNode, type ScopeSelector } from "./scope-selector.ts";

/** `managed`: selected itself, and no other member owns it. `generated`: a member owns it, at any depth. */
export type Membership = "managed" | "generated";

/** The part of `ResourceGraph` that a scope needs. */
export interface ScopeGraph {
  /** All nodes, ghosts included. */
  nodes(): readonly ScopeNode[];
  /** Ids below a node in the ownership forest. */
  descendantsOf(id: string): readonly string[];
}

/**
 * The objects that a selector selects, and everything that they own, wherever it lives. Ownership is the forest of the graph:
 * one owner each, the controller first.
 *
 * @returns membership by id of the node, in the order of `graph.nodes()`; linear in nodes and depth. For a live view see `ScopeIndex`.
 */
export function membersOf(graph: ScopeGraph, selector: ScopeSelector): ReadonlyMap<string, Membership> {
  const nodes = graph.nodes();
  const listings = selector.inventory === undefined ? undefined : new Listings(selector.inventory);
  for (const { id, object } of nodes) listings?.update(id, object);
  const selected = new Set<string>();
  for (const node of nodes) if (isSelected(node, selector, (key) => listings?.of(key) ?? [])) selected.add(node.id);
  const owned = new Set<string>();
  // Below one that is owned itself everything has been found already, or will be.
  for (const id of selected) if (!owned.has(id)) for (const below of graph.descendantsOf(id)) owned.add(below);
  const members = new Map<string, Membership>();
  for (const { id } of nodes) {
    if (owned.has(id)) members.set(id, "generated");
    else if (selected.has(id)) members.set(id, "managed");
  }
  return members;
}
