import { addressGroup, type Clock, Fault, type FaultReason } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { AddressQueue } from "./address-queue.ts";
import { atMost } from "./at-most.ts";
import { FailedCredentials, type Attempt, type FailedCredentialsLimits } from "./failed-credentials.ts";
import { FairThrottle } from "./fair-throttle.ts";
import { KeyedDigest } from "./keyed-digest.ts";
import type { Rate } from "./refilling-tokens.ts";

/** The caller whose credential the main application checks. */
export interface AskingCaller {
  readonly lane: "agents" | "users";
  /** Everything that makes the credential what it is, its kind first. */
  readonly credential: readonly string[];
  /** Where it comes from; absent: not known, which is one address for all. */
  readonly address?: string | undefined;
  /** Aborted when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
}

/** What the admission is made from. */
export interface CredentialAdmissionOptions {
  readonly clock: Clock;
  /** All calls to the main application. */
  readonly rate: Rate;
  /** Refused credentials. Beyond the limit in all, credentials that are not known have a third of the rate and no more. */
  readonly failures: FailedCredentialsLimits;
}

const NEVER = new AbortController().signal;
const KNOWN_WAIT_MS = 15_000;
/** A new credential is answered within this, if only with a time to come back. */
const NEW_WAIT_MS = 5_000;
/**
 * Results that a made-up credential can have: the agent is looked up before the credential. "Forbidden" is not one of them: only a
 * valid user receives it, and many users share the address of the dashboard.
 */
const FAILED: ReadonlySet<FaultReason> = new Set(["token_unknown", "agent_unknown", "not_found"]);
/** Thousands of agents may have to be spread over minutes; a person is not sent away for so long. */
const LANES = {
  agents: { weight: 2, comeBackWithinMs: 180_000 },
  users: { weight: 2, comeBackWithinMs: 10_000 },
  reports: { weight: 1, comeBackWithinMs: 60_000 },
};

const KNOWN_MS = 24 * 3_600_000;
const MAX_CALLERS = 65_536;
/** Of each generation; together with the keys some megabytes. */
const MAX_RETURNING = 20_000;
const GENERATION_MS = 60_000;

/**
 * Who may ask the main application next: agents, users and reports take turns; credentials that were good within a day go first, then
 * those from addresses that showed no bad one lately; of addresses that show too many bad ones a few wait for the next attempt, and the others are
 * rejected before any lookup. A credential that retries at its retry time is accepted for a lookup all the same.
 */
export class CredentialAdmission {
  readonly #throttle: FairThrottle<keyof typeof LANES>;
  readonly #known: KnownCallers;
  readonly #failures: FailedCredentials;
  readonly #returning: ReturningCredentials;
  readonly #busyAddresses: AddressQueue;
  readonly #clock: Clock;

  constructor({ clock, rate, failures }: CredentialAdmissionOptions) {
    this.#clock = clock;
    this.#known = new KnownCallers(clock);
    this.#failures = new FailedCredentials(clock, failures);
    this.#returning = new ReturningCredentials(clock);
    this.#busyAddresses = new AddressQueue({
      clock,
      waitMs: (address) => this.#failures.waitMs(address),
      refusal: (address) => this.#failures.refusal(address),
    });
    this.#throttle = new FairThrottle({
      clock,
      rate,
      lanes: LANES,
      busy: {
        reason: "main_application_unavailable",
        message: "the main application cannot be queried now: too many requests are waiting",
      },
      surplus: () => !this.#failures.tooMany,
    });
  }

  /**
   * Waits for the caller's turn, asks, and learns from the answer. A known caller is never rejected for its address.
   *
   * @throws Fault `rate_limited` (too many bad credentials from there), `main_application_unavailable` (too many wait), both with
   * `retryAfterSeconds`; `cancelled`; what `question` throws
   */
  async ask<T>(caller: AskingCaller, question: () => Promise<T>): Promise<T> {
    const key = this.#known.keyOf(caller.credential);
    const attempt = this.#known.has(key) ? await this.#turnOfKnown(caller, key) : await this.#turnOfStranger(caller, key);
    try {
      const answer = await question();
      this.#known.add(key);
      attempt?.forgiven();
      return answer;
    } catch (error) {
      const reason = error instanceof Fault ? error.reason : "internal";
      if (reason === "token_unknown") this.#known.delete(key);
      if (FAILED.has(reason)) attempt?.failed();
      else attempt?.forgiven();
      throw error;
    }
  }

  /**
   * Waits for the turn of a call about no credential.
   *
   * @param flow whose calls take turns with those of others, for example an agent's id
   * @throws Fault `main_application_unavailable` with `retryAfterSeconds`
   */
  async report<T>(flow: string, question: () => Promise<T>): Promise<T> {
    await this.#throttle.take({ lane: "reports", standing: "known", flow, maxWaitMs: KNOWN_WAIT_MS, signal: NEVER });
    return question();
  }

  async #turnOfKnown({ lane, signal }: AskingCaller, flow: string): Promise<undefined> {
    await this.#throttle.take({ lane, standing: "known", flow, maxWaitMs: KNOWN_WAIT_MS, signal });
  }

  async #turnOfStranger(caller: AskingCaller, key: string): Promise<Attempt> {
    try {
      const attempt = await this.#attempt(caller, this.#returning.isBack(key));
      this.#returning.delete(key);
      return attempt;
    } catch (error) {
      if (error instanceof Fault && error.retryAfterSeconds !== undefined) this.#returning.sentAway(key, error.retryAfterSeconds);
      throw error;
    }
  }

  async #attempt({ lane, signal, address }: AskingCaller, isBack: boolean): Promise<Attempt> {
    const from = addressGroup(address);
    const isAllowed = (): boolean => isBack && this.#failures.allowsReturned(from);
    if (this.#failures.refusalOf(from) !== undefined && !isAllowed()) return this.#attemptLater({ lane, signal, from });
    let attempt: Attempt | undefined;
    // Of those who waited together, many may have failed since.
    const onTurn = (): Fault | undefined => {
      const refusal = this.#failures.refusalOf(from);
      if (refusal === undefined) attempt = this.#failures.attempt(from);
      else if (isAllowed()) attempt = this.#failures.returned(from);
      else return refusal;
      return undefined;
    };
    const standing = isBack || this.#failures.isClean(from) ? "new" : "suspect";
    // A returning credential waits behind other returning ones, not behind the bad ones of its address.
    const flow = isBack ? `back ${from}` : from;
    await this.#throttle.take({ lane, standing, flow, maxWaitMs: NEW_WAIT_MS, signal, onTurn });
    if (attempt === undefined) throw new Fault("internal", "a turn was had without an attempt");
    return attempt;
  }

  /** Waits until the address may show one more, then for its turn: both together no longer than a new credential waits anyway. */
  async #attemptLater({ lane, signal, from }: Pick<AskingCaller, "lane" | "signal"> & { readonly from: string }): Promise<Attempt> {
    const startedMs = this.#clock.now();
    let attempt: Attempt | undefined;
    const take = (): void => {
      attempt = this.#failures.attempt(from);
    };
    await this.#busyAddresses.wait(from, { maxWaitMs: NEW_WAIT_MS, signal, take });
    if (attempt === undefined) throw new Fault("internal", "a turn was had without an attempt");
    try {
      const maxWaitMs = NEW_WAIT_MS - (this.#clock.now() - startedMs);
      await this.#throttle.take({ lane, standing: "suspect", flow: from, maxWaitMs, signal });
    } catch (error) {
      attempt.forgiven();
      throw error;
    }
    return attempt;
  }
}

/** Callers whose credential the main application accepted within a day: they go before others, and are never refused for their address. */
class KnownCallers {
  readonly #clock: Clock;
  readonly #digest = new KeyedDigest();
  readonly #acceptedAtMs = new LRUCache<string, number>(atMost(MAX_CALLERS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param credential everything that makes it what it is, its kind first */
  keyOf(credential: readonly string[]): string {
    return this.#digest.of(credential);
  }

  has(key: string): boolean {
    const atMs = this.#acceptedAtMs.get(key);
    return atMs !== undefined && this.#clock.now() - atMs < KNOWN_MS;
  }

  add(key: string): void {
    this.#acceptedAtMs.set(key, this.#clock.now());
  }

  /** It is not good any more. */
  delete(key: string): void {
    this.#acceptedAtMs.delete(key);
  }
}

/**
 * Credentials that were rejected with a retry time. A credential that retries at that time differs from a storm of made-up ones, which
 * are new each time: so a good one behind the same address gets its lookup. When there are too many, the oldest entries stay.
 */
export class ReturningCredentials {
  readonly #clock: Clock;
  /** When each may come back. Forgotten after one to two generations. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #youngSinceMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#youngSinceMs = clock.now();
  }

  /** Credentials that are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** It was rejected with a retry time in seconds; at most a generation counts. Of several retry times the earliest applies. */
  sentAway(key: string, retryAfterSeconds: number): void {
    this.#age();
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known === undefined && this.#young.size >= MAX_RETURNING) return;
    const dueMs = this.#clock.now() + Math.min(retryAfterSeconds * 1_000, GENERATION_MS);
    const generation = this.#old.has(key) ? this.#old : this.#young;
    generation.set(key, Math.min(known ?? dueMs, dueMs));
  }

  /** Whether it was rejected with a retry time, and that time has come. */
  isBack(key: string): boolean {
    this.#age();
    const dueMs = this.#young.get(key) ?? this.#old.get(key);
    return dueMs !== undefined && this.#clock.now() >= dueMs;
  }

  /** Its lookup was allowed. */
  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #age(): void {
    const now = this.#clock.now();
    if (now - this.#youngSinceMs < GENERATION_MS) return;
    this.#old = now - this.#youngSinceMs < 2 * GENERATION_MS ? this.#young : new Map();
    this.#young = new Map();
    this.#youngSinceMs = now;
  }
}
