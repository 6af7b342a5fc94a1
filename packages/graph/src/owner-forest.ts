import { MultiMap } from "./multi-map.ts";

/**
 * Every node has at most one wished-for parent; this class makes a forest of that. A ring of wishes is cut at the wish for its
 * smallest id, whatever the order in which the wishes arrived. Every walk is a loop, and costs the depth of the tree.
 */
export class OwnerForest {
  readonly #wish = new Map<string, string>();
  /** Node whose wish is not granted → all nodes of its ring. */
  readonly #cut = new Map<string, readonly string[]>();
  /** Node of a ring → the node that was cut. */
  readonly #ringOf = new Map<string, string>();
  readonly #children = new MultiMap<string, string>();

  /**
   * Changes wishes; `undefined` takes one back.
   *
   * @returns nodes whose parent may have changed
   */
  update(wishes: ReadonlyMap<string, string | undefined>): Set<string> {
    const touched = new Set<string>();
    for (const [node, parent] of wishes) {
      const before = this.#wish.get(node);
      if (before === parent) continue;
      this.#mend(node, touched);
      if (before !== undefined) this.#children.delete(before, node);
      if (parent === undefined) this.#wish.delete(node);
      else {
        this.#wish.set(node, parent);
        this.#children.add(parent, node);
      }
      touched.add(node);
    }
    for (const node of wishes.keys()) this.#cutRing(node, touched);
    return touched;
  }

  /** Parent in the forest. */
  parentOf(node: string): string | undefined {
    return this.#cut.has(node) ? undefined : this.#wish.get(node);
  }

  /** Children in the forest. */
  childrenOf(node: string): string[] {
    return this.#children.get(node).filter((child) => !this.#cut.has(child));
  }

  /** Ancestors, nearest first. */
  ancestorsOf(node: string): string[] {
    const ancestors: string[] = [];
    for (let parent = this.parentOf(node); parent !== undefined; parent = this.parentOf(parent)) ancestors.push(parent);
    return ancestors;
  }

  /** All nodes below, breadth first. */
  descendantsOf(node: string): string[] {
    const found = this.childrenOf(node);
    // The list grows while it is walked; a forest has no rings, so it ends.
    for (const each of found) found.push(...this.childrenOf(each));
    return found;
  }

  /** Rings that had to be cut, as lists of ids. */
  rings(): (readonly string[])[] {
    return [...this.#cut.values()];
  }

  /** Forgets the ring that the node is in: one of its wishes changes, so that it is none any more. */
  #mend(node: string, touched: Set<string>): void {
    const cut = this.#ringOf.get(node);
    if (cut === undefined) return;
    for (const member of this.#cut.get(cut) ?? []) this.#ringOf.delete(member);
    this.#cut.delete(cut);
    touched.add(cut);
  }

  /** Whether the wishes above a node never end, nor reach a ring that is known. Nothing is remembered on the way. */
  #leadsToRing(start: string): boolean {
    let landmark = start;
    let node = this.#wish.get(start);
    for (let steps = 1, limit = 1; node !== undefined && !this.#ringOf.has(node); steps += 1) {
      if (node === landmark) return true;
      if (steps === limit) [landmark, limit, steps] = [node, limit * 2, 0];
      node = this.#wish.get(node);
    }
    return false;
  }

  #cutRing(start: string, touched: Set<string>): void {
    if (!this.#leadsToRing(start)) return;
    const path = new Map<string, number>();
    let node: string | undefined = start;
    while (node !== undefined && !path.has(node) && !this.#ringOf.has(node)) {
      path.set(node, path.size);
      node = this.#wish.get(node);
    }
    const entry = node === undefined ? undefined : path.get(node);
    if (entry === undefined) return;
    const ring = [...path.keys()].slice(entry);
    const smallest = ring.reduce((least, each) => (each < least ? each : least));
    const cut = ring.find((each) => this.#wish.get(each) === smallest) ?? smallest;
    this.#cut.set(cut, ring);
    for (const member of ring) this.#ringOf.set(member, cut);
    touched.add(cut);
  }
}
