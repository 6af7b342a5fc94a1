/** The version that a reader has, and whether it was notified of a newer one. */
export class ReaderState {
  /** Absent: nothing was taken. */
  version: number | undefined;
  readonly #ready: () => void;
  #announced = false;

  /** @param ready is called when there is something to take, once until it is taken */
  constructor(ready: () => void, version: number | undefined) {
    this.#ready = ready;
    this.version = version;
  }

  /** There is something to take. */
  announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    // Never inside the caller's turn: the subscription is not in its hands yet, and a reader must not run in a writer.
    queueMicrotask(this.#ready);
  }

  /** The reader has everything up to this version. */
  taken(version: number): void {
    this.version = version;
    this.#announced = false;
  }
}
