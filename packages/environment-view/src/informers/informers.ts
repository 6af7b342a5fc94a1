import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { Discovery, KubeClient } from "../base/kube-client.ts";
import { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import { kindId } from "../scope/kind-plan.ts";
import { Semaphore } from "../limits/semaphore.ts";
import type { ViewLog } from "../base/view-log.ts";
import { Informer } from "./informer.ts";
import { openSharedKeeping, type SharedKeeping } from "./shared-keeping.ts";

/** An informer without a follower stays this long. */
const LINGER_MS = 120_000;
/** The result of discovery is cached this long. */
const DISCOVERED_MS = 2_000;
/** Lists at a time. */
const CONCURRENT_READS = 8;
const MAX_OBJECTS = 100_000;

/** What informers work with. */
export interface InformersOptions {
  /** As who reads for all. */
  readonly client: KubeClient;
  readonly clock: Clock;
  /** What they hold together. */
  readonly budget: ByteBudget;
  readonly log?: ViewLog;
  /** 0 ≤ random() < 1, for backoff. */
  readonly random?: () => number;
  /** Objects of a kind beyond which it is not held. Default: 100,000. */
  readonly maxObjects?: number;
}

/** What is wanted. */
export interface InformerRequest {
  readonly kind: ResourceKind;
  /** Empty for all. */
  readonly namespace: string;
  readonly metadataOnly: boolean;
}

interface OpenInformer {
  readonly informer: Informer;
  cancelClosing: () => void;
}

/**
 * The informers of a cluster, one for each kind that has a follower: each begins with its first follower and ends a while after the last
 * has left. Where all namespaces may not be read, each namespace has its own.
 */
export class Informers {
  readonly keeping: SharedKeeping = openSharedKeeping();
  readonly #options: InformersOptions;
  readonly #monitor: ConnectionMonitor;
  readonly #semaphore = new Semaphore(CONCURRENT_READS);
  readonly #open = new Map<string, OpenInformer>();
  readonly #closing = new Set<Promise<void>>();
  #discovered: { readonly atMs: number; readonly discovery: Discovery } | undefined;
  #discovering: Promise<Discovery> | undefined;
  #signal: AbortSignal | undefined;

  constructor(options: InformersOptions) {
    this.#options = options;
    const { clock, random } = options;
    this.#monitor = new ConnectionMonitor({
      clock,
      prove: async (signal) => {
        await this.discover(undefined, signal);
      },
      changed: () => {},
      ...(random === undefined ? {} : { random }),
    });
  }

  /** How far the API server's clock is ahead of this process's, as `KubeClient` says it. */
  get aheadMs(): number | undefined {
    return this.#options.client.aheadMs;
  }

  /** How many there are. */
  get size(): number {
    return this.#open.size;
  }

  /** Works until `signal` aborts and everything is closed. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const endHold = this.keeping.keeper.onHold(() => {
      for (const { informer } of this.#open.values()) informer.reread();
    });
    try {
      await this.#monitor.run(signal);
    } finally {
      endHold();
      for (const id of this.#open.keys()) this.#close(id);
      await Promise.all(this.#closing);
    }
  }

  /** What is served, queried once for all callers within two seconds; `undefined` when nothing has changed since `etag`. @throws KubeClientError */
  async discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    const { clock } = this.#options;
    const fresh = this.#discovered && clock.now() - this.#discovered.atMs < DISCOVERED_MS ? this.#discovered.discovery : undefined;
    const discovery = fresh ?? (await this.#discover(signal));
    return discovery.etag !== undefined && discovery.etag === etag ? undefined : discovery;
  }

  /**
   * The informer for what is wanted, once it is ready; `undefined` when its reader may not read it.
   *
   * @throws KubeClientError when that cannot be known now
   */
  async of({ kind, namespace, metadataOnly }: InformerRequest, signal: AbortSignal): Promise<Informer | undefined> {
    const places = namespace === "" ? [""] : ["", namespace];
    for (const place of places) {
      const informer = this.#hold({ kind, namespace: place, metadataOnly });
      if ((await informer.settled(signal)) === "ready") return informer;
    }
    return undefined;
  }

  #hold(request: InformerRequest): Informer {
    const id = `${kindId(request.kind)}@${request.kind.version}/${request.namespace}${request.metadataOnly ? " metadata" : ""}`;
    const known = this.#open.get(id);
    const { clock, client, budget, random, log, maxObjects = MAX_OBJECTS } = this.#options;
    const shared = { client, clock, budget, random, log, maxObjects, keeping: this.keeping };
    const open = known ?? {
      informer: new Informer({ ...request, ...shared, monitor: this.#monitor, semaphore: this.#semaphore }),
      cancelClosing: () => {},
    };
    this.#open.set(id, open);
    this.#closeLater(id, open);
    if (known === undefined && this.#signal?.aborted === true) this.#close(id);
    return open.informer;
  }

  #closeLater(id: string, open: OpenInformer): void {
    open.cancelClosing();
    open.cancelClosing = this.#options.clock.after(LINGER_MS, () => {
      if (open.informer.isFollowed) this.#closeLater(id, open);
      else this.#close(id);
    });
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.cancelClosing();
    const closing = open.informer.close();
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  async #discover(signal: AbortSignal): Promise<Discovery> {
    this.#discovering ??= this.#ask().finally(() => (this.#discovering = undefined));
    return abortable(this.#discovering, signal);
  }

  async #ask(): Promise<Discovery> {
    const { client, clock } = this.#options;
    const stop = AbortSignal.any([AbortSignal.timeout(60_000), ...(this.#signal ? [this.#signal] : [])]);
    const found = await client.discover(this.#discovered?.discovery.etag, stop);
    const discovery = found ?? this.#discovered?.discovery ?? { kinds: [] };
    this.#discovered = { atMs: clock.now(), discovery };
    return discovery;
  }
}

/** As the promise, or rejects when `signal` aborts: what others wait for goes on. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
