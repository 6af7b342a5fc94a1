import { ManualClock } from "@binnacle/testing";
import { words } from "@binnacle/words";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { ScopePicture } from "./scope-picture.ts";
import { WatchBudget } from "../limits/watch-budget.ts";

const CORE = ["/v1/pods/Pod", "apps/v1/deployments/Deployment", "/v1/configmaps/ConfigMap"].map(kindOf);
const CUSTOM = Array.from({ length: 57 }, (_, index) => kindOf(`example.com/v1/things${index}/Thing${index}`));

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let view: ClusterView;
let ended: Promise<void>;
let warnings: string[];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster([...CORE, ...CUSTOM]);
  stop = new AbortController();
  warnings = [];
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  if (view.sources.running !== 0) throw new Error("a source has not given its place back");
  clock.assertIdle();
  cluster.assertIdle();
});

function run(maxSources: number): void {
  const log = { debug: () => undefined, warn: (_fields: object, message: string) => void warnings.push(message) };
  view = new ClusterView({ client: cluster, clock, random: () => 0, maxSources, log, watches: new WatchBudget(8) });
  ended = view.run(stop.signal);
}

/** The client may not read all namespaces: each needs a source of its own. */
function forbidAll(): void {
  for (const { group, resource } of [...CORE, ...CUSTOM]) cluster.forbidden.add(`${group}/${resource}@`);
}

test("T14: five hundred environments of sixty kinds run no more sources than a view may, and what does not fit says so", async () => {
  forbidAll();
  run(400);
  const scopes = Array.from({ length: 500 }, (_, index) => view.openScope({ namespaces: [`ns-${index}`] }));
  const last = new ScopePicture(scopes[499] ?? view.openScope({ namespaces: [] }));
  await clock.elapse(20_000);
  expect(view.sources.running).toBe(400);
  expect(view.sources.unread).toBe(500 * 60 - 400);
  expect(cluster.mostWatches).toBeLessThanOrEqual(8);
  expect(warnings).toEqual([expect.stringContaining("as many sources as it may")]);
  // Not one is missing, and none pretends to be empty.
  expect(last.sources.size).toBe(60);
  for (const source of last.sources.values())
    expect(source).toMatchObject({ settled: "error", words: words("source/no-place", { most: 400 }) });
  expect(last.health?.partial).toBe(true);
  // A source that ends frees its place, and no two sources displace each other in turn.
  for (const scope of scopes.slice(0, 499)) scope.close();
  await clock.elapse(60_000);
  expect(new Set([...last.sources.values()].map(({ settled }) => settled))).toEqual(new Set(["live"]));
  expect(view.sources).toEqual({ running: 60, unread: 0 });
  expect(last.health?.partial).toBe(false);
});

test("T14: a cluster that names endless kinds leaves room for the core kinds of other environments", async () => {
  forbidAll();
  run(40);
  const first = new ScopePicture(view.openScope({ namespaces: ["one"] }));
  await clock.elapse(5_000);
  const second = new ScopePicture(view.openScope({ namespaces: ["two"] }));
  await clock.elapse(5_000);
  const live = (picture: ScopePicture): number => [...picture.sources.values()].filter(({ settled }) => settled === "live").length;
  expect([live(first), live(second)]).toEqual([30, 3]);
  expect([...second.sources.values()].filter(({ settled }) => settled === "live").map(({ resource }) => resource)).toEqual([
    "pods",
    "deployments",
    "configmaps",
  ]);
});

test("T14: where all namespaces may be read, five hundred environments cost one source a kind and nothing is left out", async () => {
  run(200);
  for (let index = 0; index < 500; index += 1) view.openScope({ namespaces: [`ns-${index}`] });
  const picture = new ScopePicture(view.openScope({ namespaces: ["ns-7"] }));
  await clock.elapse(30_000);
  expect(view.sources).toEqual({ running: 60, unread: 0 });
  expect(new Set([...picture.sources.values()].map(({ settled }) => settled))).toEqual(new Set(["live"]));
});

test("T14: more kinds than a scope reads are one source that says so", async () => {
  cluster = new FakeCluster([...CORE, ...Array.from({ length: 5_010 }, (_, index) => kindOf(`example.com/v1/many${index}/Many${index}`))]);
  run(10);
  const picture = new ScopePicture(view.openScope({ namespaces: [] }));
  await clock.elapse(5_000);
  expect(picture.sources.size).toBe(5_001);
  expect(picture.sources.get("/*/")).toMatchObject({ settled: "error", words: words("source/more-kinds", { count: 13 }) });
});
