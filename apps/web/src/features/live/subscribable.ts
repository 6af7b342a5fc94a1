/** Something that listeners follow. */
export class Subscribable {
  readonly #listeners = new Set<() => void>();

  /** Whether it has a subscriber. */
  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener. @returns what takes it away */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
