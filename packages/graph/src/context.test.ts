import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import { aboutOf } from "./event-target.ts";
import type { ResourceGraph } from "./resource-graph.ts";

type Rest = Record<string, unknown> & { metadata?: Record<string, unknown> };

function object(...[apiVersion, kind, name, rest = {}]: [apiVersion: string, kind: string, name: string, rest?: Rest]): KubeObject {
  const { metadata, ...fields } = rest;
  return { apiVersion, kind, metadata: { name, namespace: "env", uid: `${kind}-${name}`, ...metadata }, ...fields };
}

function ownedBy(kind: string, name: string, apiVersion = "apps/v1") {
  return { labels: { app: "web" }, ownerReferences: [{ apiVersion, kind, name, uid: `${kind}-${name}`, controller: true }] };
}

const podSpec = {
  nodeName: "n",
  containers: [{ envFrom: [{ configMapRef: { name: "settings" } }, { secretRef: { name: "gone" } }] }],
  volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
};
const pod = (name: string) => object("v1", "Pod", name, { metadata: ownedBy("ReplicaSet", "rs"), spec: podSpec });
const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

const world = [
  object("apps/v1", "Deployment", "web", { spec: { template: { metadata: { labels: { app: "web" } }, spec: podSpec } } }),
  object("apps/v1", "ReplicaSet", "rs", { metadata: ownedBy("Deployment", "web") }),
  pod("a"),
  object("v1", "ConfigMap", "settings"),
  object("v1", "PersistentVolumeClaim", "data", { spec: { volumeName: "pv" } }),
  object("v1", "PersistentVolume", "pv", { metadata: { namespace: "" } }),
  object("v1", "Node", "n", { metadata: { namespace: "" } }),
  object("v1", "Service", "web", { spec: { selector: { app: "web" } } }),
  object("discovery.k8s.io/v1", "EndpointSlice", "s", {
    metadata: { labels: { "kubernetes.io/service-name": "web" } },
    endpoints: [{ targetRef: { kind: "Pod", name: "a", uid: "Pod-a" } }],
  }),
  object("networking.k8s.io/v1", "Ingress", "i", { spec: { defaultBackend: { service: { name: "web" } } } }),
  object("autoscaling/v2", "HorizontalPodAutoscaler", "h", { spec: { scaleTargetRef: target } }),
  object("v1", "ConfigMap", "other"),
];
const access = ["ConfigMap", "Secret", "PersistentVolumeClaim"].map((kind) => ({ group: "", kind, access: "synced" as const }));

function context(graph: ResourceGraph, id: string): string[] {
  return graph.contextOf(id).map(({ kind, metadata }) => `${kind}-${metadata.name}`);
}

describe("the context", () => {
  const graph = buildGraph(world, access);

  test("of a workload is what it owns, what that mounts, and where it runs", () => {
    expect(context(graph, "Deployment-web")).toEqual([
      "ConfigMap-settings",
      "Node-n",
      "PersistentVolumeClaim-data",
      "Pod-a",
      "ReplicaSet-rs",
    ]);
  });

  test("of a pod is what it mounts and where it runs", () => {
    expect(context(graph, "Pod-a")).toEqual(["ConfigMap-settings", "Node-n", "PersistentVolumeClaim-data"]);
  });

  test("of an Ingress its Services, of a Service its slices, pods and workloads, of an HPA its target, of a claim its volume", () => {
    expect(context(graph, "Ingress-i")).toEqual(["Service-web"]);
    expect(context(graph, "Service-web")).toEqual(["Deployment-web", "EndpointSlice-s", "Pod-a"]);
    expect(context(graph, "HorizontalPodAutoscaler-h")).toEqual(["Deployment-web"]);
    expect(context(graph, "PersistentVolumeClaim-data")).toEqual(["PersistentVolume-pv"]);
  });

  test("of a ghost, or of nothing, is empty", () => {
    expect(graph.contextOf("/Secret/env/gone")).toEqual([]);
    expect(graph.contextOf("unknown")).toEqual([]);
  });

  test("stops at fifty pods, the same ones in whatever order they came", () => {
    const many = [...world, ...Array.from({ length: 200 }, (_, index) => pod(`many-${index}`))];
    const pods = (objects: readonly KubeObject[]) =>
      buildGraph(objects)
        .contextOf("Deployment-web")
        .filter(({ kind }) => kind === "Pod");
    expect(pods(many)).toHaveLength(50);
    expect(pods(many.toReversed())).toEqual(pods(many));
  });
});

test("what is missing below a node is named with it, and owners are not", () => {
  const graph = buildGraph(world, [...access, { group: "apps", kind: "Deployment", access: "synced" }]);
  const missing = (id: string) => graph.missingOf(id).map(({ id: ghost }) => ghost);
  expect(missing("Deployment-web")).toEqual(["/Secret/env/gone"]);
  expect(missing("Pod-a")).toEqual(["/Secret/env/gone"]);
  expect(missing("Service-web")).toEqual([]);
  graph.remove("Deployment-web");
  expect(missing("ReplicaSet-rs")).toEqual(["/Secret/env/gone"]);
  graph.setKindAccess({ group: "", kind: "Secret", access: "not-visible" });
  expect(missing("Pod-a")).toEqual([]);
});

describe("an Event", () => {
  const graph = buildGraph(world);
  const about = (regarding: object, fields: object = {}) => object("events.k8s.io/v1", "Event", "e", { regarding, ...fields });
  const found = (event: KubeObject) => {
    const seen = aboutOf(event);
    return seen && graph.findTarget(seen);
  };

  test("is no node", () => {
    expect(buildGraph([object("v1", "Event", "e"), object("events.k8s.io/v1", "Event", "e")]).nodes()).toEqual([]);
    expect(buildGraph([object("x.io/v1", "Event", "e")]).nodes()).toHaveLength(1);
  });

  test("is about an object by uid: one about its predecessor is not about it", () => {
    const named = { apiVersion: "v1", kind: "Pod", namespace: "env", name: "a" };
    expect(found(about({ ...named, uid: "Pod-a" }))).toBe("Pod-a");
    expect(found(about({ ...named, uid: "first" }))).toBeUndefined();
    expect(found(about(named))).toBe("Pod-a");
    expect(found(object("v1", "Event", "e", { involvedObject: { ...named, uid: "Pod-a" } }))).toBe("Pod-a");
  });

  test("of a kubelet gives the name of the Node as its uid", () => {
    expect(found(about({ kind: "Node", name: "n", uid: "n", apiVersion: "v1" }))).toBe("Node-n");
    expect(found(about({ kind: "Node", name: "n", uid: "Node-n", apiVersion: "v1" }))).toBe("Node-n");
    expect(found(about({ kind: "Node", name: "n", uid: "before", apiVersion: "v1" }))).toBeUndefined();
    expect(found(about({ kind: "Pod", namespace: "env", name: "a", uid: "a", apiVersion: "v1" }))).toBeUndefined();
  });

  test("about nothing has no target", () => {
    expect(aboutOf(about({}))).toBeUndefined();
    expect(aboutOf(object("v1", "Event", "e"))).toBeUndefined();
  });
});

test("owner references that do not count are reported", () => {
  const far = object("apps/v1", "Deployment", "far", { metadata: { namespace: "far" } });
  const child = object("v1", "Pod", "p", { metadata: ownedBy("Deployment", "far") });
  const ring = [
    object("x.io/v1", "A", "a", { metadata: ownedBy("B", "b", "x.io/v1") }),
    object("x.io/v1", "B", "b", { metadata: ownedBy("A", "a", "x.io/v1") }),
  ];
  expect(buildGraph([far, child, ...ring]).ownerWarnings()).toEqual([
    { problem: "ring", ids: ["A-a", "B-b"] },
    { problem: "other-namespace", ids: ["Pod-p", "Deployment-far"] },
  ]);
});

test("a grant that comes or goes turns refused lines, and so does seeing grants at all", () => {
  const route = object("gateway.networking.k8s.io/v1", "HTTPRoute", "r", {
    spec: { rules: [{ backendRefs: [{ name: "a", namespace: "far" }] }] },
  });
  const grant = object("gateway.networking.k8s.io/v1beta1", "ReferenceGrant", "g", {
    metadata: { namespace: "far" },
    spec: { from: [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "env" }], to: [{ group: "", kind: "Service" }] },
  });
  const graph = buildGraph([route, object("v1", "Service", "a", { metadata: { namespace: "far" } })]);
  const refused = () => graph.takeChanges().upsertedEdges.map((edge) => edge.refused);
  expect(refused()).toEqual([false]);
  graph.setKindAccess({ group: "gateway.networking.k8s.io", kind: "ReferenceGrant", access: "synced" });
  expect(refused()).toEqual([true]);
  graph.upsert(grant);
  expect(refused()).toEqual([false]);
  graph.upsert({ ...grant, spec: { from: [], to: [] } });
  expect(refused()).toEqual([true]);
  graph.upsert(grant);
  graph.takeChanges();
  graph.remove("ReferenceGrant-g");
  expect(refused()).toEqual([true]);
});

test("a port that a Service loses shows on the lines that need it", () => {
  const ingress = object("networking.k8s.io/v1", "Ingress", "i", {
    spec: { defaultBackend: { service: { name: "web", port: { name: "http" } } } },
  });
  const service = (name: string) => object("v1", "Service", "web", { spec: { ports: [{ name, port: 80 }] } });
  const graph = buildGraph([ingress, service("http")]);
  expect(graph.takeChanges().upsertedEdges).toMatchObject([{ portMissing: false }]);
  graph.upsert(service("https"));
  expect(graph.takeChanges().upsertedEdges).toMatchObject([{ portMissing: true }]);
});
