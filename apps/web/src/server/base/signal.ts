/** Wakes one waiter: many may raise it, what was raised before the wait is not lost, and several times are one. */
export class Signal {
  #raised = false;
  #waiter: (() => void) | undefined;

  /** Bound, so that it can be handed out as a callback. */
  readonly raise = (): void => {
    this.#raised = true;
    this.#waiter?.();
  };

  /** Settles when it is raised next, or at once if it was raised since the last wait. */
  async wait(): Promise<void> {
    if (!this.#raised) await new Promise<void>((resolve) => (this.#waiter = resolve));
    this.#waiter = undefined;
    this.#raised = false;
  }
}
