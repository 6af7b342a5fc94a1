import { createStatus, type KubeObject } from "@binnacle/kube";
import { ManualClock, propertyRuns } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { Informers } from "../informers/informers.ts";
import { ViewerClient } from "../informers/viewer-client.ts";
import { KubeClientError, type KubeClient } from "../base/kube-client.ts";
import { ScreenOfView } from "./screen-of-view.ts";

const KINDS = ["/v1/pods/Pod", "/v1/configmaps/ConfigMap", "apps/v1/deployments/Deployment"].map(kindOf);
const TARGETS = "/configmaps";
const SOURCE = "/configmaps/app";
/** Config maps are truncated beyond it. */
const MOST = 40;

function apiError(code: number, message: string): KubeClientError {
  return new KubeClientError("api", message, { status: createStatus(code, message) });
}

function pod(name: string, configMap: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, creationTimestamp: "2025-12-31T00:00:00Z" },
    spec: { containers: [{ name: "c", image: "app:1" }], volumes: [{ name: "v", configMap: { name: configMap } }] },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [{ name: "c", ready: true, restartCount: 0, state: { running: {} } }],
    },
  };
}

function configMap(name: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { key: "value" } };
}

/** One thing that happens. */
type Step = (world: World) => Promise<void> | void;

/** How the kind that pods refer to stands before anything is disturbed. */
const STANDS: Readonly<Record<string, (cluster: FakeCluster) => void>> = {
  loading: (cluster) => void cluster.unanswered.add(TARGETS),
  live: () => undefined,
  forbidden: (cluster) => void cluster.forbidden.add(TARGETS),
  unserved: (cluster) => void cluster.unserved.add(TARGETS),
  truncated: (cluster) => {
    for (let index = 0; index < 2 * MOST; index += 1) cluster.put(TARGETS, configMap(`a-${index}`));
  },
  error: (cluster) => void cluster.failing.set(TARGETS, apiError(500, "etcd is away")),
};

/** The connection breaks, and everything fails like this until `restore`. */
const breaks = (outage: KubeClientError) => (cluster: FakeCluster) => {
  cluster.outage = outage;
  cluster.disconnect();
};

/** What happens on the way, and nothing to the cluster. */
const BREAKS: Readonly<Record<string, (cluster: FakeCluster) => void>> = {
  "the agent is gone": breaks(new KubeClientError("agent_offline", "no tunnel")),
  "everything is silent": (cluster) => cluster.freeze(),
  "kas is away": breaks(new KubeClientError("kas_unreachable", "kas does not answer")),
  "the API server is away": breaks(new KubeClientError("api_down", "connection refused")),
  "the way breaks": breaks(new KubeClientError("connection", "the tunnel broke")),
  "the agent has no room": breaks(new KubeClientError("busy", "no tunnel became free")),
  "the credential is refused": breaks(new KubeClientError("unauthorized", "not accepted")),
  "the API server fails": breaks(apiError(500, "etcd is away")),
  "the API server asks for patience": breaks(apiError(429, "slow down")),
  "watches are ended": (cluster) => cluster.disconnect(),
  "the history is gone": (cluster) => {
    cluster.compact();
    cluster.disconnect();
  },
};

/** What happens to the one kind, while the way is well. */
const TROUBLES: readonly Step[] = [
  ({ cluster }) => void cluster.forbidden.add(TARGETS),
  ({ cluster }) => void cluster.forbidden.delete(TARGETS),
  ({ cluster }) => void cluster.forbiddenWatch.add(TARGETS),
  ({ cluster }) => void cluster.forbiddenWatch.delete(TARGETS),
  ({ cluster }) => void cluster.failing.set(TARGETS, apiError(500, "etcd is away")),
  ({ cluster }) => void cluster.failing.delete(TARGETS),
  ({ cluster }) => void cluster.unanswered.add(TARGETS),
  ({ cluster }) => void (cluster.watchRefusal = new KubeClientError("no_watch", "all watches are in use", { retryAfterSeconds: 30 })),
  ({ cluster }) => void (cluster.watchRefusal = undefined),
];

/** The way is well again. */
function restore(cluster: FakeCluster): void {
  cluster.outage = undefined;
  cluster.thaw();
}

/** What feeds the views. */
const WAYS = ["the cluster itself", "informers"] as const;

/** A cluster with a view of it, and what a browser would have seen of it so far. */
class World {
  readonly clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  readonly cluster: FakeCluster;
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #client: KubeClient;
  #made = 0;

  constructor({ stand, streams }: { readonly stand: string; readonly streams: boolean }, way: (typeof WAYS)[number]) {
    this.cluster = new FakeCluster(KINDS, { streams });
    this.#client = way === "informers" ? this.#informed() : this.cluster;
    for (const name of ["c-0", "c-1"]) {
      this.cluster.put(TARGETS, configMap(name));
      this.cluster.put("/pods", pod(`needs-${name}`, name));
    }
    this.cluster.put("/pods", pod("needs-nothing-that-is-there", "nowhere"));
    STANDS[stand]?.(this.cluster);
  }

  #informed(): KubeClient {
    const stop = new AbortController();
    const informers = new Informers({ client: this.cluster, clock: this.clock, budget: new ByteBudget(2 ** 30), random: () => 0.5 });
    const ended = informers.run(stop.signal);
    this.#ends.push(async () => {
      stop.abort();
      await this.clock.elapse(0);
      await ended;
    });
    return new ViewerClient({ informers, rights: { mayList: () => true, mayGet: () => true }, viewer: this.cluster });
  }

  open(): ScreenOfView {
    const stop = new AbortController();
    const view = new EnvironmentView({
      client: this.#client,
      scope: { namespaces: ["app"] },
      clock: this.clock,
      random: () => 0.5,
      maxObjectsPerKind: MOST,
    });
    const ended = view.run(stop.signal);
    this.#ends.push(async () => {
      stop.abort();
      await this.clock.elapse(0);
      await ended;
    });
    return new ScreenOfView(view);
  }

  /** A client applies a config map and a pod that needs it, in this order. */
  async apply(): Promise<void> {
    // A list of this very moment may or may not have them; a quarter of a second later the view requests those that it needs.
    await this.clock.elapse(251);
    this.#made += 1;
    this.cluster.put(TARGETS, configMap(`n-${this.#made}`));
    this.cluster.put("/pods", pod(`needs-n-${this.#made}`, `n-${this.#made}`));
  }

  /** A pod goes. What it needed stays. */
  deletePod(): void {
    const [first] = this.cluster.objectsOf("/pods");
    if (first) this.cluster.delete("/pods", first.metadata.name);
  }

  async heal(): Promise<void> {
    this.cluster.unanswered.clear();
    this.cluster.failing.clear();
    this.cluster.forbiddenWatch.clear();
    this.cluster.watchRefusal = undefined;
    restore(this.cluster);
    // A right that was withdrawn is noticed with the next watch; the server ends each of them some day.
    this.cluster.disconnect();
    await this.clock.elapse(600_000);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
    this.clock.assertIdle();
    this.cluster.assertIdle();
  }
}

/** Names of what is called missing and is not. */
function falselyMissing(screen: ScreenOfView): string[] {
  const missing = [...screen.nodes.values()].filter((node) => node.presence === "missing" || node.health?.status === "Missing");
  return missing.map((node) => node.ref.name).filter((name) => name !== "nowhere");
}

const WORLD = fc.record({ stand: fc.constantFrom(...Object.keys(STANDS)), streams: fc.boolean() });
const BREAK = fc.constantFrom(...Object.keys(BREAKS));
const LASTING = fc.constantFrom(1_000, 20_000, 60_000);

test.each(WAYS)(
  "W5, UB3: fed by %s, a break of the way changes since when nothing vouches for a kind, and nothing else",
  async (way) => {
    await fc.assert(
      fc.asyncProperty(WORLD, BREAK, LASTING, async ({ stand, streams }, what, lastingMs) => {
        // An error is the first word about a kind that is still loading.
        fc.pre(stand !== "loading" || !what.startsWith("the API server"));
        const world = new World({ stand, streams }, way);
        const screen = world.open();
        // A kind that does not answer is waited for no longer than ten seconds.
        await world.clock.elapse(15_000);
        const before = screen.picture();
        const check = (): void => {
          expect(screen.picture()).toEqual(before);
        };
        screen.onChange = check;
        BREAKS[what]?.(world.cluster);
        await world.clock.elapse(lastingMs);
        restore(world.cluster);
        await world.clock.elapse(30_000);
        check();
        await world.end();
      }),
      { numRuns: propertyRuns(150) },
    );
  },
  60_000,
);

const history = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: BREAK.map(
        (what): Step =>
          ({ cluster }) =>
            BREAKS[what]?.(cluster),
      ),
    },
    { weight: 2, arbitrary: fc.constant<Step>(({ cluster }) => restore(cluster)) },
    { weight: 3, arbitrary: fc.constant<Step>((world) => world.apply()) },
    { weight: 1, arbitrary: fc.constant<Step>((world) => world.deletePod()) },
    { weight: 3, arbitrary: fc.constantFrom(...TROUBLES) },
    { weight: 1, arbitrary: fc.constant<Step>(({ cluster }) => cluster.bookmark()) },
    {
      weight: 5,
      arbitrary: fc.constantFrom(0, 500, 3_000, 20_000, 60_000).map(
        (byMs): Step =>
          ({ clock }) =>
            clock.elapse(byMs),
      ),
    },
  ),
  { minLength: 1, maxLength: 16 },
);

test.each(WAYS)(
  "W5, UB3: fed by %s, through every history nothing is falsely missing, no access is won, nothing vanishes, and in the end it is a fresh picture",
  async (way) => {
    await fc.assert(
      fc.asyncProperty(WORLD, history, async ({ stand, streams }, steps) => {
        const world = new World({ stand, streams }, way);
        const { cluster } = world;
        const screen = world.open();
        // The right was there at some time since the kind was seen forbidden.
        let given = !cluster.forbidden.has(TARGETS);
        let settled: string | undefined;
        const vanished: string[] = [];
        screen.onChange = () => {
          expect(falselyMissing(screen)).toEqual([]);
          const now = screen.sources.get(SOURCE)?.settled;
          expect(settled === "forbidden" && now !== "forbidden" && !given).toBe(false);
          if (now === "forbidden" && settled !== "forbidden") given = !cluster.forbidden.has(TARGETS);
          settled = now ?? settled;
          for (const { ref } of screen.takeVanished()) {
            const isThere = cluster.objectsOf(`${ref.group}/${ref.resource}`).some(({ metadata }) => metadata.name === ref.name);
            const mayVanish = !isThere || (ref.resource === "configmaps" && now !== "live");
            if (!mayVanish) vanished.push(`${ref.resource}/${ref.name}`);
          }
          expect(vanished).toEqual([]);
        };
        await world.clock.elapse(2_000);
        for (const step of steps) {
          await step(world);
          given ||= !cluster.forbidden.has(TARGETS);
        }
        await world.heal();
        const fresh = world.open();
        await world.clock.elapse(70_000);
        expect(screen.picture()).toEqual(fresh.picture());
        expect(screen.connection?.state).toBe("connected");
        await world.end();
      }),
      { numRuns: propertyRuns(100) },
    );
  },
  120_000,
);

test.each<{ why: string; begin: (cluster: FakeCluster) => void }>([
  { why: "fails", begin: (cluster) => void cluster.failing.set(TARGETS, apiError(500, "etcd is away")) },
  { why: "is not answered for", begin: (cluster) => void cluster.unanswered.add(TARGETS) },
  { why: "may not be watched", begin: (cluster) => void cluster.forbiddenWatch.add(TARGETS) },
])("W5: what is new to a kind that $why is not missing, what was missing before still is", async ({ begin }) => {
  const world = new World({ stand: "live", streams: true }, "the cluster itself");
  const screen = world.open();
  await world.clock.elapse(5_000);
  begin(world.cluster);
  world.cluster.disconnect();
  await world.clock.elapse(5_000);
  await world.apply();
  await world.clock.elapse(5_000);
  const presenceOf = (name: string): string | undefined =>
    [...screen.nodes.values()].find(({ ref }) => ref.kind === "ConfigMap" && ref.name === name)?.presence;
  expect([presenceOf("c-0"), presenceOf("n-1"), presenceOf("nowhere")]).toEqual(["present", "not_visible", "missing"]);
  await world.heal();
  expect(presenceOf("n-1")).toBe("present");
  await world.end();
});
