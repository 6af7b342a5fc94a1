import type { KubeObject, WatchEvent } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError, type KubeClient } from "../base/kube-client.ts";
import { ScopePicture } from "./scope-picture.ts";
import { WatchBudget } from "../limits/watch-budget.ts";

const KINDS = [
  "/v1/pods/Pod",
  "apps/v1/deployments/Deployment",
  "apps/v1/replicasets/ReplicaSet",
  "apps/v1/statefulsets/StatefulSet",
  "/v1/services/Service",
  "batch/v1/jobs/Job",
  "apps/v1/daemonsets/DaemonSet",
  "networking.k8s.io/v1/ingresses/Ingress",
  "batch/v1/cronjobs/CronJob",
  "/v1/persistentvolumeclaims/PersistentVolumeClaim",
  "/v1/configmaps/ConfigMap",
  "/v1/secrets/Secret",
].map(kindOf);
const LIMIT = 8;

/** kas in front of one agent: it counts the watches of all clients, and rejects those beyond the limit. */
class Gate {
  open = 0;
  most = 0;
  refused = 0;

  /** What one process of the BFF has of the cluster. */
  through(cluster: FakeCluster): KubeClient {
    return {
      discover: (etag, signal) => cluster.discover(etag, signal),
      list: (request, signal) => cluster.list(request, signal),
      get: (request, signal) => cluster.get(request, signal),
      watch: (request, signal) => this.#pass(() => cluster.watch(request, signal)),
      stream: (request, signal) =>
        this.#pass(() => cluster.stream?.(request, signal) ?? cluster.watch({ ...request, resourceVersion: "" }, signal)),
    };
  }

  async *#pass(begin: () => AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
    if (this.open >= LIMIT) {
      this.refused += 1;
      throw new KubeClientError("no_watch", `the agent's ${LIMIT} watches are in use`, { retryAfterSeconds: 30 });
    }
    this.open += 1;
    this.most = Math.max(this.most, this.open);
    try {
      yield* begin();
    } finally {
      this.open -= 1;
    }
  }
}

/** A process of the BFF, which knows the limit, and nothing of the others. */
class Process {
  readonly watches = new WatchBudget(LIMIT);
  readonly picture: ScopePicture;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(client: KubeClient) {
    const view = new ClusterView({ client, clock, random: () => 0, watches: this.watches });
    this.#ended = view.run(this.#stop.signal);
    this.picture = new ScopePicture(view.openScope({ namespaces: ["app"] }));
  }

  /** How each source stands: "watched", or why not. */
  states(): string[] {
    return [...this.picture.sources.values()].map(({ resource, settled, stale }) => `${resource} ${stale?.cause ?? settled}`).toSorted();
  }

  count(state: string): number {
    return this.states().filter((each) => each.endsWith(` ${state}`)).length;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await clock.elapse(0);
    await this.#ended;
  }
}

let clock: ManualClock;
let cluster: FakeCluster;
let gate: Gate;
let processes: Process[];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS, { streams: true });
  for (const { group, version, resource, kind } of KINDS)
    cluster.put(`${group}/${resource}`, objectOf(group === "" ? version : `${group}/${version}`, kind, "first"));
  gate = new Gate();
  processes = [];
});

afterEach(async () => {
  for (const each of processes) await each.end();
  clock.assertIdle();
  cluster.assertIdle();
});

function objectOf(apiVersion: string, kind: string, name: string): KubeObject {
  return { apiVersion, kind, metadata: { name } };
}

function start(): Process {
  const started = new Process(gate.through(cluster));
  processes.push(started);
  return started;
}

test.each([2, 5])("W1: %i processes on one agent come to rest under its limit, and sample what is refused", async (count) => {
  for (let index = 0; index < count; index += 1) start();
  await clock.elapse(120_000);
  expect(gate.most).toBeLessThanOrEqual(LIMIT);
  expect(gate.open).toBe(LIMIT);
  // Watched or sampled, and nothing in between; together no more than the agent carries.
  const watched = processes.map((each) => each.count("live"));
  expect(watched.reduce((sum, each) => sum + each, 0)).toBe(LIMIT);
  for (const each of processes) expect(each.count("live") + each.count("sampled")).toBe(KINDS.length);
  // Nothing flaps: what is watched stays so, what is sampled too, looked at every second for ten minutes.
  const before = processes.map((each) => each.states());
  const refusedBefore = gate.refused;
  for (let second = 0; second < 600; second += 1) {
    await clock.elapse(1_000);
    expect(processes.map((each) => each.states())).toEqual(before);
  }
  expect(gate.most).toBeLessThanOrEqual(LIMIT);
  // Each kind without a watch asks again once a minute.
  expect(gate.refused - refusedBefore).toBeLessThanOrEqual(11 * (count * KINDS.length - LIMIT));
});

test("W1: what a process samples is as old as it says, and none is older than half a minute and a list", async () => {
  const [first, second] = [start(), start()];
  await clock.elapse(120_000);
  for (const { group, version, resource, kind } of KINDS)
    cluster.put(`${group}/${resource}`, objectOf(group === "" ? version : `${group}/${version}`, kind, "second"));
  await clock.elapse(35_000);
  for (const each of [first, second]) {
    expect(each?.picture.names()).toEqual([...KINDS.map(() => "first"), ...KINDS.map(() => "second")]);
    for (const { stale, asOfMs = 0 } of each?.picture.sources.values() ?? [])
      expect(stale === undefined ? 0 : clock.now() - asOfMs).toBeLessThanOrEqual(35_000);
  }
});

test("W1: the watches of a process that ends go to the other, within the minute after which it asks again", async () => {
  const [first, second] = [start(), start()];
  await clock.elapse(120_000);
  processes = second ? [second] : [];
  await first?.end();
  await clock.elapse(90_000);
  expect(second?.count("live")).toBe(LIMIT);
  expect(gate.most).toBeLessThanOrEqual(LIMIT);
});
