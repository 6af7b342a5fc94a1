import { parseLabelMap } from "@binnacle/graph";
import type { KubeObject } from "@binnacle/kube";
import { beforeEach, describe, expect, test } from "vitest";

import type { ViewSource } from "../stream/view-model.ts";
import { inWords } from "../stream/in-words.ts";
import { EventIndex } from "../nodes/event-index.ts";
import { object, owned, unscheduled } from "../testing/made-objects.ts";
import { Bench, pod } from "./graph-projection-harness.ts";

/** Counts its queries: each explanation of an object queries its events. */
class CountedEvents extends EventIndex {
  queries = 0;

  override about(object: KubeObject): KubeObject[] {
    this.queries += 1;
    return super.about(object);
  }
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

describe("the roll-up", () => {
  test("UB2: grouping explains nothing anew: of 300 that are not well only the one that changed is explained", () => {
    const events = new CountedEvents();
    bench = new Bench({ namespaces: ["app"] }, events);
    const pods = Array.from({ length: 300 }, (_, n) => unscheduled(`p${n}`));
    bench.show(...pods);
    expect(bench.health).toMatchObject({ issuesTotal: 300, resourcesTotal: 300 });
    events.queries = 0;
    bench.show({ ...unscheduled("p7"), metadata: { ...unscheduled("p7").metadata, labels: { changed: "yes" } } });
    expect(bench.health.issues).toHaveLength(50);
    expect(events.queries).toBeLessThan(5);
  });

  test("counts roots, not what they own", () => {
    const set = {
      ...object("apps/v1", "ReplicaSet", "set"),
      spec: { replicas: 2 },
      status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
    };
    bench.show(set, owned(set, pod("a", true)), owned(set, pod("b", true)), pod("alone", true));
    expect(bench.health.counts.Healthy).toBe(2);
    expect(bench.nodes.get("set")).toMatchObject({ ready: 2, wanted: 2 });
    expect(bench.nodes.get("alone")).toMatchObject({ ready: -1, wanted: -1 });
  });

  test("counts what is owned by something out of sight", () => {
    const labels = parseLabelMap({ team: "shop" });
    bench = new Bench({ namespaces: ["app"], ...(labels && { labels }) });
    const set = object("apps/v1", "ReplicaSet", "set");
    const own = owned(set, pod("a", true));
    bench.show(set, { ...own, metadata: { ...own.metadata, labels: { team: "shop" } } });
    expect([...bench.nodes.keys()]).toEqual(["a"]);
    expect(bench.nodes.get("a")?.ownerId).toBe("");
    expect(bench.health.counts.Healthy).toBe(1);
  });

  test("names kinds that are hidden, each once", () => {
    const source = { id: "", version: "v1", namespace: "app", shown: 0, total: 0, message: "", countsForHealth: true } as const;
    const hidden = bench.projection.health([
      { ...source, group: "apps", resource: "deployments", kind: "Deployment", settled: "forbidden" },
      { ...source, group: "", resource: "secrets", kind: "Secret", settled: "forbidden" },
      { ...source, group: "", resource: "secrets", kind: "Secret", namespace: "other", settled: "forbidden" },
      { ...source, group: "", resource: "pods", kind: "Pod", settled: "live" },
    ]);
    expect(inWords(hidden)).toMatchObject({ partial: true, hidden: ["deployments.apps", "secrets"] });
  });
});

describe("S11: a custom kind that may not be read", () => {
  const WIDGETS: ViewSource = {
    id: "example.com/widgets/app",
    group: "example.com",
    version: "v1",
    resource: "widgets",
    kind: "Widget",
    namespace: "app",
    shown: 0,
    total: 0,
    countsForHealth: true,
    settled: "forbidden",
  };
  const healthWith = (...objects: readonly KubeObject[]) => {
    bench.show(...objects);
    return inWords(bench.projection.health([WIDGETS]));
  };
  const owner = { apiVersion: "example.com/v1", kind: "Widget", name: "shop", uid: "w" };

  test("is not named and makes nothing partial when nothing visible refers to it", () => {
    expect(healthWith(pod("a", true))).toMatchObject({ status: "Healthy", partial: false, hidden: [], reason: "AllHealthy" });
  });

  test("makes the health partial when it owns something", () => {
    const owned = pod("a", true);
    const health = healthWith({ ...owned, metadata: { ...owned.metadata, ownerReferences: [owner] } });
    expect(health).toMatchObject({ partial: true, hidden: ["widgets.example.com"] });
  });

  test("makes the health partial when an inventory lists an object of it", () => {
    const inventory = {
      ...object("v1", "ConfigMap", "inventory"),
      data: { "app_shop_example.com_Widget": "" },
    };
    const labels = { "cli-utils.sigs.k8s.io/inventory-id": "1" };
    const health = healthWith(pod("a", true), { ...inventory, metadata: { ...inventory.metadata, labels } });
    expect(health).toMatchObject({ partial: true, hidden: ["widgets.example.com"] });
  });

  test("makes the health partial when it is the tool that manages something", () => {
    const managed = pod("a", true);
    const labels = { "kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
    bench.show({ ...managed, metadata: { ...managed.metadata, labels } });
    const kustomizations = { ...WIDGETS, group: "kustomize.toolkit.fluxcd.io", resource: "kustomizations", kind: "Kustomization" };
    expect(inWords(bench.projection.health([kustomizations]))).toMatchObject({ partial: true });
  });
});
