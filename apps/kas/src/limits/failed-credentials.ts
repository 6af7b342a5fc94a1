import { Fault, type Clock } from "@binnacle/rpc";

import { LRUCache } from "lru-cache";

import { KeyedRateLimit, type KeyedRate } from "./keyed-rate-limit.ts";
import { atMost } from "./at-most.ts";

/** How many refused credentials there may be. */
export interface FailedCredentialsLimits {
  readonly perAddress: KeyedRate;
  readonly inAll: KeyedRate;
}

/** A question about a credential that is not known; one of the two is called when the answer is there. */
export interface Attempt {
  failed(): void;
  /** It was valid, or the lookup had no result. */
  forgiven(): void;
}

const MAX_ADDRESSES = 20_000;
const ALL = "all";
/** So long is an address suspect after a bad credential. */
const SUSPECT_MS = 600_000;
/** Retry times are spread by at most this, so that rejected clients do not all retry together. */
const SPREAD_MS = 5_000;

/** Refused credentials per client address and in all. */
export class FailedCredentials {
  readonly #clock: Clock;
  readonly #failedAtMs = new LRUCache<string, number>(atMost(MAX_ADDRESSES));
  readonly #perAddress: KeyedRateLimit;
  readonly #inAll: KeyedRateLimit;
  /** Of callers that retried at their retry time: without this limit one client that tries tokens would block its whole address. */
  readonly #returned: KeyedRateLimit;

  constructor(clock: Clock, { perAddress, inAll }: FailedCredentialsLimits) {
    this.#clock = clock;
    this.#perAddress = new KeyedRateLimit(clock, { ...perAddress, maxKeys: MAX_ADDRESSES });
    this.#returned = new KeyedRateLimit(clock, { ...perAddress, maxKeys: MAX_ADDRESSES });
    this.#inAll = new KeyedRateLimit(clock, { ...inAll, maxKeys: 1 });
  }

  /** Whether there are too many in all. */
  get tooMany(): boolean {
    return this.#inAll.waitMs(ALL) > 0;
  }

  /** Whether nothing bad came from there lately. */
  isClean(address: string): boolean {
    const atMs = this.#failedAtMs.get(address);
    return atMs === undefined || this.#clock.now() - atMs >= SUSPECT_MS;
  }

  /** @returns Fault `rate_limited` with `retryAfterSeconds` when too many came from there */
  refusalOf(address: string): Fault | undefined {
    const waitMs = this.waitMs(address);
    return waitMs <= 0 ? undefined : this.refusal(address);
  }

  /** Milliseconds until the next lookup for the address is allowed; 0: now. */
  waitMs(address: string): number {
    return this.#perAddress.waitMs(address);
  }

  /** The error, with a retry time, for an address with too many failures. */
  refusal(address: string): Fault {
    const waitMs = this.waitMs(address);
    const retryAfterSeconds = Math.ceil((waitMs + Math.random() * SPREAD_MS) / 1_000);
    const message = `too many refused credentials came from this address; come back in ${retryAfterSeconds} s`;
    return new Fault("rate_limited", message, { retryAfterSeconds });
  }

  /** Whether a caller of the address that retried at its retry time gets a lookup though `refusal` applies; see `returned`. */
  allowsReturned(address: string): boolean {
    return this.#returned.waitMs(address) === 0;
  }

  /** A returning caller gets its lookup, and spends a token whatever the result: bad credentials that return have one more such rate, and no more. */
  returned(address: string): Attempt {
    this.#returned.spend(address);
    return { failed: () => this.#failed(address), forgiven: () => undefined };
  }

  /** An address that is not clean pays in advance: else all it can send before the first answer would be free. */
  attempt(address: string): Attempt {
    const paid = !this.isClean(address);
    if (paid) this.#perAddress.spend(address);
    return {
      failed: () => {
        this.#failed(address);
        if (!paid) this.#perAddress.spend(address);
      },
      forgiven: () => {
        if (paid) this.#perAddress.giveBack(address);
      },
    };
  }

  #failed(address: string): void {
    this.#failedAtMs.set(address, this.#clock.now());
    this.#inAll.spend(ALL);
  }
}
