/**
 * A queue of many flows that take turns: a flow with a thousand items waits behind its own items, and a new flow behind one item of each.
 * Every operation but `dropFromLongest` takes constant time.
 */
export class FairQueue<T> {
  /** In the order of their turns; none is empty. */
  readonly #flows = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(flow: string): number {
    return this.#flows.get(flow)?.size ?? 0;
  }

  /** Turns until the next item of this flow would have its own, at most. */
  turnsAhead(flow: string): number {
    const own = this.sizeOf(flow);
    const others = this.#flows.size - (own === 0 ? 0 : 1);
    return Math.min(this.#size, own + others * (own + 1));
  }

  push(flow: string, item: T): void {
    const items = this.#flows.get(flow);
    if (items === undefined) this.#flows.set(flow, new Set([item]));
    else items.add(item);
    this.#size += 1;
  }

  /** Removes and returns the next item; its flow goes to the end. */
  shift(): T | undefined {
    for (const [flow, items] of this.#flows) {
      for (const item of items) {
        this.delete(flow, item);
        if (this.#flows.delete(flow)) this.#flows.set(flow, items);
        return item;
      }
    }
    return undefined;
  }

  /** @returns whether it was there */
  delete(flow: string, item: T): boolean {
    const items = this.#flows.get(flow);
    if (items?.delete(item) !== true) return false;
    this.#size -= 1;
    if (items.size === 0) this.#flows.delete(flow);
    return true;
  }

  /** Takes the newest item of the longest flow out; undefined when no flow is longer than `length`. */
  dropFromLongest(length: number): T | undefined {
    let longest: [string, Set<T>] | undefined;
    for (const entry of this.#flows) if (entry[1].size > (longest?.[1].size ?? length)) longest = entry;
    if (longest === undefined) return undefined;
    const [flow, items] = longest;
    const newest = [...items].at(-1);
    if (newest !== undefined) this.delete(flow, newest);
    return newest;
  }
}
