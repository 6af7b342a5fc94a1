import type { Clock } from "@binnacle/rpc";

/** What was refused is not asked for again for so long; then the other side may have become newer. */
const REMEMBERED_MS = 10 * 60_000;

/** Something that another program has refused as a kind of question, whoever asked. */
export class RememberedRefusal {
  readonly #clock: Clock;
  #atMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It is not worth asking now. */
  get isRemembered(): boolean {
    if (this.#atMs === undefined) return false;
    const ageMs = this.#clock.now() - this.#atMs;
    // A clock that was put back makes it old.
    return ageMs >= 0 && ageMs < REMEMBERED_MS;
  }

  /** It was refused just now. */
  remember(): void {
    this.#atMs = this.#clock.now();
  }
}
