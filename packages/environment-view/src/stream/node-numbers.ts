/**
 * Small numbers for the nodes of a graph, or for its edges: an id of the graph is long, and stands in thousands of edges. What left has
 * none any more, and is given another one when it comes back, so that nobody takes a new one for an old one.
 */
export class NodeNumbers {
  readonly #numbers = new Map<string, number>();
  #last = 0;

  /** How many are known. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The number of an id, from 1; given to it now when it has none. */
  of(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#numbers.set(id, this.#last);
    return this.#last;
  }

  /** The number of an id; `undefined` when it has none. */
  known(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The id has left. */
  forget(id: string): void {
    this.#numbers.delete(id);
  }
}
