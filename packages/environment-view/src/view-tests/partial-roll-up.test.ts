import { createStatus, type KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { ViewSummary } from "../summaries/view-summary.ts";
import { ViewReader } from "../stream/view-reader.ts";

const KINDS = ["/v1/pods/Pod", "/v1/configmaps/ConfigMap", "example.com/v1/widgets/Widget"].map(kindOf);
const WIDGETS = "example.com/widgets";
const POD: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "c", image: "app:1" }] },
  status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
};

class Screen extends ViewReader {
  readonly summary = new ViewSummary();
  isEmpty = false;
}

let clock: ManualClock;
let cluster: FakeCluster;
let screen: Screen;
let end: () => Promise<void>;
beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS, { streams: true });
});
afterEach(async () => {
  await end();
});

function open(): void {
  const stop = new AbortController();
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0.123_456_789 });
  const ended = view.run(stop.signal);
  screen = new Screen();
  const subscription = view.open(() => {
    const message = subscription.take();
    if (message === undefined) return;
    screen.take(message);
    screen.summary.apply(message, clock.now());
    screen.isEmpty = message.isEmpty;
  });
  end = async () => {
    stop.abort();
    await clock.elapse(0);
    await ended;
  };
}

test("R13: a kind that never answers keeps the roll-up of the others waiting for ten seconds; then it is partial, and says for want of what", async () => {
  cluster.put("/pods", POD);
  cluster.unanswered.add(WIDGETS);
  open();
  await clock.elapse(9_000);
  expect([screen.complete, screen.summary.facts()]).toEqual([false, undefined]);
  await clock.elapse(2_000);
  expect(screen.complete).toBe(true);
  expect(screen.health).toMatchObject({ status: "Healthy", partial: true, reason: "HealthyPartial" });
  expect(JSON.stringify(screen.health?.words)).toContain("Widget");
  expect(screen.summary.facts()).toMatchObject({ health: { partial: true }, freshness: { kind: "live" } });
  expect(screen.sources.get(`${WIDGETS}/app`)?.settled).toBeUndefined();

  cluster.unanswered.clear();
  cluster.thaw();
  await clock.elapse(120_000);
  expect([screen.sources.get(`${WIDGETS}/app`)?.settled, screen.health?.partial]).toEqual(["live", false]);
});

test("R1, R13: a kind that fails takes nothing from the others; the time of the next try is in whole milliseconds", async () => {
  cluster.put("/pods", POD);
  cluster.put(WIDGETS, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } });
  open();
  await clock.elapse(1_000);
  expect(screen.health).toMatchObject({ partial: false });
  cluster.failing.set(WIDGETS, new KubeClientError("api", "conversion webhook", { status: createStatus(500, "conversion webhook") }));
  cluster.disconnect();
  await clock.elapse(3_000);
  const widgets = screen.sources.get(`${WIDGETS}/app`);
  expect(widgets).toMatchObject({ settled: "live", stale: { cause: "error" } });
  expect(Number.isInteger(widgets?.retryAtMs)).toBe(true);
  // The page has the age of each kind; a row of an index has not, and says what it is without.
  expect(screen.health).toMatchObject({ partial: false });
  const facts = screen.summary.facts();
  expect(facts).toMatchObject({ health: { partial: true }, freshness: { kind: "live" } });
  expect(JSON.stringify(facts?.health.words)).toContain("Widget");
});

test("R4: an environment is empty only when every kind is known to be empty", async () => {
  cluster.unanswered.add(WIDGETS);
  open();
  await clock.elapse(20_000);
  expect([screen.complete, screen.nodes.size, screen.isEmpty]).toEqual([true, 0, false]);
  cluster.unanswered.clear();
  cluster.thaw();
  await clock.elapse(120_000);
  expect(screen.isEmpty).toBe(true);
});

test("R13: while the connection is broken no kind is blamed for the delay", async () => {
  cluster.outage = new KubeClientError("connection", "gone");
  open();
  await clock.elapse(30_000);
  expect(screen.complete).toBe(false);
});
