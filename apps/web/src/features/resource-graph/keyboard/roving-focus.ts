/** Which card is the one tab stop of the graph. Only the two cards that change places render. */
export class RovingFocus {
  readonly #listeners = new Map<string, Set<() => void>>();
  #current = "";

  get current(): string {
    return this.#current;
  }

  set(id: string): void {
    if (id === this.#current) return;
    const before = this.#current;
    this.#current = id;
    this.#tell(before);
    this.#tell(id);
  }

  subscribe(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(id);
    };
  }

  #tell(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}
