import { ResourceGraph } from "@binnacle/graph";
import type { HealthStatus } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { object, owned } from "../testing/made-objects.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Names around a node, sorted; those in `unwell` are Degraded, all others Healthy. */
function around(name: string, objects: readonly KubeObject[], unwell: readonly string[] = []): string[] {
  const graph = new ResourceGraph();
  for (const each of objects) graph.upsert(each);
  const node = graph.node(name);
  if (!node) throw new Error(`there is no ${name}`);
  const statusOf = (id: string): HealthStatus => (unwell.includes(id) ? "Degraded" : "Healthy");
  return surroundingsOf(node, graph, statusOf)
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

const WEB = object("apps/v1", "Deployment", "web");
const OLD = owned(WEB, object("apps/v1", "ReplicaSet", "old"));
const NEW = owned(WEB, object("apps/v1", "ReplicaSet", "new"));
const SCALER: KubeObject = {
  ...object("autoscaling/v2", "HorizontalPodAutoscaler", "scaler"),
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
};

function pod(name: string, by = NEW, configMap?: string): KubeObject {
  const volumes = configMap === undefined ? [] : [{ name: "v", configMap: { name: configMap } }];
  const made = owned(by, object("v1", "Pod", name));
  return { ...made, metadata: { ...made.metadata, labels: { app: "web" } }, spec: { volumes } };
}

describe("what surrounds", () => {
  test("a pod: what it needs, its owners, their other ReplicaSets, and the autoscaler above; neither itself nor its siblings", () => {
    const settings = object("v1", "ConfigMap", "settings");
    const objects = [WEB, OLD, NEW, SCALER, settings, pod("a", NEW, "settings"), pod("b"), object("v1", "ConfigMap", "else")];
    expect(around("a", objects)).toEqual(["new", "old", "scaler", "settings", "web"]);
  });

  test("a Deployment: what it owns and what scales it", () => {
    expect(around("web", [WEB, OLD, NEW, SCALER, pod("a")])).toEqual(["a", "new", "old", "scaler"]);
  });

  test("a ReplicaSet with pods that fail: what those need too", () => {
    const objects = [NEW, pod("a", NEW, "x"), pod("b", NEW, "y"), object("v1", "ConfigMap", "x"), object("v1", "ConfigMap", "y")];
    expect(around("new", objects, ["b"])).toContain("y");
  });

  test("something with thousands of pods: the failing pods are among the few that are reported", () => {
    const pods = Array.from({ length: 300 }, (_, index) => pod(`p-${index}`));
    const unwell = ["p-0", "p-150", "p-299"];
    const seen = around("new", [NEW, ...pods], unwell);
    expect(seen.filter((name) => unwell.includes(name))).toEqual(unwell);
    expect(seen.length).toBeLessThan(100);
    const all = around(
      "new",
      [NEW, ...pods],
      pods.map(({ metadata }) => metadata.name),
    );
    expect(all.length).toBeLessThan(100);
  });

  test("an Ingress: the Service it leads to, and the pods behind that", () => {
    const service: KubeObject = { ...object("v1", "Service", "front"), spec: { selector: { app: "web" } } };
    const ingress: KubeObject = {
      ...object("networking.k8s.io/v1", "Ingress", "door"),
      spec: { defaultBackend: { service: { name: "front" } } },
    };
    expect(around("door", [ingress, service, NEW, pod("a"), pod("b")])).toEqual(["a", "b", "front"]);
  });

  test("an object without owners: only what it needs", () => {
    expect(around("settings", [object("v1", "ConfigMap", "settings"), WEB])).toEqual([]);
  });
});
