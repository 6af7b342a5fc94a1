import { parseLabelMap, ResourceGraph } from "@binnacle/graph";
import type { KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import type { ViewScope } from "../scope/view-scope.ts";
import { ScopeFilter } from "./scope-filter.ts";

function claim(volumeName: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "app", uid: "claim" },
    spec: { volumeName },
  };
}

const VOLUME: KubeObject = { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv-1", uid: "volume" } };
const NODE: KubeObject = { apiVersion: "v1", kind: "Node", metadata: { name: "n1", uid: "node" } };
const POD: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "app", uid: "pod" }, spec: { nodeName: "n1" } };

function seen(...objects: KubeObject[]) {
  return seenIn({ namespaces: ["app"] }, objects);
}

function seenIn(scope: ViewScope, objects: readonly KubeObject[]) {
  const graph = new ResourceGraph();
  const filter = new ScopeFilter(graph, scope);
  for (const object of objects) graph.upsert(object);
  return { graph, filter, sight: filter.apply(graph.takeChanges()) };
}

describe("ScopeFilter", () => {
  test("a volume is in sight when a claim of the environment is bound to it, in any order of arrival", () => {
    for (const objects of [
      [VOLUME, claim("pv-1")],
      [claim("pv-1"), VOLUME],
    ]) {
      const { sight } = seen(...objects);
      expect([...sight.appeared].toSorted()).toEqual(["claim", "volume"]);
      expect(sight.drawn.map(({ kind }) => kind)).toContain("pvc-pv");
    }
  });

  test("of a part of the namespaces it counts what is in them and what of it is shown; of whole namespaces there is nothing to count", () => {
    const web: KubeObject = { ...POD, metadata: { name: "web", namespace: "app", uid: "web", labels: { app: "web" } } };
    const labels = parseLabelMap({ app: "web" });
    if (labels === undefined) throw new Error("it is a selector");
    const { graph, filter } = seenIn({ namespaces: ["app"], labels }, [POD, web, NODE, claim("pv-1")]);
    expect(filter.covered).toEqual({ shown: 1, total: 3 });
    graph.remove("pod");
    filter.apply(graph.takeChanges());
    expect(filter.covered).toEqual({ shown: 1, total: 2 });
    expect(seen(POD).filter.covered).toBeUndefined();
  });

  test("the rest of what is cluster-wide stays out of sight", () => {
    const { filter } = seen(VOLUME, claim("another"));
    expect(filter.isShown("volume")).toBe(false);
  });

  test("the node of a pod is known but not shown, and no line leads to it", () => {
    const { filter, sight } = seen(NODE, POD);
    expect(filter.isShown("node")).toBe(false);
    expect(sight.drawn).toEqual([]);
  });

  test("a volume leaves with the claim that led to it, and so does its line", () => {
    const { graph, filter } = seen(VOLUME, claim("pv-1"));
    graph.remove("claim");
    const sight = filter.apply(graph.takeChanges());
    expect([...sight.vanished].toSorted()).toEqual(["claim", "volume"]);
    expect(sight.undrawn).toContain("claim|pvc-pv|volume");
  });

  test("what is missing is in sight", () => {
    const { filter } = seen({ ...POD, spec: { volumes: [{ name: "v", configMap: { name: "settings" } }] } });
    expect(filter.isShown("/ConfigMap/app/settings")).toBe(true);
  });
});

function deployment(name: string, more: Partial<KubeObject["metadata"]> = {}): KubeObject {
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace: "app", uid: name, ...more } };
}

function podOf(owner: string, settings: string): KubeObject {
  const ownerReferences = [{ apiVersion: "apps/v1", kind: "Deployment", name: owner, uid: owner, controller: true }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `${owner}-1`, namespace: "app", uid: `${owner}-1`, ownerReferences },
    spec: { containers: [{ name: "c", envFrom: [{ configMapRef: { name: settings } }] }] },
  };
}

describe("ScopeFilter with labels", () => {
  const labels = parseLabelMap({ team: "shop" });
  const scope = { namespaces: ["app"], ...(labels === undefined ? {} : { labels }) };

  test("what has the labels is in sight, and what it owns, and what that lacks", () => {
    const { filter } = seenIn(scope, [deployment("web", { labels: { team: "shop" } }), podOf("web", "settings"), deployment("other")]);
    expect(["web", "web-1", "/ConfigMap/app/settings", "other"].map((id) => filter.isShown(id))).toEqual([true, true, true, false]);
  });

  test("what only others lack is out of sight", () => {
    const { filter } = seenIn(scope, [deployment("other"), podOf("other", "settings")]);
    expect(filter.isShown("/ConfigMap/app/settings")).toBe(false);
  });

  test("an object that gets the labels comes into sight with everything below it and their lines", () => {
    const { graph, filter } = seenIn(scope, [deployment("web"), podOf("web", "settings")]);
    graph.upsert(deployment("web", { labels: { team: "shop" } }));
    const sight = filter.apply(graph.takeChanges());
    expect([...sight.appeared].toSorted()).toEqual(["/ConfigMap/app/settings", "web", "web-1"]);
    expect(sight.drawn.map(({ kind }) => kind).toSorted()).toEqual(["owner", "pod-cm"]);
    graph.upsert(deployment("web"));
    expect([...filter.apply(graph.takeChanges()).vanished].toSorted()).toEqual(["/ConfigMap/app/settings", "web", "web-1"]);
  });
});

describe("ScopeFilter with an inventory", () => {
  test("what bears its mark is in sight, and what it generated", () => {
    const annotations = { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:app/web" };
    const { filter } = seenIn({ namespaces: [], inventory: { tool: "argocd", name: "shop" } }, [
      deployment("web", { annotations }),
      podOf("web", "settings"),
      deployment("other"),
    ]);
    expect(["web", "web-1", "other"].map((id) => filter.isShown(id))).toEqual([true, true, false]);
  });

  test("what it lists and is not there is in sight, though nothing in sight refers to it", () => {
    const { filter } = seenIn({ namespaces: [], inventory: { tool: "flux-kustomization", name: "flux/shop" } }, [
      {
        apiVersion: "kustomize.toolkit.fluxcd.io/v1",
        kind: "Kustomization",
        metadata: { name: "shop", namespace: "flux", uid: "k" },
        status: { inventory: { entries: [{ id: "app_gone__ConfigMap" }] } },
      },
    ]);
    expect([filter.isShown("/ConfigMap/app/gone"), filter.isShown("k")]).toEqual([true, false]);
  });
});
