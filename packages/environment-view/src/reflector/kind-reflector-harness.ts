import { projectObject, type KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";

import { ByteBudget } from "../limits/byte-budget.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { WatchBudget } from "../limits/watch-budget.ts";
import { ConnectionMonitor } from "./connection-monitor.ts";
import { kindId } from "../scope/kind-plan.ts";
import { KindReflector } from "./kind-reflector.ts";
import { Semaphore } from "../limits/semaphore.ts";
import { ObjectStore } from "../objects/object-store.ts";

const PODS = kindOf("/v1/pods/Pod");

/** A pod of that name. */
export function pod(name: string, phase = "Running"): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, status: { phase } };
}

/** For tests: one source over a fake cluster, and the changes that it has reported. */
export class KindReflectorHarness {
  readonly clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  readonly cluster: FakeCluster;
  readonly stop = new AbortController();
  readonly shown = new Map<string, KubeObject>();
  /** "+name@resourceVersion" and "-name", in the order in which they were reported. */
  readonly reported: string[] = [];
  readonly semaphore = new Semaphore(8);
  readonly budget: ByteBudget;
  readonly watches: WatchBudget;
  readonly monitor: ConnectionMonitor;
  readonly source: KindReflector;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: { eager?: boolean; watched?: boolean; maxObjects?: number; streams?: boolean; budget?: ByteBudget } = {}) {
    const { eager = true, watched = true, maxObjects = 1000, streams = false } = options;
    this.watches = new WatchBudget(watched ? undefined : 0);
    this.budget = options.budget ?? new ByteBudget(64 * 1024 * 1024);
    this.cluster = new FakeCluster([PODS], { streams });
    const store = new ObjectStore({
      upsert: (object) => {
        this.shown.set(object.metadata.uid ?? "", object);
        this.reported.push(`+${object.metadata.name}@${object.metadata.resourceVersion}`);
      },
      remove: (object) => {
        this.shown.delete(object.metadata.uid ?? "");
        this.reported.push(`-${object.metadata.name}`);
      },
    });
    this.monitor = new ConnectionMonitor({
      clock: this.clock,
      changed: () => {},
      random: () => 0,
      prove: async (signal) => {
        await this.cluster.discover(undefined, signal);
      },
    });
    const id = kindId(PODS);
    this.source = new KindReflector({
      kind: PODS,
      namespace: "app",
      client: this.cluster,
      clock: this.clock,
      monitor: this.monitor,
      semaphore: this.semaphore,
      metadataOnly: false,
      keep: projectObject,
      eager,
      watch: this.watches.claim({ attention: "page", kind: 0 }),
      sampleMs: () => 60_000,
      maxObjects,
      budget: this.budget,
      random: () => 0,
      target: {
        replace: (objects) => store.replace(id, objects),
        upsert: (object) => store.upsert(id, object),
        remove: (object) => store.remove(id, object),
        changed: () => {},
      },
    });
  }

  /** Begins, and lets everything happen that needs no time. */
  async start(): Promise<void> {
    this.#ended = Promise.all([this.monitor.run(this.stop.signal), this.source.run(this.stop.signal)]);
    await this.clock.elapse(0);
  }

  /** Stops. @throws Error when something was left open */
  async end(): Promise<void> {
    this.stop.abort();
    await this.clock.elapse(0);
    await this.#ended;
    this.clock.assertIdle();
    this.cluster.assertIdle();
  }

  /** Names of what is shown, sorted. */
  names(): string[] {
    return [...this.shown.values()].map((object) => object.metadata.name).toSorted();
  }
}
