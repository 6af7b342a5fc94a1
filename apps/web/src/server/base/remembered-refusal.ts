import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

/** A refused kind of request is not sent again for this time; then the other side may run a newer version. */
const REMEMBERED_MS = 10 * 60_000;
const MAX_AGENTS = 10_000;

/** Status codes of an agent, or of its kas, that has no such endpoint: they depend neither on the request nor on the viewer. */
export const NO_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 501]);

/** A kind of request that another program has refused, for any viewer. */
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

/** Agents that do not offer something, shared by all viewers: a request that is rejected spares the others the same for ten minutes. */
export class RefusalsByAgent {
  readonly #refusals = new LRUCache<bigint, RememberedRefusal>({ max: MAX_AGENTS });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The one record of an agent. */
  of(agentId: bigint): RememberedRefusal {
    const refusal = this.#refusals.get(agentId) ?? new RememberedRefusal(this.#clock);
    this.#refusals.set(agentId, refusal);
    return refusal;
  }
}
