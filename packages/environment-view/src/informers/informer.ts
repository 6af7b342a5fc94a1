import { randomUUID } from "node:crypto";

import type { KubeObject, ObjectList, ResourceKind, WatchChange, WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError, type KubeClient } from "../base/kube-client.ts";
import type { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import { placeOf } from "../objects/kept-objects.ts";
import { KindReflector } from "../reflector/kind-reflector.ts";
import type { Semaphore } from "../limits/semaphore.ts";
import type { Arrival } from "../objects/sighting.ts";
import type { ViewLog } from "../base/view-log.ts";
import { WatchBudget } from "../limits/watch-budget.ts";
import { EventLog, Follower, GONE } from "./follower.ts";
import { RememberingClient } from "./remembering-client.ts";
import type { SharedKeeping } from "./shared-keeping.ts";

/** A kind that the client may not watch is listed this often. */
const SAMPLE_MS = 60_000;

/** What an informer works with. */
export interface InformerOptions {
  readonly kind: ResourceKind;
  /** Empty for all namespaces, and for cluster scope. */
  readonly namespace: string;
  readonly metadataOnly: boolean;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly monitor: ConnectionMonitor;
  readonly semaphore: Semaphore;
  readonly keeping: SharedKeeping;
  /** What all informers hold together. */
  readonly budget: ByteBudget;
  readonly maxObjects: number;
  readonly random?: (() => number) | undefined;
  readonly log?: ViewLog | undefined;
}

/**
 * How an informer is seen.
 * - `filling`: not known yet.
 * - `ready`: it has everything, and hears of every change.
 * - `refused`: its client may not read the kind, or the cluster does not serve it.
 * - `too_large`: there is more than is held.
 * - `broken`: it was ready, and nothing vouches for what it has.
 */
type InformerPhase = "filling" | "ready" | "refused" | "too_large" | "broken";

interface Run {
  readonly reflector: KindReflector;
  readonly stop: AbortController;
  readonly budget: ByteBudget;
  readonly whole: boolean;
  readonly ended: Promise<void>;
}

/** The objects of one kind, read once for all who follow them: one list, and one watch that goes on from there. */
export class Informer {
  readonly #options: InformerOptions;
  readonly #client: RememberingClient;
  readonly #objects = new Map<string, KubeObject>();
  readonly #followers = new Set<Follower>();
  readonly #waiting = new Set<() => void>();
  #log = new EventLog(randomUUID());
  #run: Run;
  #closed = false;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.#client = new RememberingClient(options.client);
    this.#run = this.#begin();
  }

  /** It has a follower now. */
  get isFollowed(): boolean {
    return this.#followers.size > 0 || this.#waiting.size > 0;
  }

  get phase(): InformerPhase {
    const { settled, stale } = this.#run.reflector.state;
    if (settled === undefined) return this.#client.failure === undefined ? "filling" : "broken";
    if (settled === "forbidden" || settled === "unserved") return "refused";
    if (settled === "truncated") return "too_large";
    return settled === "error" || (stale !== undefined && stale.cause !== "sampled") ? "broken" : "ready";
  }

  /** Settles when it is known whether it can be followed. @throws KubeClientError when it cannot be known now */
  async settled(signal: AbortSignal): Promise<"ready" | "refused"> {
    for (;;) {
      if (this.#closed || signal.aborted) throw new KubeClientError("connection", words("request/connection-failed"));
      const { phase } = this;
      if (phase === "ready" || phase === "refused") return phase;
      if (phase === "too_large") throw new KubeClientError("too_large", words("source/too-large"));
      if (phase === "broken") throw this.#failure();
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#waiting.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        this.#waiting.add(done);
        signal.addEventListener("abort", done, { once: true });
      });
    }
  }

  /** What there is. Call it when it is ready. @param limit the most that are wanted */
  list(namespace: string, limit: number): ObjectList {
    const items: KubeObject[] = [];
    for (const object of this.#objects.values()) {
      if (namespace !== "" && object.metadata.namespace !== namespace) continue;
      if (items.length >= limit) break;
      items.push(object);
    }
    return { items, resourceVersion: this.#log.position, continueToken: "", remaining: undefined };
  }

  /** What there is, and then what changes. Call it when it is ready. */
  async *stream(namespace: string, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const follower = this.#follow(namespace);
    try {
      const { items, resourceVersion } = this.list(namespace, Number.POSITIVE_INFINITY);
      for (const object of items) yield { type: "ADDED", object };
      yield { type: "BOOKMARK", resourceVersion, initialEventsEnd: true };
      yield* follower.events(signal);
    } finally {
      this.#followers.delete(follower);
    }
  }

  /** What has changed since a position, and then what changes. Call it when it is ready. */
  async *watch(namespace: string, position: string, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const missed = this.#log.since(position);
    if (missed === undefined) {
      yield GONE;
      return;
    }
    const follower = this.#follow(namespace);
    try {
      for (const event of missed) follower.tell(event);
      yield* follower.events(signal);
    } finally {
      this.#followers.delete(follower);
    }
  }

  /** More than before is wanted whole: what was cut is read again. */
  reread(): void {
    const { keeping, kind } = this.#options;
    if (this.#closed || this.#run.whole || !keeping.keeper.wantsWhole(kind)) return;
    this.#halt();
    // Nothing of what was cut is taken for what will come.
    this.#objects.clear();
    this.#run = this.#begin();
  }

  /** Ends its requests. Settles when everything it opened is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const { ended } = this.#run;
    this.#halt();
    this.#wake();
    await ended;
  }

  #halt(): void {
    this.#run.stop.abort();
    this.#run.budget.close();
    this.#fail(new KubeClientError("connection", words("source/read-again")));
  }

  #begin(): Run {
    const { kind, namespace, metadataOnly, clock, monitor, semaphore, keeping, budget, maxObjects, random, log } = this.#options;
    const { keeper } = keeping;
    const stop = new AbortController();
    const whole = keeper.wantsWhole(kind);
    const own = budget.part();
    const claim = new WatchBudget().claim({ attention: "page", kind: 0 });
    this.#client.forget();
    this.#log = new EventLog(randomUUID());
    const reflector = new KindReflector({
      kind,
      namespace,
      client: this.#client,
      clock,
      monitor,
      semaphore,
      metadataOnly,
      keep: (object, texts) => keeper.keep(object, whole, texts),
      eager: true,
      watch: claim,
      sampleMs: () => SAMPLE_MS,
      maxObjects,
      budget: own,
      bytesBeside: (object) => keeper.bytesBeside(object),
      target: {
        replace: (objects) => stop.signal.aborted || this.#replace(objects),
        upsert: (object, arrival) =>
          stop.signal.aborted || this.#change(arrival.isCreated === true ? "ADDED" : "MODIFIED", object, arrival),
        remove: (object, arrival) => stop.signal.aborted || this.#change("DELETED", object, arrival),
        changed: () => stop.signal.aborted || this.#changed(),
      },
      ...(random === undefined ? {} : { random }),
    });
    const ended = reflector
      .run(stop.signal)
      .catch((error: unknown) => log?.warn({ error, resource: kind.resource }, "an informer ended with an error"))
      .finally(() => claim.close());
    return { reflector, stop, budget: own, whole, ended };
  }

  #follow(namespace: string): Follower {
    const follower = new Follower(namespace, () => this.#log.position, this.#options.clock);
    this.#followers.add(follower);
    return follower;
  }

  /** Everything was read again: what happened in between is unknown. */
  #replace(objects: readonly KubeObject[]): void {
    this.#objects.clear();
    for (const object of objects) this.#objects.set(placeOf(object), object);
    this.#log = new EventLog(randomUUID());
    for (const follower of this.#followers) follower.tell(GONE);
  }

  #change(type: WatchChange["type"], kept: KubeObject, { arrived }: Arrival): void {
    const place = placeOf(kept);
    const known = this.#objects.get(place);
    if (type === "DELETED") this.#objects.delete(place);
    else this.#objects.set(place, kept);
    // The log retains no more than the informer; followers receive the object that arrived and trim it themselves.
    this.#log.add({ type, object: type === "DELETED" ? { ...(known ?? kept), metadata: kept.metadata } : kept });
    const event: WatchChange = { type, object: arrived ?? kept };
    for (const follower of this.#followers) follower.tell(event);
  }

  #changed(): void {
    if (this.phase !== "filling" && this.phase !== "ready") this.#fail(this.#failure());
    this.#wake();
  }

  /** Informs every follower that it does not receive all changes any more. */
  #fail(failure: KubeClientError): void {
    for (const follower of this.#followers) follower.fail(failure);
  }

  #failure(): KubeClientError {
    return this.#client.failure ?? new KubeClientError("connection", words("request/connection-failed"));
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }
}
