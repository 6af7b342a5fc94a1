import { appliedFieldsOf, type AppliedFields, type KubeObject } from "@binnacle/kube";
import { PublishedTable } from "@binnacle/replica";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import type { EnvironmentScope } from "../engine/environment-scope.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { openEnvironmentTable } from "../engine/environment-table.ts";
import { RemoteState } from "../remote/remote-state.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { inventoryDrift, type InventoryDrift } from "../drift/inventory-drift.ts";
import { openOwnership, ViewOwnership } from "../drift/view-ownership.ts";

const KINDS = ["/v1/pods/Pod", "apps/v1/deployments/Deployment", "autoscaling/v2/horizontalpodautoscalers/HorizontalPodAutoscaler"].map(
  kindOf,
);
const APPLIED_AT = "2025-12-31T10:00:00Z";
const CHANGED_AT = "2025-12-31T12:00:00Z";
const IMAGE = { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:image": {}, "f:name": {} } } } } };
const IMAGE_ONLY = { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': { "f:image": {} } } } } };
const WITHOUT_IMAGE = { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:name": {} } } } } };
const KEY = { group: "apps", kind: "Deployment", namespace: "app", name: "web" };
const IMAGE_PATH = "spec.template.spec.containers[web].image";

/** As agentk has applied it. */
const APPLIED = web([entry("agentk Apply", { "f:spec": { "f:replicas": {}, ...IMAGE } }, APPLIED_AT)]);

/** @param manager with the operation and, if any, the subresource */
function entry(manager: string, fieldsV1: object, time: string): object {
  const [name, operation, subresource] = manager.split(" ");
  return { manager: name, operation, time, fieldsV1, ...(subresource !== undefined && { subresource }) };
}

function web(managedFields: readonly object[]): KubeObject {
  const metadata = { name: "web", annotations: { "config.k8s.io/owning-inventory": "1-2" }, managedFields };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 1, template: { spec: { containers: [{ name: "web" }] } } },
  };
}

function applied(): AppliedFields {
  const fields = appliedFieldsOf(APPLIED);
  if (fields === undefined) throw new Error("nothing is applied");
  return fields;
}

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<void>;
let close: () => void;
let opened: EnvironmentScope;
/** Of the view that is made here, and of one that another program makes. */
let seen: { readonly own: ViewOwnership; readonly remote: ViewOwnership };

async function show(scope: ViewScope = { namespaces: ["app"] }): Promise<void> {
  const view = new ClusterView({ client: cluster, clock, random: () => 0 });
  ended = view.run(stop.signal);
  opened = view.openScope(scope);
  seen = { own: new ViewOwnership(scope), remote: new ViewOwnership(scope) };
  const subscription = opened.open(() => {
    const message = subscription.take();
    if (message) seen.own.apply(message);
  });
  const sent = openEnvironmentTable(opened);
  const remote = new RemoteState(clock);
  remote.setWay(undefined);
  const far = remote.open(() => {
    const message = far.take();
    if (message) seen.remote.apply(message);
  });
  const between = new PublishedTable();
  const passed = between.open(() => {
    const change = passed.take();
    if (change) remote.apply({ ...change, ...(change.reset ? { rights: "the same" } : {}) });
  });
  const sentChanges = sent.table.open(() => {
    const change = sentChanges.take();
    if (change) {
      between.apply(change);
      between.announce();
    }
  });
  close = () => {
    subscription.close();
    far.close();
    sent.close();
    opened.close();
  };
  await clock.elapse(2_000);
}

/** What is out of sync, which both ways of making a view must agree on. */
function drift(kept: readonly string[] = []): InventoryDrift {
  const objects = [{ key: KEY, applied: applied(), kept }];
  const own = inventoryDrift(objects, seen.own);
  expect(inventoryDrift(objects, seen.remote)).toEqual(own);
  return own;
}

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS);
  stop = new AbortController();
});

afterEach(async () => {
  close();
  stop.abort();
  await clock.elapse(0);
  await ended;
});

describe("drift of a view (B3)", () => {
  test("an image that another manager sets is out of sync within five seconds, with field, manager and time, and in sync again when agentk has it back", async () => {
    cluster.put("apps/deployments", APPLIED);
    await show();
    expect(drift()).toEqual({ drifted: [], compared: 1, unknown: 0 });
    cluster.put(
      "apps/deployments",
      web([
        entry("agentk Apply", { "f:spec": { "f:replicas": {}, ...WITHOUT_IMAGE } }, APPLIED_AT),
        entry("kubectl-set Update", { "f:spec": IMAGE_ONLY }, CHANGED_AT),
        entry("kube-controller-manager Update status", { "f:status": { "f:replicas": {} } }, CHANGED_AT),
      ]),
    );
    await clock.elapse(5_000);
    const field = { field: IMAGE_PATH, manager: "kubectl-set", atMs: Date.parse(CHANGED_AT) };
    expect(drift()).toEqual({ drifted: [{ key: KEY, kind: "changed", fields: [field], unnamed: 0 }], compared: 1, unknown: 0 });
    expect(drift([IMAGE_PATH])).toEqual({ drifted: [], compared: 1, unknown: 0 });
    cluster.put("apps/deployments", APPLIED);
    await clock.elapse(5_000);
    expect(drift()).toEqual({ drifted: [], compared: 1, unknown: 0 });
  });

  test("an object that was deleted is out of sync, and one that another of its name replaced has lost its fields", async () => {
    cluster.put("apps/deployments", APPLIED);
    await show();
    cluster.delete("apps/deployments", "web");
    await clock.elapse(5_000);
    expect(drift().drifted).toEqual([{ key: KEY, kind: "gone", fields: [], unnamed: 0 }]);
    cluster.put("apps/deployments", { ...APPLIED, metadata: { name: "web" } });
    await clock.elapse(5_000);
    expect(drift().drifted).toEqual([{ key: KEY, kind: "changed", fields: [], unnamed: applied().count }]);
  });

  test("replicas are no drift while an autoscaler scales the object", async () => {
    cluster.put(
      "apps/deployments",
      web([
        entry("agentk Apply", { "f:spec": IMAGE }, APPLIED_AT),
        entry("kubectl Update scale", { "f:spec": { "f:replicas": {} } }, CHANGED_AT),
      ]),
    );
    await show();
    expect(drift().drifted).toMatchObject([{ fields: [{ field: "spec.replicas", manager: "kubectl" }] }]);
    cluster.put("autoscaling/horizontalpodautoscalers", {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 },
    });
    await clock.elapse(5_000);
    expect(drift()).toEqual({ drifted: [], compared: 1, unknown: 0 });
    cluster.delete("autoscaling/horizontalpodautoscalers", "web");
    await clock.elapse(5_000);
    expect(drift().drifted).toHaveLength(1);
  });

  test("nothing is claimed of what may not be read, of another namespace, and of a part of a namespace", async () => {
    cluster.forbidden.add("apps/deployments");
    await show();
    expect(drift()).toEqual({ drifted: [], compared: 0, unknown: 1 });
    const elsewhere = { key: { ...KEY, namespace: "other" }, applied: applied(), kept: [] };
    expect(inventoryDrift([elsewhere], seen.own)).toEqual({ drifted: [], compared: 0, unknown: 1 });
  });

  test("what a view tells of anything else is no reason to compare again", async () => {
    cluster.put("apps/deployments", APPLIED);
    await show();
    const { version } = seen.own;
    for (const replicas of [2, 3]) {
      cluster.put("apps/deployments", { ...APPLIED, status: { replicas, readyReplicas: replicas } });
      await clock.elapse(1_000);
    }
    expect(seen.own.version).toBe(version);
    cluster.delete("apps/deployments", "web");
    await clock.elapse(1_000);
    expect(seen.own.version).not.toBe(version);
  });

  test("an object without the labels of the environment is not gone", async () => {
    cluster.put("apps/deployments", APPLIED);
    await show({ namespaces: ["app"], labels: { requirements: [{ key: "app", operator: "Exists", values: [] }] } });
    expect(drift()).toEqual({ drifted: [], compared: 0, unknown: 1 });
  });

  test("replicas are no drift until the last of two autoscalers has gone", async () => {
    cluster.put("apps/deployments", web([entry("kubectl Update scale", { "f:spec": { "f:replicas": {} } }, CHANGED_AT)]));
    const autoscaler = (name: string) => ({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 },
    });
    for (const name of ["a", "b"]) cluster.put("autoscaling/horizontalpodautoscalers", autoscaler(name));
    await show();
    for (const [name, isAutoscaled] of [
      ["a", true],
      ["b", false],
    ] as const) {
      expect(seen.own.of(KEY)).toMatchObject({ kind: "present", isAutoscaled: true });
      cluster.delete("autoscaling/horizontalpodautoscalers", name);
      await clock.elapse(5_000);
      expect([seen.own.of(KEY), seen.remote.of(KEY)]).toMatchObject([{ isAutoscaled }, { isAutoscaled }]);
    }
  });

  test("the readers of a view share one subscription until the last of them has closed, and each hears of a change", async () => {
    cluster.put("apps/deployments", APPLIED);
    await show();
    const counts = { opened: 0, open: 0, first: 0, second: 0 };
    const view: Pick<EnvironmentScope, "open" | "scope"> = {
      scope: opened.scope,
      open(...request) {
        const inner = opened.open(...request);
        counts.opened += 1;
        counts.open += 1;
        return {
          take: () => inner.take(),
          close() {
            counts.open -= 1;
            inner.close();
          },
        };
      },
    };
    const first = openOwnership(view, () => (counts.first += 1));
    await clock.elapse(1_000);
    const second = openOwnership(view, () => (counts.second += 1));
    expect(second.ownership.isComplete).toBe(true);
    expect(second.ownership).toBe(first.ownership);
    const before = { ...counts };
    cluster.delete("apps/deployments", "web");
    await clock.elapse(1_000);
    expect([counts.opened, counts.first > before.first, counts.second > before.second]).toEqual([1, true, true]);
    first.close();
    expect(counts.open).toBe(1);
    cluster.put("apps/deployments", APPLIED);
    await clock.elapse(1_000);
    expect(second.ownership.of(KEY)).toMatchObject({ kind: "present" });
    second.close();
    expect(counts.open).toBe(0);
    openOwnership(view, () => {}).close();
    expect([counts.opened, counts.open]).toEqual([2, 0]);
  });
});
