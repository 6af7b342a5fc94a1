import { createHmac, randomBytes } from "node:crypto";

import { Fault, type Clock } from "@binnacle/rpc";

/** How long answers are kept. 0: not at all. */
export interface CacheTtl {
  readonly okMs: number;
  readonly refusedMs: number;
}

type Entry<T> = { readonly expiresAtMs: number } & (
  { readonly kind: "ok"; readonly value: T } | { readonly kind: "refused"; readonly fault: Fault }
);

const MAX_ENTRIES = 50_000;
/** What only the main application's answer decides; everything else (it is down, we are cancelled) is asked again. */
const REFUSALS: ReadonlySet<string> = new Set(["token_unknown", "agent_forbidden", "agent_unknown", "not_found"]);

/**
 * Answers of the main application by all inputs of the question: the key is an HMAC with a secret of this process, so neither a
 * missing input nor a memory dump gives a credential away. One look-up at a time per key; a caller that leaves ends only its own wait.
 */
export class CachedLookup<T> {
  readonly #secret = randomBytes(32);
  readonly #entries = new Map<string, Entry<T>>();
  readonly #running = new Map<string, Promise<T>>();
  readonly #clock: Clock;
  readonly #ttl: CacheTtl;

  constructor(clock: Clock, ttl: CacheTtl) {
    this.#clock = clock;
    this.#ttl = ttl;
  }

  /** @param inputs everything the answer depends on @throws Fault of `look`, or `cancelled` */
  get(inputs: readonly string[], signal: AbortSignal, look: () => Promise<T>): Promise<T> {
    const key = this.#keyOf(inputs);
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.expiresAtMs > this.#clock.now()) {
      return entry.kind === "ok" ? Promise.resolve(entry.value) : Promise.reject(entry.fault);
    }
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#look(key, look).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return unlessAborted(running, signal);
  }

  #keyOf(inputs: readonly string[]): string {
    const hmac = createHmac("sha256", this.#secret);
    for (const input of inputs) hmac.update(`${Buffer.byteLength(input)}:`).update(input);
    return hmac.digest("base64");
  }

  async #look(key: string, look: () => Promise<T>): Promise<T> {
    try {
      const value = await look();
      this.#keep(key, { kind: "ok", value, expiresAtMs: this.#clock.now() + this.#ttl.okMs });
      return value;
    } catch (error) {
      if (error instanceof Fault && REFUSALS.has(error.reason))
        this.#keep(key, { kind: "refused", fault: error, expiresAtMs: this.#clock.now() + this.#ttl.refusedMs });
      throw error;
    }
  }

  #keep(key: string, entry: Entry<T>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    // Maps keep their order of insertion: the first is the oldest.
    if (this.#entries.size > MAX_ENTRIES) for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }
}

function unlessAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new Fault("cancelled", "the caller left"));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
