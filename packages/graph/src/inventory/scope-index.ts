import { encodeKey } from "@binnacle/kube";

import type { GraphChanges } from "../graph-model.ts";
import { Listings } from "./listings.ts";
import type { Membership } from "./members-of.ts";
import { isSelected, type ScopeNode, type ScopeSelector } from "./scope-selector.ts";

/**
 * `membersOf`, kept up to date with a live graph: an update costs the subtree of what it changes. Feed it the changes of a
 * `ResourceGraph` from the first on; read it after each batch, when the owners form a forest again. Synchronous, never throws.
 */
export class ScopeIndex {
  readonly #selector: ScopeSelector;
  readonly #nodes = new Map<string, ScopeNode>();
  /** Owner → children, also of owners that are not there (yet). */
  readonly #children = new Map<string, Set<string>>();
  readonly #selected = new Set<string>();
  readonly #members = new Map<string, Membership>();
  /** Nodes whose membership, and that of all below them, has to be looked at again. */
  readonly #dirty = new Set<string>();
  /** Nodes whose membership changed since it was last read, and what it was then. */
  readonly #before = new Map<string, Membership | undefined>();
  /** Only for a selector by inventory: what it lists, and who is called so. A ghost may be called like an object that is there. */
  readonly #listings: Listings | undefined;
  readonly #named = new Map<string, string>();
  /** Keys whose listing changed since it was last read. */
  readonly #relisted = new Set<string>();

  constructor(selector: ScopeSelector) {
    this.#selector = selector;
    this.#listings = selector.inventory === undefined ? undefined : new Listings(selector.inventory);
  }

  /** Takes what changed in a graph. */
  apply({ upsertedNodes, removedNodes }: Pick<GraphChanges, "upsertedNodes" | "removedNodes">): void {
    for (const id of removedNodes) this.remove(id);
    for (const node of upsertedNodes) this.upsert(node);
  }

  /** Adds a node, or replaces what was known of it. */
  upsert(node: ScopeNode): void {
    const before = this.#nodes.get(node.id);
    this.#nodes.set(node.id, node);
    if (before?.ownerId !== node.ownerId) {
      this.#adopt(node.id, before?.ownerId, node.ownerId);
      this.#dirty.add(node.id);
    }
    if (before === undefined) this.#dirty.add(node.id);
    if (this.#listings !== undefined) this.#account(this.#listings, before, node);
    this.#select(node);
  }

  /** Removes a node; one that is not known is ignored. */
  remove(id: string): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    this.#nodes.delete(id);
    this.#adopt(id, node.ownerId, undefined);
    if (this.#listings !== undefined) this.#account(this.#listings, node, undefined);
    this.#selected.delete(id);
    this.#dirty.add(id);
  }

  /** How a node belongs to the scope; `undefined` when it does not. */
  membershipOf(id: string): Membership | undefined {
    this.#settle();
    return this.#members.get(id);
  }

  /** All members, as a copy in no particular order. */
  members(): ReadonlyMap<string, Membership> {
    this.#settle();
    return new Map(this.#members);
  }

  /** Ids whose membership changed since it was last called: came, went, or became the other. Sorted. */
  takeAffected(): string[] {
    this.#settle();
    const affected = [...this.#before].filter(([id, before]) => this.#members.get(id) !== before).map(([id]) => id);
    this.#before.clear();
    return affected.sort();
  }

  /** Whether the requested inventory lists what has this key (`encodeKey`), be it there or not. */
  lists(key: string): boolean {
    for (const _line of this.#listings?.of(key) ?? []) return true;
    return false;
  }

  /** Keys (`encodeKey`) of which `lists` may say something else since it was last called; ids of ghosts are keys. */
  takeRelisted(): string[] {
    const relisted = [...this.#relisted];
    this.#relisted.clear();
    return relisted;
  }

  #adopt(id: string, before: string | undefined, after: string | undefined): void {
    if (before !== undefined) drop(this.#children, before, id);
    if (after !== undefined) add(this.#children, after, id);
  }

  #select(node: ScopeNode): void {
    const selected = isSelected(node, this.#selector, (key) => this.#listings?.of(key) ?? []);
    if (selected === this.#selected.has(node.id)) return;
    if (selected) this.#selected.add(node.id);
    else this.#selected.delete(node.id);
    this.#dirty.add(node.id);
  }

  /** Keeps names and lists; objects that are newly listed, or no longer, are checked again. */
  #account(listings: Listings, before: ScopeNode | undefined, after: ScopeNode | undefined): void {
    const id = after?.id ?? before?.id ?? "";
    if (after?.presence === "present") this.#named.set(encodeKey(after), id);
    else if (before !== undefined && this.#named.get(encodeKey(before)) === id) this.#named.delete(encodeKey(before));
    if (before?.object === after?.object) return;
    for (const key of listings.update(id, after?.object)) {
      this.#relisted.add(key);
      const node = this.#nodes.get(this.#named.get(key) ?? "");
      if (node !== undefined) this.#select(node);
    }
  }

  #settle(): void {
    if (this.#dirty.size === 0) return;
    const dirty = new Set(this.#dirty);
    this.#dirty.clear();
    for (const id of dirty) {
      const above = this.#ancestorsOf(id);
      const isOwned = above.some((each) => this.#selected.has(each));
      // One walk from the topmost reaches all below it.
      if (!above.some((each) => dirty.has(each))) this.#walk(id, isOwned);
    }
  }

  #ancestorsOf(id: string): string[] {
    const above: string[] = [];
    const limit = this.#nodes.size;
    let at = this.#nodes.get(id)?.ownerId;
    for (; at !== undefined && this.#nodes.has(at) && above.length < limit; at = this.#nodes.get(at)?.ownerId) above.push(at);
    return above;
  }

  #walk(top: string, isOwned: boolean): void {
    const seen = new Set([top]);
    const found: [string, boolean][] = [[top, isOwned]];
    // The list grows while it is walked; no node is on it twice, so it ends.
    for (const [id, owned] of found) {
      const selected = this.#selected.has(id);
      this.#setMembership(id, owned && this.#nodes.has(id) ? "generated" : selected ? "managed" : undefined);
      for (const child of this.#children.get(id) ?? []) {
        if (seen.has(child)) continue;
        seen.add(child);
        // An owner that is gone owns nothing.
        found.push([child, this.#nodes.has(id) && (owned || selected)]);
      }
    }
  }

  #setMembership(id: string, membership: Membership | undefined): void {
    const before = this.#members.get(id);
    if (before === membership) return;
    if (!this.#before.has(id)) this.#before.set(id, before);
    if (membership === undefined) this.#members.delete(id);
    else this.#members.set(id, membership);
  }
}

function add<V>(sets: Map<string, Set<V>>, key: string, value: V): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

function drop<V>(sets: Map<string, Set<V>>, key: string, value: V): void {
  const known = sets.get(key);
  known?.delete(value);
  if (known?.size === 0) sets.delete(key);
}
