import type { HealthResult } from "@binnacle/health";

/** Results by question; when full, the least recently used one is removed. */
export class ResultCache {
  readonly #size: number;
  readonly #results = new Map<string, HealthResult | null>();

  /** @param size how many results are remembered */
  constructor(size: number) {
    this.#size = size;
  }

  /** `undefined`: not known; `null`: known, and no opinion. */
  get(key: string): HealthResult | null | undefined {
    const result = this.#results.get(key);
    if (result === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return result;
  }

  set(key: string, result: HealthResult | null): void {
    this.#results.delete(key);
    this.#results.set(key, result);
    if (this.#results.size <= this.#size) return;
    const oldest = this.#results.keys().next();
    if (oldest.done !== true) this.#results.delete(oldest.value);
  }

  delete(key: string): void {
    this.#results.delete(key);
  }

  clear(): void {
    this.#results.clear();
  }
}
