import { HealthStatus } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import type { SummaryFacts } from "./summary-source.ts";
import { ViewSummary } from "./view-summary.ts";

const DEPLOYMENT = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", creationTimestamp: "2026-12-31T00:00:00Z" },
  spec: { replicas: 1 },
  status: { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, conditions: [{ type: "Available", status: "True" }] },
};

/** The facts of a view over such a cluster, before and after something happens to it. */
async function factsOf(
  prepare: (cluster: FakeCluster) => void,
  then: (cluster: FakeCluster) => void = () => {},
): Promise<(SummaryFacts | undefined)[]> {
  const clock = new ManualClock();
  const cluster = new FakeCluster(["/v1/pods/Pod", "apps/v1/deployments/Deployment"].map(kindOf));
  cluster.put("apps/deployments", DEPLOYMENT);
  prepare(cluster);
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0.5 });
  const stop = new AbortController();
  const ended = view.run(stop.signal);
  const summary = new ViewSummary();
  const subscription = view.open(() => {
    const message = subscription.take();
    if (message) summary.apply(message, clock.now());
  });
  const facts = [summary.facts()];
  await clock.elapse(5_000);
  facts.push(summary.facts());
  then(cluster);
  await clock.elapse(40_000);
  facts.push(summary.facts());
  stop.abort();
  await clock.elapse(0);
  await ended;
  return facts;
}

test("a view that is complete is live, with its own roll-up; before that it says nothing", async () => {
  const [before, facts] = await factsOf(() => {});
  expect(before).toBeUndefined();
  expect(facts).toMatchObject({ workloads: 1, workloadsReady: 1, freshness: { kind: "live" }, health: { status: HealthStatus.HEALTHY } });
});

function deployment(name: string, images: readonly string[], replicas = 1): typeof DEPLOYMENT {
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  const spec = { replicas, template: { spec: { containers } } };
  return { ...DEPLOYMENT, metadata: { ...DEPLOYMENT.metadata, name }, spec };
}

test("images are counted by workload, the newest first; those of a workload that is scaled to zero do not run", async () => {
  const [, facts] = await factsOf((cluster) => {
    cluster.put("apps/deployments", deployment("web", ["r/web:2", "r/proxy:1"]));
    cluster.put("apps/deployments", deployment("api", ["r/api:7", "r/proxy:1", "r/proxy:1"]));
    cluster.put("apps/deployments", deployment("off", ["r/off:1"], 0));
  });
  const sinceMs = Date.parse("2026-12-31T00:00:00Z");
  expect(facts?.images).toEqual({
    images: [
      { image: "r/api:7", workloads: 1, sinceMs },
      { image: "r/proxy:1", workloads: 2, sinceMs },
      { image: "r/web:2", workloads: 1, sinceMs },
    ],
    more: 0,
  });
});

test("at most twenty images are listed, and the others are counted", async () => {
  const [, facts] = await factsOf((cluster) => {
    const names = Array.from({ length: 25 }, (_, index) => `r/image-${index}:1`);
    cluster.put("apps/deployments", deployment("web", names));
  });
  expect([facts?.images?.images.length, facts?.images?.more]).toEqual([20, 5]);
});

test("UB1: a view whose agent is away is not live", async () => {
  const [, facts, later] = await factsOf(
    () => {},
    (cluster) => {
      cluster.outage = new KubeClientError("agent_offline", "agent 3 is not connected");
      cluster.disconnect();
    },
  );
  expect(facts).toBeDefined();
  expect(later).toBeUndefined();
});

test("UB1: a view of which a kind that counts is only sampled is not live", async () => {
  const [, facts] = await factsOf((cluster) => {
    cluster.watchRefusal = new KubeClientError("no_watch", "the agent's watches are in use", { retryAfterSeconds: 30 });
  });
  expect(facts).toBeUndefined();
});
