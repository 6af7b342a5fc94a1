import { Fault, type Clock, type Module } from "@binnacle/rpc";
import type { Logger, Secret } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import { forgetHashField, readHashFields } from "../redis/hash-fields.ts";
import { listenToHints } from "../redis/hint-channel.ts";
import { KeptRecords } from "../redis/kept-records.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { decodeRoute, encodeRoute, routeKeyOf, routesChannel, routesOfAgentKey, type RouteEntry } from "./route-record.ts";
import type { KasRoute, RouteStore } from "./route-store.ts";

/** What the store needs. */
export interface RedisRouteStoreOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a route outlives a kas that died. */
  readonly ttlMs: number;
  /** Random id of this process. */
  readonly kasId: string;
  /** Where other kas reach this one; empty: nothing is published. */
  readonly ownUrls: readonly string[];
  /** The secret(s) kas instances share, base64; the first signs, all are accepted. */
  readonly secrets: readonly [Secret, ...Secret[]];
  /** Called for each entry that was not signed by a kas. */
  readonly onRogue?: () => void;
}

/** How long routes known from before stay usable while Redis is away. */
const LAST_KNOWN_MS = 600_000;
const MAX_KNOWN = 10_000;
/** More kas than this for one agent are not looked at. */
const MAX_ROUTES = 256;
/** A route is kept this long after the last tunnel closed: an agent that reconnects at once causes no writes. */
const WITHDRAW_DELAY_MS = 5_000;

/** Routes in Redis: one hash per agent, field = kas id, every entry signed. Own routes leave with `close`. */
export class RedisRouteStore implements RouteStore, Module {
  readonly name = "route store";
  readonly #options: RedisRouteStoreOptions;
  readonly #records: KeptRecords;
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];
  readonly #known = new LRUCache<bigint, { readonly routes: readonly KasRoute[]; readonly atMs: number }>(atMost(MAX_KNOWN));
  readonly #leaving = new Map<bigint, () => void>();
  #draining = false;

  constructor(options: RedisRouteStoreOptions) {
    this.#options = options;
    this.#records = new KeptRecords(options);
    const [first, ...others] = options.secrets;
    this.#keys = [routeKeyOf(first), ...others.map(routeKeyOf)];
  }

  publish(agentId: bigint): void {
    this.#leaving.get(agentId)?.();
    if (this.#leaving.delete(agentId)) return; // still published
    const { redis, kasId, ownUrls } = this.#options;
    if (ownUrls.length === 0) return;
    const epoch = this.#options.clock.now();
    this.#records.put({
      id: String(agentId),
      hashes: [routesOfAgentKey(redis.keyPrefix, agentId)],
      field: kasId,
      encode: (expiresAtMs) => encodeRoute(this.#keys[0], { agentId, kasId, urls: ownUrls, draining: this.#draining, epoch, expiresAtMs }),
      expiryOf: (value) => decodeRoute(this.#keys, agentId, value)?.expiresAtMs,
      hint: { channel: routesChannel(redis.keyPrefix), message: String(agentId) },
    });
  }

  withdraw(agentId: bigint): void {
    if (this.#leaving.has(agentId)) return;
    const cancel = this.#options.clock.after(WITHDRAW_DELAY_MS, () => {
      this.#leaving.delete(agentId);
      this.#records.remove(String(agentId));
    });
    this.#leaving.set(agentId, cancel);
  }

  async lookup(agentId: bigint): Promise<readonly KasRoute[]> {
    const { clock } = this.#options;
    try {
      const routes = await this.#read(agentId);
      this.#remember(agentId, routes);
      return routes;
    } catch (error) {
      const known = this.#known.get(agentId);
      if (known && clock.now() - known.atMs < LAST_KNOWN_MS) return known.routes;
      throw new Fault("store_unavailable", `Redis cannot be queried for the kas of agent ${agentId}`, {
        cause: error,
        retryAfterSeconds: 5,
      });
    }
  }

  onHint(listener: (agentId: bigint) => void, onListening: () => void = () => undefined): () => void {
    const { redis } = this.#options;
    return listenToHints(redis, routesChannel(redis.keyPrefix), {
      hinted(message) {
        if (/^\d{1,19}$/.test(message)) listener(BigInt(message));
      },
      listening: onListening,
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#records.run(signal);
  }

  depart(): Promise<void> {
    this.#draining = true;
    this.#records.announceAll();
    return this.#records.flushed();
  }

  async close(): Promise<void> {
    await this.#records.close();
    for (const cancel of this.#leaving.values()) cancel();
    this.#leaving.clear();
  }

  /** Settles once what was published so far has been written, or writing has failed. */
  flushed(): Promise<void> {
    return this.#records.flushed();
  }

  async #read(agentId: bigint): Promise<readonly KasRoute[]> {
    const { redis, clock, kasId, onRogue } = this.#options;
    const key = routesOfAgentKey(redis.keyPrefix, agentId);
    const routes: KasRoute[] = [];
    for (const field of await readHashFields(redis.commands, key, MAX_ROUTES)) {
      const entry = decodeRoute(this.#keys, agentId, field.value);
      if (!entry || entry.kasId !== field.name) onRogue?.();
      else if (entry.expiresAtMs <= clock.now()) forgetHashField(redis.commands, key, field);
      else if (entry.kasId !== kasId) routes.push(routeOf(entry));
    }
    return routes;
  }

  #remember(agentId: bigint, routes: readonly KasRoute[]): void {
    if (routes.length > 0) this.#known.set(agentId, { routes, atMs: this.#options.clock.now() });
    else this.#known.delete(agentId);
  }
}

function routeOf({ kasId, urls, draining, epoch }: RouteEntry): KasRoute {
  return { kasId, urls, draining, epoch };
}
