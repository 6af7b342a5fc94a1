import { addressGroup, Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

/** Tokens that one client may try within a minute. */
const PER_CLIENT = 20;
const CLIENT_WINDOW_MS = 60_000;
/** Unknown tokens that all clients together may try within a second: the main application is queried for each of them. */
const IN_TOTAL = 20;
const TOTAL_WINDOW_MS = 1_000;
/** A token that was accepted within this time is never refused: a storm of made-up ones must not lock its owner out. */
const KNOWN_FOR_MS = 24 * 60 * 60_000;
const MAX_REMEMBERED = 10_000;

/** What ran into a limit. */
export type SignInBound = "sign_in_client" | "sign_in_total";

interface Window {
  readonly beganAtMs: number;
  attempts: number;
}

/** What the limit works with. */
export interface SignInLimitOptions {
  readonly clock: Clock;
  readonly refused: (by: SignInBound) => void;
}

/**
 * How often tokens may be tried, by client and by all. A client is held back before it can use up what belongs to all. Both
 * memories are bounded: the client or token not seen for longest is forgotten.
 */
export class SignInLimit {
  readonly #clients = new LRUCache<string, Window>({ max: MAX_REMEMBERED });
  readonly #known = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  readonly #options: SignInLimitOptions;
  #total: Window;

  constructor(options: SignInLimitOptions) {
    this.#options = options;
    this.#total = { beganAtMs: options.clock.now(), attempts: 0 };
  }

  /**
   * Counts one attempt.
   *
   * @param tokenName a keyed hash of the token
   * @throws Fault `rate_limited` that says when to come back
   */
  attempt({ clientAddress, tokenName }: { readonly clientAddress: string; readonly tokenName: string }): void {
    if (this.knows(tokenName)) return;
    const nowMs = this.#options.clock.now();
    const network = addressGroup(clientAddress);
    const client = current(this.#clients.get(network), nowMs, CLIENT_WINDOW_MS);
    this.#clients.set(network, client);
    if (client.attempts >= PER_CLIENT) throw this.#refusal("sign_in_client", client.beganAtMs + CLIENT_WINDOW_MS - nowMs);
    client.attempts += 1;
    this.#total = current(this.#total, nowMs, TOTAL_WINDOW_MS);
    if (this.#total.attempts >= IN_TOTAL) throw this.#refusal("sign_in_total", this.#total.beganAtMs + TOTAL_WINDOW_MS - nowMs);
    this.#total.attempts += 1;
  }

  /** Whether the main application has accepted this token lately. */
  knows(tokenName: string): boolean {
    return this.#options.clock.now() - (this.#known.get(tokenName) ?? -Infinity) < KNOWN_FOR_MS;
  }

  /** The main application does not know this token any more: it is as any other. */
  forget(tokenName: string): void {
    this.#known.delete(tokenName);
  }

  /** The main application knows this token. */
  accepted(tokenName: string): void {
    this.#known.set(tokenName, this.#options.clock.now());
  }

  #refusal(by: SignInBound, waitMs: number): Fault {
    this.#options.refused(by);
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return new Fault("rate_limited", `Too many attempts to sign in. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  }
}

/** The window that counts now; a clock that was set back begins a new one. */
function current(window: Window | undefined, nowMs: number, lengthMs: number): Window {
  const ageMs = window === undefined ? Infinity : nowMs - window.beganAtMs;
  return window !== undefined && ageMs >= 0 && ageMs < lengthMs ? window : { beganAtMs: nowMs, attempts: 0 };
}
