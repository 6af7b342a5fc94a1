import type { KubeObject } from "@binnacle/kube";
import { ManualClock, propertyRuns } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import type { EnvironmentScope } from "../engine/environment-scope.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { ScopePicture } from "./scope-picture.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { WatchBudget, type Attention } from "../limits/watch-budget.ts";

const KINDS = ["/v1/pods/Pod", "/v1/configmaps/ConfigMap", "/v1/events/Event", "example.com/v1/widgets/Widget"].map(kindOf);
const NODES = { ...kindOf("/v1/nodes/Node"), namespaced: false };
const IDS = ["/pods", "/configmaps", "example.com/widgets"] as const;
const PLACES = ["app", "b", "c", "d"] as const;
const SCOPES: readonly ViewScope[] = [
  ...PLACES.map((namespace) => ({ namespaces: [namespace] })),
  { namespaces: ["app", "b"] },
  { namespaces: ["c"], labels: { requirements: [{ key: "team", operator: "In", values: ["x"] }] } },
  { namespaces: [] },
];
const OUTAGE = new KubeClientError("agent_offline", "no tunnel");

function objectOf(id: string, namespace: string, name: string): KubeObject {
  const metadata = { name, namespace, labels: { team: name === "one" ? "x" : "y" } };
  if (id === "/configmaps") return { apiVersion: "v1", kind: "ConfigMap", metadata };
  if (id === "example.com/widgets") return { apiVersion: "example.com/v1", kind: "Widget", metadata };
  const spec = { containers: [{ name: "c", envFrom: [{ configMapRef: { name: "two" } }] }] };
  return { apiVersion: "v1", kind: "Pod", metadata, spec, status: { phase: "Running" } };
}

interface Opened {
  readonly scope: EnvironmentScope;
  readonly viewers: ScopePicture[];
}

/** Two identities look at one cluster through one agent. */
class World {
  readonly clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  readonly cluster = new FakeCluster([...KINDS, NODES], { streams: true });
  readonly opened: Opened[] = [];
  readonly #stop = new AbortController();
  readonly #watches: WatchBudget;
  readonly #views: ClusterView[];
  readonly #ended: Promise<unknown>;

  constructor(limit: number | undefined) {
    this.#watches = new WatchBudget(limit);
    this.#views = [0, 1].map(() => this.view(this.#watches));
    this.#ended = Promise.all(this.#views.map((view) => view.run(this.#stop.signal)));
  }

  view(watches = new WatchBudget()): ClusterView {
    return new ClusterView({ client: this.cluster, clock: this.clock, random: () => 0, watches });
  }

  open(identity: number, scope: ViewScope): void {
    const view = this.#views[identity];
    if (view === undefined) return;
    const opened = view.openScope(scope);
    this.opened.push({ scope: opened, viewers: [new ScopePicture(opened)] });
  }

  close(which: number): void {
    for (const { scope, viewers } of this.opened.splice(which, 1)) {
      for (const viewer of viewers) viewer.close();
      scope.close();
    }
  }

  look(which: number, attention: Attention): void {
    const opened = this.opened[which];
    for (const viewer of opened?.viewers.splice(0) ?? []) viewer.close();
    if (attention !== "none") opened?.viewers.push(new ScopePicture(opened.scope, attention));
  }

  /** What a view shows that has this scope alone. */
  async fresh(scope: ViewScope): Promise<object> {
    const stop = new AbortController();
    const view = this.view();
    const ended = view.run(stop.signal);
    const picture = new ScopePicture(view.openScope(scope));
    await this.clock.elapse(5_000);
    stop.abort();
    await this.clock.elapse(0);
    await ended;
    return picture.whole();
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.clock.elapse(0);
    await this.#ended;
    this.clock.assertIdle();
    this.cluster.assertIdle();
    if (this.#watches.held > 0) throw new Error("places for watches were left behind");
  }
}

type Step = readonly [string, (world: World) => Promise<void> | void];
type Place = readonly [id: (typeof IDS)[number], namespace: (typeof PLACES)[number], name: "one" | "two"];

const place: fc.Arbitrary<Place> = fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...PLACES), fc.constantFrom("one", "two"));
const nameOf = ([, namespace, name]: Place): string => (namespace === "app" ? name : `${namespace}/${name}`);

const looking = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(1), fc.constantFrom(...SCOPES))
      .map(([who, scope]): Step => [`open ${who} ${scope.namespaces}`, (world) => world.open(who, scope)]),
  },
  { weight: 3, arbitrary: fc.nat(6).map((which): Step => [`close ${which}`, (world) => world.close(which)]) },
  fc
    .tuple(fc.nat(4), fc.constantFrom<Attention>("page", "row", "none"))
    .map(([which, how]): Step => [`look ${which} ${how}`, (world) => world.look(which, how)]),
);
const changing = fc.oneof(
  { weight: 3, arbitrary: place.map((at): Step => [`put ${at}`, ({ cluster }) => void cluster.put(at[0], objectOf(...at))]) },
  place.map((at): Step => [`delete ${at}`, ({ cluster }) => cluster.delete(at[0], nameOf(at))]),
);
const trouble = fc.oneof(
  fc.constant<Step>(["disconnect", ({ cluster }) => cluster.disconnect()]),
  fc.constant<Step>(["compact", ({ cluster }) => cluster.compact()]),
  fc.constantFrom(undefined, OUTAGE).map((outage): Step => [`outage ${outage?.failure}`, ({ cluster }) => void (cluster.outage = outage)]),
  fc.tuple(fc.constantFrom(...IDS), fc.constantFrom("", "app", "b"), fc.boolean()).map(([id, namespace, given]): Step => [
    `${given ? "give" : "withdraw"} ${id}@${namespace}`,
    ({ cluster }) => {
      // A client that may not read a namespace may not read all of them.
      for (const each of ["", namespace])
        if (given) cluster.forbidden.delete(`${id}@${namespace}`);
        else cluster.forbidden.add(`${id}@${each}`);
      cluster.disconnect();
    },
  ]),
);
const time = fc
  .constantFrom(0, 10, 400, 3_000, 31_000, 130_000, 700_000)
  .map((byMs): Step => [`${byMs} ms`, ({ clock }) => clock.elapse(byMs)]);

const history = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: looking },
    { weight: 4, arbitrary: changing },
    { weight: 2, arbitrary: trouble },
    { weight: 4, arbitrary: time },
  ),
  { minLength: 1, maxLength: 40 },
);

test("W1: whatever is opened and closed, each scope shows what a view of it alone shows, and there are never more watches than the agent carries", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(undefined, 0, 1, 3, 8),
      fc.array(history, { minLength: 1, maxLength: 2 }),
      async (limit, histories) => {
        const world = new World(limit);
        await world.clock.elapse(0);
        for (const steps of histories) {
          for (const [, step] of steps) await step(world);
          world.cluster.outage = undefined;
          await world.clock.elapse(200_000);
          expect(world.cluster.mostWatches).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
          for (const { scope, viewers } of world.opened) {
            const fresh = await world.fresh(scope.scope);
            for (const viewer of viewers) expect(viewer.whole()).toEqual(fresh);
            // It had watches of its own.
            world.cluster.mostWatches = 0;
          }
        }
        await world.end();
      },
    ),
    { numRuns: propertyRuns(100) },
  );
}, 60_000);
