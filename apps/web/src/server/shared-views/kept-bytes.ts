import type { ByteBudget } from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

/** More entries than this are not kept, however small they are. */
const MAX_ENTRIES = 50_000;
/** What an entry costs beside its bytes: its key, and its place. */
const ENTRY_BYTES = 512;

/** Bounds of what is kept. */
export interface KeptBytesOptions {
  /** What everything in the process may hold; what is kept is charged to it, up to `mostBytes`. */
  readonly budget: ByteBudget;
  readonly mostBytes: number;
  readonly ttlMs: number;
  readonly clock: Clock;
}

/** Bytes by key, for a while: what was used last stays longest, and what finds no room is not kept. */
export class KeptBytes {
  readonly #entries: LRUCache<string, Uint8Array>;
  readonly #budget: ByteBudget;

  constructor({ budget, mostBytes, ttlMs, clock }: KeptBytesOptions) {
    this.#budget = budget.part(mostBytes);
    this.#entries = new LRUCache({
      max: MAX_ENTRIES,
      maxSize: mostBytes,
      sizeCalculation: weightOf,
      ttl: ttlMs,
      ttlResolution: 0,
      ttlAutopurge: false,
      perf: { now: () => clock.now() },
      dispose: (bytes) => this.#budget.give(weightOf(bytes)),
    });
  }

  /** Keeps the bytes in place of what stands there. @returns whether there was room */
  put(key: string, bytes: Uint8Array): boolean {
    this.#entries.delete(key);
    const weight = weightOf(bytes);
    if (weight > this.#budget.limitBytes) return false;
    this.#entries.purgeStale();
    // What others of the process hold may leave less than the limit says.
    while (!this.#budget.take(weight)) if (this.#entries.pop() === undefined) return false;
    this.#entries.set(key, bytes);
    return true;
  }

  get(key: string): Uint8Array | undefined {
    return this.#entries.get(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

function weightOf({ byteLength }: Uint8Array): number {
  return byteLength + ENTRY_BYTES;
}
