import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import type { ViewMessage, ViewSource } from "../stream/view-model.ts";

const PODS = kindOf("/v1/pods/Pod");
const CONFIG_MAPS = kindOf("/v1/configmaps/ConfigMap");
const WIDGETS = kindOf("example.com/v1/widgets/Widget");
const BUDGET = 1_000_000;

function widget(name: string): { apiVersion: string; kind: string; metadata: { name: string }; spec: object } {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec: { text: "x".repeat(50_000) } };
}

class Run {
  readonly clock = new ManualClock();
  readonly cluster = new FakeCluster([PODS, CONFIG_MAPS, WIDGETS], { streams: true });
  readonly sources = new Map<string, ViewSource>();
  health: ViewMessage["health"];
  readonly #stop = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  async start(budget?: ByteBudget): Promise<void> {
    const view = new EnvironmentView({
      client: this.cluster,
      scope: { namespaces: ["app"] },
      clock: this.clock,
      random: () => 0,
      ...(budget === undefined ? {} : { budget }),
    });
    const { signal } = this.#stop;
    this.#ended = Promise.all([view.run(signal), this.#read(view, signal)]);
    await this.clock.elapse(5_000);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.clock.elapse(0);
    await this.#ended;
  }

  async #read(view: EnvironmentView, signal: AbortSignal): Promise<void> {
    for await (const message of view.watch(signal)) {
      for (const source of message.kind === "snapshot" ? message.sources : message.upsertedSources) this.sources.set(source.id, source);
      this.health = message.health ?? this.health;
    }
  }
}

test("XS4, T14: a kind that would fill the view is truncated, and every other kind is whole", async () => {
  const run = new Run();
  for (let index = 0; index < 100; index += 1) run.cluster.put("example.com/widgets", widget(`w${index}`));
  for (let index = 0; index < 50; index += 1) run.cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: `p${index}` } });
  const budget = new ByteBudget(BUDGET);
  await run.start(budget);
  // Pods that come when the widgets have taken all they could.
  for (let index = 50; index < 100; index += 1)
    run.cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: `p${index}` } });
  await run.clock.elapse(1_000);
  expect(run.sources.get("example.com/widgets/app")).toMatchObject({ settled: "truncated", total: 100 });
  expect(run.sources.get("/pods/app")).toMatchObject({ settled: "live", shown: 100 });
  expect(run.sources.get("/configmaps/app")).toMatchObject({ settled: "live" });
  // What of them is not shown may be unwell.
  expect(run.health).toMatchObject({ partial: true, hidden: [] });
  expect(budget.usedBytes).toBeLessThanOrEqual(BUDGET);
  await run.end();
});

test("XS4, T14: views of a hostile cluster leave room for the views of others", async () => {
  const everything = new ByteBudget(2 * BUDGET);
  const hostile = Array.from({ length: 4 }, () => new Run());
  for (const run of hostile) {
    for (let index = 0; index < 100; index += 1) run.cluster.put("example.com/widgets", widget(`w${index}`));
    await run.start(everything.part(BUDGET));
  }
  const honest = new Run();
  for (let index = 0; index < 50; index += 1)
    honest.cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: `p${index}` } });
  await honest.start(everything.part(BUDGET));
  expect(honest.sources.get("/pods/app")).toMatchObject({ settled: "live", shown: 50 });
  for (const run of [...hostile, honest]) await run.end();
  expect(everything.usedBytes).toBe(0);
});

test("10,000 pods as heavy as those of teams are all there, whatever other kinds there are", async () => {
  const run = new Run();
  // Two containers, five conditions, labels and annotations weigh 3.4 kB once they are cut; some weigh more.
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True", message: "x".repeat(4_500) }] };
  for (let index = 0; index < 10_000; index += 1) {
    run.cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: `p${index}` }, status });
  }
  for (let index = 0; index < 100; index += 1) run.cluster.put("example.com/widgets", widget(`w${index}`));
  await run.start();
  expect(run.sources.get("/pods/app")).toMatchObject({ settled: "live", shown: 10_000 });
  expect(run.sources.get("example.com/widgets/app")).toMatchObject({ settled: "live" });
  await run.end();
});

test("XS4: bytes are given back when a kind leaves the cluster and when the view ends", async () => {
  const run = new Run();
  for (let index = 0; index < 5; index += 1) run.cluster.put("example.com/widgets", widget(`w${index}`));
  const process = new ByteBudget(10 * BUDGET);
  await run.start(process.part(BUDGET));
  expect(process.usedBytes).toBeGreaterThan(250_000);
  run.cluster.removeKind(WIDGETS);
  await run.clock.elapse(30_000);
  expect(process.usedBytes).toBeLessThan(50_000);
  run.cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } });
  await run.end();
  expect(process.usedBytes).toBe(0);
});

test("XS4, T15: a discovery that becomes endless keeps the kinds that are known, and is requested no more often", async () => {
  const run = new Run();
  run.cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } });
  await run.start(new ByteBudget(BUDGET));
  const before = run.cluster.count("discover");
  run.cluster.discover = (_etag, _signal) => {
    run.cluster.requests.push("discover");
    return Promise.reject(new KubeClientError("too_large", "the answer is longer than 16 MiB"));
  };
  await run.clock.elapse(100_000);
  expect(run.sources.get("/pods/app")).toMatchObject({ settled: "live", shown: 1 });
  expect(run.cluster.count("discover") - before).toBeLessThanOrEqual(11);
  await run.end();
});
