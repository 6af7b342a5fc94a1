import { EnvironmentHealthSchema, type EnvironmentHealth } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { EnvironmentView } from "../engine/environment-view.ts";
import { inWords } from "../stream/in-words.ts";
import { RequestPace } from "../limits/request-pace.ts";
import { putWorkload, SampleCluster } from "../testing/sample-cluster.ts";
import { SampleIndex } from "./sample-index.ts";
import { SampledSummaries } from "./sampled-summaries.ts";
import type { ScopeRules } from "../scope/scope-rules.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import type { SummaryFacts } from "./summary-source.ts";
import { ViewSummary } from "./view-summary.ts";

const clock = new ManualClock();
const cluster = new SampleCluster(clock);

function scopeOf(namespace: string, rules?: ScopeRules): ViewScope {
  return { namespaces: [namespace], ...(rules === undefined ? {} : { rules }) };
}

/** What the index knows of these namespaces. */
async function indexOf(names: readonly string[], rules?: ScopeRules): Promise<ReadonlyMap<string, SummaryFacts>> {
  const budget = new ByteBudget(64 * 1024 * 1024);
  const source = new SampledSummaries({ client: cluster, clock, pace: new RequestPace(clock, 20), budget, random: () => 0.5 });
  const stop = new AbortController();
  const ended = source.run(stop.signal);
  const known = new Map<string, SummaryFacts>();
  const subscription = source.open({ scopes: names.map((name) => scopeOf(name, rules)) }, () => {
    for (const { scope, known: facts } of subscription.take()?.summaries ?? []) if (facts) known.set(scope.namespaces[0] ?? "", facts);
  });
  await clock.elapse(10_000);
  stop.abort();
  await clock.elapse(0);
  await ended;
  return known;
}

/** The roll-up of the environment's own page. */
async function pageOf(namespace: string, rules?: ScopeRules): Promise<EnvironmentHealth | undefined> {
  return (await viewOf(namespace, rules)).health;
}

/** The roll-up of an environment's view, and what its summary makes of it: an agent tells that to indexes. */
async function viewOf(namespace: string, rules?: ScopeRules) {
  const page = new AbortController();
  const own = new SampleCluster(clock);
  Object.assign(own, { list: cluster.list.bind(cluster) });
  const view = new EnvironmentView({ client: own, scope: scopeOf(namespace, rules), clock, random: () => 0.5 });
  const ended = view.run(page.signal);
  let health: EnvironmentHealth | undefined;
  const summary = new ViewSummary();
  const subscription = view.open(() => {
    const message = subscription.take();
    if (message) summary.apply(message, clock.now());
    health = message?.health ?? health;
  });
  await clock.elapse(5_000);
  page.abort();
  await clock.elapse(0);
  await ended;
  return { health, facts: summary.lastFacts() };
}

test("the same world is rolled up as on the environment's own page: status, counts, issues, what is hidden", async () => {
  putWorkload(cluster, "env-0");
  putWorkload(cluster, "env-1", { waiting: "CrashLoopBackOff" });
  putWorkload(cluster, "env-2");
  const template = { spec: { containers: [{ name: "c", envFrom: [{ configMapRef: { name: "gone" } }] }] } };
  cluster.put("apps/statefulsets", {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { namespace: "env-2", name: "db" },
    spec: { replicas: 1, template },
    status: { replicas: 1, readyReplicas: 1 },
  });
  cluster.put("example.com/widgets", {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { namespace: "env-0", name: "w" },
    status: { conditions: [{ type: "Ready", status: "False", reason: "Broken", message: "it is broken" }] },
  });
  cluster.mayList = (kind) => kind !== "/secrets" && kind !== "networking.k8s.io/ingresses";
  const index = await indexOf(["env-0", "env-1", "env-2", "empty"]);
  for (const name of ["env-0", "env-1", "env-2", "empty"]) {
    const [page, known] = [await pageOf(name), index.get(name)];
    expect(page, name).toBeDefined();
    expect(known?.health.status, name).toBe(page?.status);
    expect(known?.health.counts, name).toEqual(page?.counts);
    expect(known?.health.hidden, name).toEqual(page?.hidden);
    expect(known?.health.partial, name).toBe(page?.partial);
    expect(known?.health.words, name).toEqual(page?.words);
    expect(known?.health.issues, name).toEqual(page?.issues);
    expect(known?.health.issuesTotal, name).toBe(page?.issuesTotal);
  }
  expect(inWords(index.get("env-2")?.health ?? {})).toMatchObject({ counts: { Missing: 1 } });
});

test("rules of a scope alone count in the index as on the page: kinds that are hidden, and those that do not count", async () => {
  putWorkload(cluster, "env-3", { waiting: "CrashLoopBackOff" });
  putWorkload(cluster, "env-3", { name: "fine" });
  for (const [name, kinds] of [
    ["hidden", ["apps/Deployment", "apps/ReplicaSet", "Pod"]],
    ["ignored", ["apps/Deployment"]],
  ] as const) {
    const rules: ScopeRules = { id: name, edges: [], health: [], hidden: [], ignored: [], [name]: kinds };
    const [page, known, plain] = [await pageOf("env-3", rules), (await indexOf(["env-3"], rules)).get("env-3"), await pageOf("env-3")];
    expect(known?.health.status, name).toBe(page?.status);
    expect(known?.health.counts, name).toEqual(page?.counts);
    expect(known?.health.issues, name).toEqual(page?.issues);
    expect(known?.health.counts, name).not.toEqual(plain?.counts);
    // Workloads are counted as they are shown.
    expect(known?.workloads, name).toBe(name === "hidden" ? 0 : 2);
  }
});

test("tools that mark objects are the same by a look and as an agent tells it, also where only a ConfigMap bears the mark", async () => {
  const labels = { "kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
  putWorkload(cluster, "marked");
  putWorkload(cluster, "plain");
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "marked", name: "settings", labels } });
  const index = await indexOf(["marked", "plain"]);
  const flux = { tools: [{ tool: "flux-kustomization", name: "flux-system/shop", objects: 1 }], more: 0 };
  for (const [name, deployers] of [
    ["marked", flux],
    ["plain", { tools: [], more: 0 }],
  ] as const) {
    expect(index.get(name)?.deployers, name).toEqual(deployers);
    expect((await viewOf(name)).facts?.deployers, name).toEqual(deployers);
  }
});

test("UB2: notices that are issues, what is not counted and what is paused are the same by a look, on the page, and as an agent tells it", async () => {
  cluster.mayList = () => true;
  const service = { type: "ClusterIP", selector: { app: "nothing" }, ports: [{ port: 80 }] };
  cluster.put("/services", { apiVersion: "v1", kind: "Service", metadata: { namespace: "env-4", name: "lost" }, spec: service });
  cluster.put("apps/deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "env-4", name: "held" },
    spec: { replicas: 2, paused: true, selector: { matchLabels: { app: "held" } }, template: { spec: { containers: [{ name: "c" }] } } },
    status: { replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 },
  });
  putWorkload(cluster, "env-4");
  const [{ health: page, facts: agent }, index] = [await viewOf("env-4"), (await indexOf(["env-4"])).get("env-4")];
  expect(page?.issues).toMatchObject([{ reason: "NoEndpoints", notice: true, members: [{ ref: { name: "lost" } }] }]);
  expect(page).toMatchObject({ issuesTotal: 1, uncountedTotal: 1, uncounted: [{ members: [{ ref: { name: "held" } }] }] });
  expect([index?.health, agent?.health]).toEqual([page, page]);
  const counts = { workloads: 2, workloadsReady: 1, workloadsSuspended: 1 };
  expect([index, agent]).toMatchObject([counts, counts]);
});

test("S4: a rollback that reuses an old ReplicaSet is the last change, on the page and in the index; a status is none", async () => {
  const [created, back, later] = ["2026-01-01T00:00:00Z", "2026-01-01T11:04:50Z", "2026-01-01T11:30:00Z"];
  const metadata = { namespace: "env-5", creationTimestamp: created };
  const managedFields = [
    { manager: "kubectl-rollout", operation: "Update", apiVersion: "apps/v1", time: back },
    { manager: "kube-controller-manager", operation: "Update", apiVersion: "apps/v1", subresource: "status", time: later },
  ];
  const written = { ...metadata, name: "web", uid: "web-uid", managedFields };
  cluster.put("apps/deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: written,
    spec: { replicas: 1, selector: { matchLabels: { app: "web" } }, template: { spec: { containers: [{ name: "c" }] } } },
    status: { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  });
  const ownerReferences = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "web-uid", controller: true }];
  const set = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { ...metadata, name: "web-1", uid: "set-uid", ownerReferences } };
  cluster.put("apps/replicasets", { ...set, spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } });
  const [{ facts: page }, index] = [await viewOf("env-5"), (await indexOf(["env-5"])).get("env-5")];
  expect([page?.changedMs, index?.changedMs]).toEqual([Date.parse(back), Date.parse(back)]);
});

test("S3: a workload without a ready replica is down; one that is short of some, suspended, or scaled to none is not", async () => {
  const deployment = (name: string, spec: object, status: object) =>
    cluster.put("apps/deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "env-6", name },
      spec: { selector: { matchLabels: { app: name } }, template: { spec: { containers: [{ name: "c" }] } }, ...spec },
      status,
    });
  deployment("down", { replicas: 2 }, { replicas: 2, updatedReplicas: 2, unavailableReplicas: 2 });
  deployment("short", { replicas: 2 }, { replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 });
  deployment("paused", { replicas: 2, paused: true }, { replicas: 2, updatedReplicas: 2, unavailableReplicas: 2 });
  deployment("none", { replicas: 0 }, {});
  const [{ facts: page }, index] = [await viewOf("env-6"), (await indexOf(["env-6"])).get("env-6")];
  const counts = { workloads: 4, workloadsDown: 1 };
  expect([page, index]).toMatchObject([counts, counts]);
});

test("a scope that is open as a view is live, and is dated again when it is closed", async () => {
  putWorkload(cluster, "env-7");
  let facts: SummaryFacts | undefined;
  let notify: (scope: ViewScope) => void = () => {};
  const live = {
    liveSummaryOf: ({ namespaces }: ViewScope) => (namespaces[0] === "env-7" ? facts : undefined),
    onChange: (listener: (scope: ViewScope) => void) => ((notify = listener), () => {}),
  };
  const budget = new ByteBudget(64 * 1024 * 1024);
  const source = new SampledSummaries({ client: cluster, clock, pace: new RequestPace(clock, 20), budget, random: () => 0.5, live });
  const stop = new AbortController();
  const ended = source.run(stop.signal);
  const index = new SampleIndex(source, [scopeOf("env-7")]);
  await clock.elapse(10_000);
  const sampled = index.of("env-7")?.known;
  if (sampled === undefined) throw new Error("nothing was sampled");
  facts = { ...sampled, health: create(EnvironmentHealthSchema), asOfMs: clock.now(), freshness: { kind: "live" } };
  notify({ namespaces: ["env-7"] });
  await clock.elapse(60_000);
  expect(index.of("env-7")?.known?.freshness).toEqual({ kind: "live" });
  facts = undefined;
  notify({ namespaces: ["env-7"] });
  await clock.elapse(1);
  expect(index.of("env-7")?.known?.freshness.kind).toBe("sampled");
  stop.abort();
  await clock.elapse(0);
  await ended;
});
