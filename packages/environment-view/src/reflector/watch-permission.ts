import type { ResourceKind } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import type { WatchClaim } from "../limits/watch-budget.ts";

/** A right to watch may be given at any time; it is requested again this long after it was denied. */
const RETRY_MS = 300_000;
/** A kind that may not be watched is listed this often. */
const LIST_MS = 60_000;
/** After kas has rejected a watch none is requested sooner. */
const LEAST_WAIT_MS = 60_000;
/** A proxy may ask for patience, but not for ever. */
const MAX_WAIT_MS = 600_000;

/** What a permission works with. */
export interface WatchPermissionOptions {
  readonly kind: ResourceKind;
  readonly clock: Clock;
  /** The place for its watch. */
  readonly watch: WatchClaim;
  /** How long a list stands for a watch that the agent does not carry. */
  readonly sampleMs: () => number;
}

/** Whether a kind may be watched now, and why not. A refusal ends by itself: rights and watches come and go. */
export class WatchPermission {
  readonly #options: WatchPermissionOptions;
  #refusedAtMs: number | undefined;
  #nextAtMs: number | undefined;

  constructor(options: WatchPermissionOptions) {
    this.#options = options;
  }

  /** There could be a watch, but for others of the agent. */
  get isWaiting(): boolean {
    return this.#options.watch.isWaiting;
  }

  /** What aborts when a watch that is opened now must end; `undefined` when none may be opened. */
  place(): AbortSignal | undefined {
    const { kind, clock, watch } = this.#options;
    const now = clock.now();
    const isDue = now >= (this.#nextAtMs ?? now) && now >= (this.#refusedAtMs ?? Number.NEGATIVE_INFINITY) + RETRY_MS;
    return isDue && kind.verbs.includes("watch") ? watch.take() : undefined;
  }

  /** Waits for as long as a list is good. @returns whether there is a place for a watch before that, which may go on from the list */
  async wait(signal: AbortSignal): Promise<boolean> {
    const { clock, watch } = this.#options;
    const { isWaiting } = watch;
    await sleep(clock, this.everyMs(), isWaiting ? AbortSignal.any([signal, watch.granted()]) : signal);
    return isWaiting && !watch.isWaiting;
  }

  /** How often the kind is listed while there is no watch. */
  everyMs(): number {
    return this.isWaiting || this.#nextAtMs !== undefined ? this.#options.sampleMs() : LIST_MS;
  }

  /** Why there is no watch, for people; `undefined` while there may be one. */
  why(): Words | undefined {
    const { kind, watch, sampleMs } = this.#options;
    if (!kind.verbs.includes("watch")) return words("source/no-watch");
    if (this.#refusedAtMs !== undefined) return words("source/watch-refused");
    if (this.#nextAtMs === undefined && !watch.isWaiting) return undefined;
    const seconds = sampleMs() / 1_000;
    const { assumedLimit: most } = watch;
    return most === undefined ? words("source/watch-budget", { seconds }) : words("source/watch-budget-assumed", { most, seconds });
  }

  /** A watch was accepted. */
  granted(): void {
    this.#refusedAtMs = undefined;
    this.#nextAtMs = undefined;
  }

  /** The API server refused the verb. */
  refused(): void {
    this.#refusedAtMs = this.#options.clock.now();
    this.#options.watch.give();
  }

  /** The kind itself is refused: of its watches nothing is known. */
  forget(): void {
    this.#refusedAtMs = undefined;
    this.#options.watch.give();
  }

  /** The agent carries no more watches. */
  postponed(retryAfterSeconds: number): void {
    const waitMs = Math.max(LEAST_WAIT_MS, Math.min(retryAfterSeconds * 1_000, MAX_WAIT_MS));
    this.#nextAtMs = this.#options.clock.now() + waitMs;
    this.#options.watch.give();
  }
}
