import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError } from "../base/kube-client.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { RequestPace } from "../limits/request-pace.ts";
import { apiError, putWorkload, SampleCluster } from "../testing/sample-cluster.ts";
import { SampleIndex } from "./sample-index.ts";
import { SampledSummaries, type SampledSummariesOptions } from "./sampled-summaries.ts";
import { scopeKeyOf } from "./summary-source.ts";

const MIB = 1024 * 1024;

let clock: ManualClock;
let cluster: SampleCluster;
let budget: ByteBudget;
let stop: AbortController;
let running: Promise<void>[];

beforeEach(() => {
  clock = new ManualClock();
  cluster = new SampleCluster(clock);
  budget = new ByteBudget(64 * MIB);
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await Promise.all(running);
  // Whatever a test was about: no watch was opened, and nothing is held.
  if (budget.usedBytes > 0) throw new Error(`${budget.usedBytes} bytes are still held`);
  if (cluster.watches > 0) throw new Error(`${cluster.watches} watches were opened`);
  clock.assertIdle();
});

function start(options: Partial<SampledSummariesOptions> = {}): SampledSummaries {
  const source = new SampledSummaries({ client: cluster, clock, pace: new RequestPace(clock, 20), budget, random: () => 0.5, ...options });
  running.push(source.run(stop.signal));
  return source;
}

function scopesOf(...names: string[]): ViewScope[] {
  return names.map((name) => ({ namespaces: [name] }));
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `env-${index}`);
}

/** Only with RoleBindings: nothing in all namespaces. */
function byNamespace(allowed: (namespace: string) => boolean = () => true): void {
  cluster.mayList = (_kind, namespace) => namespace !== "" && allowed(namespace);
}

/** The most requests of any second. */
function fastestSecond(): number {
  const times = cluster.requests.map(({ atMs }) => atMs);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

describe("an identity that may list everywhere", () => {
  test("W1, W2: a thousand environments have a health within 20 s, without any watch and with at most 20 requests a second", async () => {
    for (const name of names(1_000)) putWorkload(cluster, name, name === "env-999" ? { waiting: "ImagePullBackOff" } : {});
    cluster.slowMs = 100;
    const index = new SampleIndex(start(), scopesOf(...names(1_000)));
    await clock.elapse(20_000);
    expect(index.known()).toHaveLength(1_000);
    expect(index.of("env-0")?.known).toMatchObject({ workloads: 1, workloadsReady: 1, health: { status: "Healthy", partial: false } });
    expect(index.of("env-999")?.known).toMatchObject({ workloadsReady: 0, health: { status: "Degraded" }, workloadsOnly: false });
    expect(fastestSecond()).toBeLessThanOrEqual(20);
    expect(cluster.requests.every(({ namespace }) => namespace === "")).toBe(true);
  });

  test("looks again every 30 s, and says only what has changed and that the rest was looked at", async () => {
    for (const name of names(3)) putWorkload(cluster, name);
    const index = new SampleIndex(start(), scopesOf(...names(3)));
    await clock.elapse(10_000);
    expect(index.known().map(({ freshness }) => freshness)).toEqual(names(3).map(() => ({ kind: "sampled", everyMs: 30_000 })));
    const [before, first] = [index.of("env-1"), index.of("env-0")?.known?.asOfMs ?? 0];
    putWorkload(cluster, "env-1", { waiting: "CrashLoopBackOff" });
    await clock.elapse(30_000);
    expect(index.of("env-1")).not.toBe(before);
    expect(index.of("env-1")?.known?.health.status).toBe("Degraded");
    expect((index.of("env-0")?.known?.asOfMs ?? 0) - first).toBe(30_000);
  });

  test("a kind with far more objects than the wanted namespaces is worth is listed in those namespaces only", async () => {
    for (let index = 0; index < 5_000; index += 1) putWorkload(cluster, `other-${index % 50}`, { name: `web-${index}` });
    putWorkload(cluster, "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(10_000);
    expect(index.of("env-0")?.known?.health).toMatchObject({ status: "Healthy", counts: { Healthy: 1 } });
    const pods = cluster.requests.filter(({ kind, verb }) => kind === "/pods" && verb !== "probe");
    expect(pods.map(({ namespace }) => namespace)).toEqual(["env-0"]);
  });

  test("a server that does not say how many there are is not read to its end either", async () => {
    cluster.hidesRemaining = true;
    for (let index = 0; index < 5_000; index += 1) putWorkload(cluster, `other-${index % 50}`, { name: `web-${index}` });
    putWorkload(cluster, "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(10_000);
    expect(index.of("env-0")?.known?.health).toMatchObject({ status: "Healthy", counts: { Healthy: 1 } });
    expect(cluster.requests.filter(({ kind, namespace, verb }) => kind === "/pods" && namespace === "" && verb !== "probe")).toHaveLength(
      3,
    );
  });

  test("a list that expires on the way begins anew and counts nothing twice", async () => {
    for (const name of names(600)) putWorkload(cluster, name);
    cluster.expires = 1;
    const index = new SampleIndex(start(), scopesOf(...names(600)));
    await clock.elapse(15_000);
    expect(index.known()).toHaveLength(600);
    expect(index.known().every(({ workloads }) => workloads === 1)).toBe(true);
  });

  test("values of Secrets and ConfigMaps are not even requested", async () => {
    cluster.put("/secrets", { apiVersion: "v1", kind: "Secret", metadata: { namespace: "env-0", name: "token" }, data: { a: "c2VjcmV0" } });
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "env-0", name: "conf" }, data: { a: "1" } });
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(5_000);
    expect(index.known()).toHaveLength(1);
    const lists = cluster.requests.filter(({ kind, verb }) => verb === "list" && ["/secrets", "/configmaps"].includes(kind));
    expect(lists.map(({ metadataOnly }) => metadataOnly)).toEqual([true, true]);
  });

  test("an API server that cannot list pods leaves what was known, and says so", async () => {
    putWorkload(cluster, "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(5_000);
    cluster.broken.set("/pods", apiError(500, "etcd is on fire"));
    await clock.elapse(60_000);
    expect(index.of("env-0")).toMatchObject({ known: { health: { status: "Healthy" } }, gap: { kind: "failed" } });
    cluster.broken.clear();
    await clock.elapse(120_000);
    expect(index.of("env-0")?.gap).toBeUndefined();
  });

  test("a custom kind that cannot be read makes it partial, not unknown and not whole", async () => {
    putWorkload(cluster, "env-0");
    cluster.put("example.com/widgets", { apiVersion: "example.com/v1", kind: "Widget", metadata: { namespace: "env-0", name: "w" } });
    cluster.broken.set("example.com/widgets", apiError(500, "the conversion webhook does not answer"));
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(5_000);
    expect(index.of("env-0")?.known?.health).toMatchObject({ status: "Healthy", partial: true });
  });

  test("R13: a kind that does not answer keeps the others waiting for ten seconds; then they are partial, for want of it", async () => {
    putWorkload(cluster, "env-0");
    cluster.silent.add("example.com/widgets");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(9_000);
    expect(index.of("env-0")?.known).toBeUndefined();
    await clock.elapse(4_000);
    expect(index.of("env-0")?.known?.health).toMatchObject({ status: "Healthy", partial: true });
    expect(JSON.stringify(index.of("env-0")?.known?.health.words)).toContain("Widget");
    cluster.silent.clear();
    await clock.elapse(120_000);
    expect(index.of("env-0")?.known?.health).toMatchObject({ status: "Healthy", partial: false });
  });

  test("R13: one of the usual kinds that fails makes it partial; what is known of the others is shown", async () => {
    putWorkload(cluster, "env-0");
    cluster.broken.set("apps/statefulsets", apiError(500, "etcdserver: request timed out"));
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(10_000);
    expect(index.of("env-0")).toMatchObject({ known: { workloads: 1, health: { status: "Healthy", partial: true } } });
  });

  test("what is made while a look is under way, after its kind was read, is never called missing; what is deleted is", async () => {
    putWorkload(cluster, "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(10_000);
    cluster.meanwhile = ({ kind }) => {
      if (kind !== "autoscaling/horizontalpodautoscalers") return;
      cluster.meanwhile = () => {};
      putWorkload(cluster, "env-0", { name: "late" });
      cluster.put("autoscaling/horizontalpodautoscalers", {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { namespace: "env-0", name: "late" },
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "late" }, minReplicas: 1, maxReplicas: 2 },
        status: { currentReplicas: 1, desiredReplicas: 1, conditions: [{ type: "AbleToScale", status: "True" }] },
      });
    };
    const missing: (number | undefined)[] = [];
    for (let second = 0; second < 60; second += 1) {
      await clock.elapse(1_000);
      missing.push(index.of("env-0")?.known?.health.counts.Missing);
    }
    expect(index.of("env-0")?.known?.workloads).toBe(2);
    expect(new Set(missing)).toEqual(new Set([0]));
    cluster.delete("apps/deployments", "env-0", "late");
    await clock.elapse(61_000);
    expect(index.of("env-0")?.known?.health.counts.Missing).toBe(1);
  });

  test("a kind that was empty is looked for with every look", async () => {
    putWorkload(cluster, "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(10_000);
    cluster.put("apps/statefulsets", {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { namespace: "env-0", name: "db" },
      spec: { replicas: 1 },
      status: { replicas: 1, readyReplicas: 1 },
    });
    await clock.elapse(35_000);
    expect(index.of("env-0")?.known?.workloads).toBe(2);
  });

  test("more than fits into its bytes: one namespace after the other instead, and nothing stays held", async () => {
    budget = new ByteBudget(64 * 1024);
    for (const name of names(100)) putWorkload(cluster, name);
    const index = new SampleIndex(start(), [...scopesOf(...names(100)), { namespaces: [] }]);
    await clock.elapse(60_000);
    expect(index.known().filter(({ workloadsOnly }) => workloadsOnly)).toHaveLength(100);
    expect(index.rows.get(scopeKeyOf({ namespaces: [] }))).toMatchObject({ gap: { kind: "too_large" } });
    expect(index.rows.get(scopeKeyOf({ namespaces: [] }))?.known).toBeUndefined();
  });

  test("an environment that is the whole cluster has a summary too", async () => {
    for (const name of names(3)) putWorkload(cluster, name);
    const index = new SampleIndex(start(), [{ namespaces: [] }]);
    await clock.elapse(5_000);
    expect(index.known()).toMatchObject([{ workloads: 3, health: { counts: { Healthy: 3 } } }]);
  });
});

describe("an identity with RoleBindings only", () => {
  test("W1, W2: of a thousand environments those on the screen are known within 20 s, all within 5 min, at 20 requests a second", async () => {
    for (const name of names(1_000)) putWorkload(cluster, name, name === "env-999" ? { waiting: "ImagePullBackOff" } : {});
    byNamespace();
    cluster.slowMs = 100;
    const shown = scopesOf(...names(1_000).slice(960));
    const index = new SampleIndex(start(), scopesOf(...names(1_000)), shown);
    await clock.elapse(20_000);
    expect(shown.every(({ namespaces: [name = ""] }) => index.of(name)?.known !== undefined)).toBe(true);
    expect(index.of("env-999")?.known).toMatchObject({ health: { status: "Degraded" }, workloadsOnly: true, workloads: 1 });
    await clock.elapse(280_000);
    expect(index.known()).toHaveLength(1_000);
    expect(fastestSecond()).toBeLessThanOrEqual(20);
  });

  test("a namespace that it may not read says so, for two requests, and is not taken for an empty one", async () => {
    for (const name of names(2)) putWorkload(cluster, name);
    byNamespace((name) => name === "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0", "env-1"));
    await clock.elapse(5_000);
    expect(index.of("env-0")?.known?.health.status).toBe("Healthy");
    expect(index.of("env-1")).toMatchObject({ gap: { kind: "forbidden" } });
    expect(index.of("env-1")?.known).toBeUndefined();
    expect(cluster.requests.filter(({ namespace }) => namespace === "env-1")).toHaveLength(2);
  });

  test("R13: one of the other workload kinds that fails, or does not answer, makes a namespace partial and takes nothing from others", async () => {
    byNamespace();
    for (const name of names(2)) putWorkload(cluster, name);
    cluster.broken.set("batch/jobs", apiError(500, "etcdserver: request timed out"));
    const index = new SampleIndex(start(), scopesOf(...names(2)));
    await clock.elapse(20_000);
    expect(index.known().map(({ health }) => health.partial)).toEqual([true, true]);
    cluster.broken.clear();
    cluster.silent.add("apps/statefulsets");
    await clock.elapse(120_000);
    expect(index.of("env-0")).toMatchObject({ known: { workloads: 1, health: { partial: true } } });
    cluster.silent.clear();
    await clock.elapse(120_000);
    expect(index.of("env-0")?.known?.health).toMatchObject({ status: "Healthy", partial: false });
  });

  test("a right that is withdrawn takes what was known with it; given back, it comes again", async () => {
    putWorkload(cluster, "env-0");
    byNamespace();
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(5_000);
    byNamespace(() => false);
    await clock.elapse(61_000);
    expect(index.of("env-0")).toEqual({ scope: { namespaces: ["env-0"] }, gap: expect.objectContaining({ kind: "forbidden" }) });
    byNamespace();
    await clock.elapse(61_000);
    expect(index.of("env-0")?.known?.health.status).toBe("Healthy");
  });

  test("an identity that may list everywhere later is looked at as a whole", async () => {
    putWorkload(cluster, "env-0");
    byNamespace();
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(5_000);
    cluster.mayList = () => true;
    await clock.elapse(310_000);
    expect(index.of("env-0")?.known?.workloadsOnly).toBe(false);
  });
});

describe("the agent", () => {
  test("UB1: an agent that goes away leaves every last summary with its time, and says since when", async () => {
    putWorkload(cluster, "env-0", { waiting: "CrashLoopBackOff" });
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(5_000);
    const asOfMs = index.of("env-0")?.known?.asOfMs;
    cluster.outage = new KubeClientError("agent_offline", "agent 3 is not connected");
    await clock.elapse(60_000);
    expect(index.connection).toMatchObject({ state: "agent_offline" });
    expect(index.of("env-0")?.known).toMatchObject({ asOfMs, health: { status: "Degraded" } });
    cluster.outage = undefined;
    await clock.elapse(60_000);
    expect(index.connection).toMatchObject({ state: "connected" });
    expect(index.of("env-0")?.known?.asOfMs).toBeGreaterThan((asOfMs ?? 0) + 60_000);
  });

  test("UB1: nothing is known of a cluster that was never reached", async () => {
    cluster.outage = new KubeClientError("agent_offline", "agent 3 is not connected");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(60_000);
    expect(index.of("env-0")).toEqual({ scope: { namespaces: ["env-0"] }, gap: { kind: "not_looked_at" } });
    expect(index.connection?.state).toBe("agent_offline");
  });

  test("one that takes requests and never answers ends nothing for good", async () => {
    putWorkload(cluster, "env-0");
    cluster.hanging = true;
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(90_000);
    expect(index.connection?.state).toBe("agent_offline");
    cluster.hanging = false;
    await clock.elapse(60_000);
    expect(index.of("env-0")?.known?.health.status).toBe("Healthy");
  });
});

describe("many who look", () => {
  test("two readers of the same scope receive the same for the requests of one", async () => {
    putWorkload(cluster, "env-0");
    const source = start();
    const first = new SampleIndex(source, scopesOf("env-0"));
    await clock.elapse(10_000);
    const before = cluster.requests.length;
    const second = new SampleIndex(source, scopesOf("env-0"));
    await clock.elapse(1);
    expect(second.of("env-0")).toEqual(first.of("env-0"));
    expect(cluster.requests).toHaveLength(before);
  });

  test("scopes that join while it waits are looked at at once", async () => {
    for (const name of names(2)) putWorkload(cluster, name);
    const source = start();
    const first = new SampleIndex(source, scopesOf("env-0"));
    await clock.elapse(8_000);
    expect(first.known()).toHaveLength(1);
    const second = new SampleIndex(source, scopesOf("env-1"));
    await clock.elapse(5_000);
    expect(second.of("env-1")?.known?.health.status).toBe("Healthy");
  });

  test("without a reader nothing is listed", async () => {
    putWorkload(cluster, "env-0");
    const index = new SampleIndex(start(), scopesOf("env-0"));
    await clock.elapse(10_000);
    index.subscription.close();
    await clock.elapse(31_000);
    const before = cluster.requests.length;
    await clock.elapse(300_000);
    expect(cluster.requests).toHaveLength(before);
  });

  test("samplers of two identities share the pace of the agent", async () => {
    for (const name of names(50)) putWorkload(cluster, name);
    byNamespace();
    const pace = new RequestPace(clock, 20);
    const indexes = [start({ pace }), start({ pace })].map((source) => new SampleIndex(source, scopesOf(...names(50))));
    await clock.elapse(40_000);
    expect(indexes.map((index) => index.known().length)).toEqual([50, 50]);
    expect(fastestSecond()).toBeLessThanOrEqual(20);
  });
});
