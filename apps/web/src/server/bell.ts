/** Wakes one waiter: many may ring, rings before the wait are not lost, and several rings are one. */
export class Bell {
  #rung = false;
  #waiter: (() => void) | undefined;

  /** Bound, so that it can be handed out as a callback. */
  readonly ring = (): void => {
    this.#rung = true;
    this.#waiter?.();
  };

  /** Settles at the next ring, or at once after one that nobody has waited for. */
  async wait(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#waiter = resolve));
    this.#waiter = undefined;
    this.#rung = false;
  }
}
