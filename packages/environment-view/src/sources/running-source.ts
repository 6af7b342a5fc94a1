import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { KubeClient } from "../base/kube-client.ts";
import type { ViewLog } from "../base/view-log.ts";
import type { Attention, WatchBudget, WatchClaim } from "../limits/watch-budget.ts";
import type { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import type { KindReflectorState } from "../reflector/kind-reflector-options.ts";
import { isCore, isMetadataOnly, kindId } from "../scope/kind-plan.ts";
import { KindReflector } from "../reflector/kind-reflector.ts";
import type { Semaphore } from "../limits/semaphore.ts";
import type { ObjectKeeper } from "../objects/object-keeper.ts";
import type { ObjectStore } from "../objects/object-store.ts";

/** How old a list may be that stands for a watch: of what is on a page, and else. */
const SAMPLE_MS: Readonly<Record<Attention, number>> = { page: 30_000, row: 60_000, none: 60_000 };

/** What all sources of a cluster work with. */
export interface SourceSurroundings {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: (() => number) | undefined;
  readonly monitor: ConnectionMonitor;
  readonly semaphore: Semaphore;
  readonly keeper: ObjectKeeper;
  readonly store: ObjectStore;
  readonly budget: ByteBudget;
  readonly watches: WatchBudget;
  readonly maxObjects: number;
  readonly log: ViewLog | undefined;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** What a running source is. */
export interface RunningSourceOptions {
  readonly kind: ResourceKind;
  /** Place of the kind among all, for the watch budget. */
  readonly rank: number;
  /** Empty for all namespaces, and for cluster scope. */
  readonly namespace: string;
  readonly attention: Attention;
  readonly surroundings: SourceSurroundings;
  /** Its objects or its state have changed. */
  readonly changed: () => void;
  /** It has found that there is nothing, or nothing for us: its state says which. Its objects go after this call. */
  readonly emptied: () => void;
}

interface Run {
  readonly source: KindReflector;
  readonly stop: AbortController;
  readonly budget: ByteBudget;
  readonly claim: WatchClaim;
  /** Its objects are kept whole. */
  readonly whole: boolean;
}

/** A source that works from now on until it is ended, and its layer of the store. */
export class RunningSource {
  /** "group/resource/namespace". */
  readonly layerId: string;
  readonly namespace: string;
  readonly #options: RunningSourceOptions;
  readonly #ended: Promise<void>[] = [];
  #attention: Attention;
  #run: Run;
  /** An empty list is taken in with the state that says why it is empty. */
  #isEmptying = false;
  /** It was whole before that. */
  #wasWhole = false;

  constructor(options: RunningSourceOptions) {
    this.#options = options;
    this.namespace = options.namespace;
    this.layerId = `${kindId(options.kind)}/${options.namespace}`;
    this.#attention = options.attention;
    this.#run = this.#begin();
  }

  get state(): KindReflectorState {
    return this.#run.source.state;
  }

  /** How closely its objects are viewed now. */
  attend(attention: Attention): void {
    this.#attention = attention;
    this.#run.claim.setRank({ attention, kind: this.#options.rank });
  }

  /** Other rules are in force: what they read and was not kept is read again. What is there stays until then. */
  reread(): void {
    const { surroundings, kind } = this.#options;
    if (this.#run.whole || !surroundings.keeper.wantsWhole(kind)) return;
    this.#halt();
    surroundings.store.forgetVersions(this.layerId);
    this.#run = this.#begin();
  }

  /** Ends its requests; its layer is for the caller to drop. */
  end(): void {
    this.#halt();
  }

  /** Settles when everything it opened is closed. */
  async ended(): Promise<void> {
    await Promise.all(this.#ended);
  }

  #halt(): void {
    this.#run.stop.abort();
    // What it has stays until it is read again, and finds its room then.
    this.#run.budget.close();
  }

  #begin(): Run {
    const { kind, rank, surroundings } = this.#options;
    const { keeper, clock, client, monitor, semaphore, maxObjects, random, log } = surroundings;
    const stop = new AbortController();
    const budget = surroundings.budget.part();
    const claim = surroundings.watches.claim({ attention: this.#attention, kind: rank });
    const whole = keeper.wantsWhole(kind);
    const source = new KindReflector({
      kind,
      namespace: this.namespace,
      client,
      clock,
      monitor,
      semaphore,
      metadataOnly: isMetadataOnly(kind),
      keep: (object, texts) => keeper.keep(object, whole, texts),
      eager: isCore(kind),
      watch: claim,
      sampleMs: () => SAMPLE_MS[this.#attention],
      maxObjects,
      budget,
      bytesBeside: (object) => keeper.bytesBeside(object),
      target: this.#target(stop.signal),
      ...(random === undefined ? {} : { random }),
    });
    const ended = source
      .run(AbortSignal.any([surroundings.signal, stop.signal]))
      .catch((error: unknown) => log?.warn({ error, resource: kind.resource }, "a source ended with an error"))
      // Until here its watch may still have been open.
      .finally(() => claim.close());
    this.#ended.push(ended.then(() => {}));
    return { source, stop, budget, claim, whole };
  }

  #target(ended: AbortSignal): ConstructorParameters<typeof KindReflector>[0]["target"] {
    const { surroundings, changed } = this.#options;
    const { store } = surroundings;
    return {
      replace: (objects, wasWhole) => {
        if (ended.aborted) return;
        this.#wasWhole = wasWhole;
        this.#isEmptying = objects.length === 0 && store.count(this.layerId) > 0;
        if (this.#isEmptying) return;
        store.replace(this.layerId, objects, wasWhole);
        changed();
      },
      upsert: (object, arrival) => {
        if (ended.aborted) return;
        store.upsert(this.layerId, object, arrival);
        changed();
      },
      remove: (object, arrival) => {
        if (ended.aborted) return;
        store.remove(this.layerId, object, arrival);
        changed();
      },
      changed: () => {
        if (ended.aborted) return;
        if (this.#isEmptying) {
          this.#isEmptying = false;
          this.#options.emptied();
          // What may not be read any more has not gone.
          store.replace(this.layerId, [], this.#wasWhole && this.state.settled === "live");
        }
        changed();
      },
    };
  }
}
