import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { forgetExpiredFields } from "./hash-fields.ts";
import type { RedisConnection } from "./redis-connection.ts";

/** A record that this kas publishes in Redis for as long as it is true: one field of one or more hashes. */
export interface KeptRecord {
  /** Unique in its `KeptRecords`. */
  readonly id: string;
  /** Full keys of the hashes that hold it. */
  readonly hashes: readonly string[];
  readonly field: string;
  /** The value; it carries its own expiry, because fields of a hash cannot expire in Redis 7.0. */
  encode(expiresAtMs: number): Buffer;
  /** When a value in one of `hashes` expires, of any writer; undefined for values of an unknown kind. */
  expiryOf(value: Buffer): number | undefined;
  /** Published when the record comes and goes (not when it is refreshed); absent: there is no listener. */
  readonly hint?: { readonly channel: string; readonly message: string };
}

/** What `KeptRecords` needs. */
export interface KeptRecordsOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a record outlives its kas. */
  readonly ttlMs: number;
}

const SLICE = 200;
/** Hashes that are looked through for dead fields after each refresh; the next round goes on from there. */
const SWEPT_HASHES = 200;
/** Removals that could not be sent while Redis was away; beyond this the records simply expire. */
const MAX_PENDING = 20_000;

/**
 * Keeps records of this process alive in Redis. `put` and `remove` are synchronous: the latest state of each record wins
 * and is written behind them, in transactions of at most 200 records that share one expiry. Everything is written again
 * every third of the TTL and after each reconnect, and removed when the module ends. The writer of a hash also removes expired fields of others:
 * they may never be read, and the hash would grow for as long as one record of it is refreshed.
 */
export class KeptRecords {
  readonly #options: KeptRecordsOptions;
  readonly #records = new Map<string, KeptRecord>();
  readonly #pending = new Map<string, { readonly kind: "put" | "remove" | "refresh"; readonly record: KeptRecord }>();
  #flushing: Promise<void> | undefined;
  readonly #backoff = new Backoff({ initialMs: 200, maxMs: 5_000 });
  /** Where the sweep goes on. */
  #sweep: Iterator<KeptRecord> | undefined;
  #scheduled = false;
  #ended = false;

  constructor(options: KeptRecordsOptions) {
    this.#options = options;
  }

  put(record: KeptRecord): void {
    if (this.#ended) return;
    this.#records.set(record.id, record);
    this.#pending.set(record.id, { kind: "put", record });
    this.#schedule();
  }

  remove(id: string): void {
    const record = this.#records.get(id);
    if (!record) return;
    this.#records.delete(id);
    if (this.#pending.size < MAX_PENDING || this.#pending.has(id)) this.#pending.set(id, { kind: "remove", record });
    this.#schedule();
  }

  /** Records that are published now. */
  get size(): number {
    return this.#records.size;
  }

  /** Settles once everything known so far has been written, or writing has failed. */
  async flushed(): Promise<void> {
    await this.#flush();
  }

  /** Says everything again, with its hint: something that is encoded into each record has changed. */
  announceAll(): void {
    for (const [id, record] of this.#records) this.#pending.set(id, { kind: "put", record });
    this.#schedule();
  }

  /** Refreshes until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { redis, clock, ttlMs } = this.#options;
    const again = (): void => this.#refreshAll();
    redis.commands.on("ready", again);
    // Records from before the connection, if it was established in between.
    this.#schedule();
    while (!signal.aborted) {
      await sleep(clock, (ttlMs / 3) * (0.9 + Math.random() * 0.2), signal);
      if (signal.aborted) break;
      this.#refreshAll();
      await this.#forgetDead(signal);
    }
    redis.commands.off("ready", again);
  }

  /** Removes everything. */
  async close(): Promise<void> {
    for (const id of this.#records.keys()) this.remove(id);
    this.#ended = true;
    await this.#flush();
  }

  #refreshAll(): void {
    for (const [id, record] of this.#records) {
      if (!this.#pending.has(id)) this.#pending.set(id, { kind: "refresh", record });
    }
    this.#schedule();
  }

  /** Removes dead fields from the next few hashes; failure ends the round, the next one goes on. */
  async #forgetDead(signal: AbortSignal): Promise<void> {
    const { redis, clock } = this.#options;
    const swept = new Set<string>();
    while (swept.size < SWEPT_HASHES && !signal.aborted) {
      this.#sweep ??= this.#records.values();
      const next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = undefined;
        return;
      }
      const record = next.value;
      const isExpired = (value: Buffer): boolean => (record.expiryOf(value) ?? Infinity) <= clock.now();
      for (const hash of record.hashes) {
        if (swept.has(hash)) continue;
        swept.add(hash);
        if (!(await forgetExpiredFields(redis.commands, hash, isExpired))) return;
      }
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#flush(); // never rejects
    });
  }

  #flush(): Promise<void> {
    this.#flushing ??= this.#writePending().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #writePending(): Promise<void> {
    // "ready" sends everything.
    while (this.#pending.size > 0 && this.#options.redis.commands.status === "ready") {
      const slice = this.#pending.entries().take(SLICE).toArray();
      try {
        await this.#write(slice.map(([, change]) => change));
        for (const [id, change] of slice) if (this.#pending.get(id) === change) this.#pending.delete(id);
        this.#backoff.reset();
      } catch (error) {
        this.#options.log.warn({ error, pending: this.#pending.size }, "writing to redis failed");
        // While Redis is unavailable, "ready" sends everything again. Only a connected Redis that rejects the write gets a retry after a while.
        if (this.#ended || this.#options.redis.commands.status !== "ready") return;
        this.#options.clock.after(this.#backoff.nextMs(), () => this.#schedule());
        return;
      }
    }
  }

  async #write(changes: readonly { readonly kind: string; readonly record: KeptRecord }[]): Promise<void> {
    const { redis, clock, ttlMs } = this.#options;
    const expiresAtMs = clock.now() + ttlMs;
    const transaction = redis.commands.multi();
    for (const { kind, record } of changes) {
      const value = kind === "remove" ? undefined : record.encode(expiresAtMs);
      for (const hash of record.hashes) {
        if (value === undefined) transaction.hdel(hash, record.field);
        else transaction.hset(hash, record.field, value).pexpire(hash, ttlMs);
      }
      if (kind !== "refresh" && record.hint) transaction.publish(record.hint.channel, record.hint.message);
    }
    const replies = await transaction.exec();
    // One hash of a foreign type must not hold up the others: the rest of the transaction has been carried out.
    const refused = replies?.find(([error]) => error !== null);
    if (refused) this.#options.log.warn({ error: refused[0] }, "redis refused a record");
  }
}
