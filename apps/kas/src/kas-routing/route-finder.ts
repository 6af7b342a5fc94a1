import { Backoff, Fault, type Clock } from "@binnacle/rpc";

import type { KasRoute, RouteStore } from "../agent-tracker/route-store.ts";
import { LookupPace, type LookupRate } from "./lookup-pace.ts";

/** What a look-up gave. */
export type RouteResult =
  { readonly kind: "routes"; readonly routes: readonly KasRoute[] } | { readonly kind: "failed"; readonly fault: Fault };

/** Over all agents: callers of ten thousand agents that are away must not be what the store is busy with. */
const RATE: LookupRate = { perSecond: 500, burst: 500 };
/** Between two look-ups of one agent, whatever hints say. */
const MIN_GAP_MS = 25;

interface Search {
  readonly listeners: Set<(result: RouteResult) => void>;
  readonly backoff: Backoff;
  result: RouteResult | undefined;
  lookingUp: boolean;
  again: boolean;
  lastAtMs: number;
  cancelTimer: () => void;
}

/** Between two look-ups of one agent that nothing hinted at. */
const MIN_POLL_MS = 1_000;

/**
 * Looks up routes for callers that wait: one look-up per agent however many they are, at once, again on each hint, and every
 * one to five seconds in case a hint got lost. A look-up ends with the last caller. Hints are listened to for as long as the process
 * lives: a subscription that came with the first caller would be in force only after its first look-up, and what is published in between
 * would be seen by the next poll alone.
 */
export class RouteFinder {
  readonly #store: RouteStore;
  readonly #clock: Clock;
  readonly #pace: LookupPace;
  readonly #searches = new Map<bigint, Search>();

  constructor(store: RouteStore, clock: Clock, rate: LookupRate = RATE) {
    this.#store = store;
    this.#clock = clock;
    store.onHint(
      (hinted) => this.#hinted(hinted),
      () => this.#listening(),
    );
    this.#pace = new LookupPace(rate, clock);
  }

  /** Agents that are being looked for. */
  get size(): number {
    return this.#searches.size;
  }

  /**
   * @param listener called with each result, first perhaps at once
   * @returns takes the listener back
   */
  watch(agentId: bigint, listener: (result: RouteResult) => void): () => void {
    const search = this.#searches.get(agentId) ?? this.#begin(agentId);
    search.listeners.add(listener);
    if (search.result) listener(search.result);
    return () => {
      search.listeners.delete(listener);
      if (search.listeners.size === 0 && this.#searches.get(agentId) === search) this.#end(agentId, search);
    };
  }

  #begin(agentId: bigint): Search {
    const search: Search = {
      listeners: new Set(),
      backoff: new Backoff({ initialMs: 2_000, maxMs: 5_000 }),
      result: undefined,
      lookingUp: false,
      again: false,
      lastAtMs: Number.NEGATIVE_INFINITY,
      cancelTimer: () => {},
    };
    this.#searches.set(agentId, search);
    this.#lookUpInTurn(agentId, search);
    return search;
  }

  #end(agentId: bigint, search: Search): void {
    search.cancelTimer();
    this.#searches.delete(agentId);
  }

  /** Hints have begun to arrive, perhaps after a break: all searches look up again, because one may have been missed. */
  #listening(): void {
    for (const agentId of this.#searches.keys()) this.#hinted(agentId);
  }

  #hinted(agentId: bigint): void {
    const search = this.#searches.get(agentId);
    if (!search) return;
    search.backoff.reset();
    if (search.lookingUp) search.again = true;
    else this.#schedule(agentId, search, Math.max(0, search.lastAtMs + MIN_GAP_MS - this.#clock.now()));
  }

  #schedule(agentId: bigint, search: Search, delayMs: number): void {
    search.cancelTimer();
    search.cancelTimer = this.#clock.after(delayMs, () => this.#lookUpInTurn(agentId, search));
  }

  #lookUpInTurn(agentId: bigint, search: Search): void {
    search.cancelTimer();
    search.cancelTimer = this.#pace.run(() => void this.#lookUp(agentId, search)); // never rejects
  }

  async #lookUp(agentId: bigint, search: Search): Promise<void> {
    search.lookingUp = true;
    search.again = false;
    search.lastAtMs = this.#clock.now();
    search.result = await this.#read(agentId);
    search.lookingUp = false;
    if (this.#searches.get(agentId) !== search) return;
    for (const listener of search.listeners) listener(search.result);
    if (this.#searches.get(agentId) !== search) return;
    this.#schedule(agentId, search, search.again ? MIN_GAP_MS : Math.max(MIN_POLL_MS, search.backoff.nextMs()));
  }

  async #read(agentId: bigint): Promise<RouteResult> {
    try {
      return { kind: "routes", routes: await this.#store.lookup(agentId) };
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault("store_unavailable", "looking up routes failed", { cause: error });
      return { kind: "failed", fault };
    }
  }
}
