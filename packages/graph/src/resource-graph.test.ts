import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import type { KindAccessEntry } from "./graph-model.ts";
import { ResourceGraph } from "./resource-graph.ts";

type Rest = Record<string, unknown> & { metadata?: Record<string, unknown> };

function object(...[apiVersion, kind, name, rest = {}]: [apiVersion: string, kind: string, name: string, rest?: Rest]): KubeObject {
  const { metadata, ...fields } = rest;
  return { apiVersion, kind, metadata: { name, namespace: "env", uid: `${kind}-${name}`, ...metadata }, ...fields };
}

function ownedBy(kind: string, name: string, apiVersion = "apps/v1") {
  return { apiVersion, kind, name, uid: `${kind}-${name}`, controller: true };
}

function synced(group: string, kind: string): KindAccessEntry {
  return { group, kind, access: "synced" };
}

function lines(objects: KubeObject[], access: KindAccessEntry[] = []): string[] {
  return buildGraph(objects, access)
    .edges()
    .map((edge) => `${edge.from} ${edge.kind} ${edge.to}${edge.missing ? " missing" : ""}`);
}

const pod = (name: string, labels: Record<string, string> = {}, spec: Record<string, unknown> = {}): KubeObject =>
  object("v1", "Pod", name, { metadata: { labels }, spec });

describe("ownership", () => {
  test("goes by uid: a child of the predecessor of the same name is an orphan with a ghost", () => {
    const graph = buildGraph(
      [
        object("apps/v1", "Deployment", "web"),
        object("apps/v1", "ReplicaSet", "new", { metadata: { ownerReferences: [ownedBy("Deployment", "web")] } }),
        object("apps/v1", "ReplicaSet", "old", { metadata: { ownerReferences: [{ ...ownedBy("Deployment", "web"), uid: "gone" }] } }),
      ],
      [synced("apps", "Deployment")],
    );
    expect(graph.node("ReplicaSet-new")?.ownerId).toBe("Deployment-web");
    expect(graph.node("ReplicaSet-old")?.ownerId).toBeUndefined();
    expect(graph.node("apps/Deployment/env/web")).toMatchObject({ presence: "missing", version: "v1" });
    expect(graph.descendantsOf("Deployment-web")).toEqual(["ReplicaSet-new"]);
    expect(graph.missingReferences()).toEqual([]);
  });

  test("prefers the controller among several owners", () => {
    const owners = [{ ...ownedBy("A", "a", "x.io/v1"), controller: false }, ownedBy("B", "b", "x.io/v1")];
    const graph = buildGraph([
      object("x.io/v1", "A", "a"),
      object("x.io/v1", "B", "b"),
      object("v1", "Pod", "p", { metadata: { ownerReferences: owners } }),
    ]);
    expect(graph.node("Pod-p")?.ownerId).toBe("B-b");
    expect(graph.edges()).toHaveLength(2);
  });

  test("across namespaces is none, unless the owner has no namespace", () => {
    const other = object("apps/v1", "Deployment", "web", { metadata: { namespace: "other" } });
    const cluster = object("x.io/v1", "Fleet", "f", { metadata: { namespace: undefined } });
    const child = object("v1", "Pod", "p", {
      metadata: { ownerReferences: [ownedBy("Deployment", "web"), ownedBy("Fleet", "f", "x.io/v1")] },
    });
    expect(lines([other, cluster, child])).toEqual(["Pod-p owner Fleet-f"]);
  });

  test("in rings ends, and is cut at the edge to the smallest id", () => {
    const a = object("x.io/v1", "A", "a", { metadata: { ownerReferences: [ownedBy("B", "b")] } });
    const b = object("x.io/v1", "B", "b", { metadata: { ownerReferences: [ownedBy("A", "a")] } });
    const graph = buildGraph([b, a]);
    expect([graph.node("A-a")?.ownerId, graph.node("B-b")?.ownerId]).toEqual(["B-b", undefined]);
    expect(graph.ownerRings()).toHaveLength(1);
    expect(buildGraph([a, b]).nodes()).toEqual(graph.nodes());
    expect(buildGraph([object("x.io/v1", "A", "a", { metadata: { ownerReferences: [ownedBy("A", "a")] } })]).edges()).toEqual([]);
  });
});

describe("Services", () => {
  const service = object("v1", "Service", "web", { spec: { selector: { app: "web" } } });

  test("select pods of their namespace; no selector, an empty one and ExternalName select none", () => {
    const others = [
      object("v1", "Service", "none"),
      object("v1", "Service", "empty", { spec: { selector: {} } }),
      object("v1", "Service", "external", { spec: { type: "ExternalName", selector: { app: "web" } } }),
    ];
    const elsewhere = object("v1", "Pod", "far", { metadata: { namespace: "other", labels: { app: "web" } } });
    expect(lines([service, ...others, pod("a", { app: "web", x: "y" }), pod("b", { app: "db" }), elsewhere])).toEqual([
      "Service-web svc-pod Pod-a",
    ]);
  });

  test("lose and win pods whose labels change", () => {
    const graph = buildGraph([service, pod("a", { app: "web" })]);
    graph.takeChanges();
    graph.upsert(pod("a", { app: "db" }));
    expect(graph.takeChanges().removedEdges).toEqual(["Service-web|svc-pod|Pod-a"]);
    graph.upsert(pod("a", { app: "web" }));
    expect(graph.takeChanges().upsertedEdges).toMatchObject([{ id: "Service-web|svc-pod|Pod-a", fieldPaths: ["spec.selector"] }]);
  });

  test("own their EndpointSlices by owner and label: one line with two reasons", () => {
    const slice = object("discovery.k8s.io/v1", "EndpointSlice", "web-1", {
      metadata: { labels: { "kubernetes.io/service-name": "web" }, ownerReferences: [ownedBy("Service", "web", "v1")] },
      endpoints: [{ targetRef: { kind: "Pod", name: "a", uid: "Pod-a" } }, { addresses: ["192.0.2.1"] }],
    });
    const graph = buildGraph([slice, service, pod("a", { app: "web" })]);
    const edge = graph.edges().find(({ kind }) => kind === "slice-service");
    expect(edge).toMatchObject({ class: "owner", flowReversed: true, from: "EndpointSlice-web-1", to: "Service-web" });
    expect(edge?.fieldPaths).toEqual(["metadata.labels[kubernetes.io/service-name]", "metadata.ownerReferences[0]"]);
    expect(graph.node("EndpointSlice-web-1")?.ownerId).toBe("Service-web");
    expect(
      graph
        .edges()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["slice-pod", "slice-service", "svc-pod"]);
    expect(graph.relatedOf("Service-web").map(({ kind }) => kind)).toEqual(["EndpointSlice"]);
  });

  test("own slices by label alone", () => {
    const slice = object("discovery.k8s.io/v1", "EndpointSlice", "s", { metadata: { labels: { "kubernetes.io/service-name": "web" } } });
    const graph = buildGraph([slice, service]);
    expect(graph.edges()).toMatchObject([{ kind: "slice-service", class: "inferred-owner" }]);
    expect(graph.node("EndpointSlice-s")?.ownerId).toBe("Service-web");
  });
});

describe("what pods need", () => {
  const needy = pod(
    "p",
    {},
    {
      initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: "init", key: "k" } } }] }],
      containers: [{ envFrom: [{ configMapRef: { name: "settings" } }, { secretRef: { name: "maybe", optional: true } }] }],
      ephemeralContainers: [{ env: [{ valueFrom: { configMapKeyRef: { name: "debug", key: "k" } } }] }],
      volumes: [
        { name: "a", configMap: { name: "settings" } },
        {
          name: "b",
          projected: { sources: [{ configMap: { name: "kube-root-ca.crt" } }, { secret: { name: "proj" } }, { serviceAccountToken: {} }] },
        },
        { name: "c", persistentVolumeClaim: { claimName: "data" } },
        { name: "d", secret: { secretName: "vol" } },
      ],
    },
  );

  test("is read from all containers, env, envFrom, volumes and projections", () => {
    const access = [synced("", "ConfigMap"), synced("", "Secret"), synced("", "PersistentVolumeClaim")];
    expect(lines([needy], access)).toEqual([
      "Pod-p pod-cm /ConfigMap/env/debug missing",
      "Pod-p pod-cm /ConfigMap/env/settings missing",
      "Pod-p pod-pvc /PersistentVolumeClaim/env/data missing",
      "Pod-p pod-secret /Secret/env/init missing",
      "Pod-p pod-secret /Secret/env/proj missing",
      "Pod-p pod-secret /Secret/env/vol missing",
    ]);
  });

  test("is one line per target with every field path", () => {
    const edge = buildGraph([needy])
      .edges()
      .find(({ to }) => to.endsWith("/settings"));
    expect(edge?.fieldPaths).toEqual(["spec.containers[0].envFrom[0].configMapRef.name", "spec.volumes[0].configMap.name"]);
  });

  test("when optional is drawn only when it is there, and never a ghost", () => {
    const graph = buildGraph([needy], [synced("", "Secret")]);
    expect(graph.node("/Secret/env/maybe")).toBeUndefined();
    graph.upsert(object("v1", "Secret", "maybe"));
    expect(graph.edges().find(({ to }) => to === "Secret-maybe")).toMatchObject({ optional: true, missing: false });
  });

  test("turns from ghost to object and back", () => {
    const graph = buildGraph([needy], [synced("", "ConfigMap")]);
    graph.takeChanges();
    graph.upsert(object("v1", "ConfigMap", "settings"));
    const arrived = graph.takeChanges();
    expect(arrived.removedNodes).toEqual(["/ConfigMap/env/settings"]);
    expect(arrived.upsertedNodes.map(({ id }) => id)).toEqual(["ConfigMap-settings"]);
    expect(arrived.upsertedEdges).toMatchObject([{ to: "ConfigMap-settings", missing: false }]);
    graph.remove("/ConfigMap/env/settings");
    const gone = graph.takeChanges();
    expect(gone.removedNodes).toEqual(["ConfigMap-settings"]);
    expect(gone.upsertedNodes).toMatchObject([{ id: "/ConfigMap/env/settings", presence: "missing" }]);
    expect(graph.missingReferences().map(({ node, referencedBy }) => [node.name, referencedBy.map(({ id }) => id)])).toEqual([
      ["debug", ["Pod-p"]],
      ["settings", ["Pod-p"]],
    ]);
  });

  test("is missing only where the kind is synced, else not visible", () => {
    const graph = buildGraph([needy]);
    graph.takeChanges();
    expect(graph.node("/Secret/env/vol")?.presence).toBe("not-visible");
    graph.setKindAccess({ group: "", kind: "Secret", access: "synced", namespaces: ["other"] });
    expect(graph.node("/Secret/env/vol")?.presence).toBe("not-visible");
    graph.setKindAccess({ group: "", kind: "Secret", access: "synced", namespaces: ["env"] });
    expect(graph.node("/Secret/env/vol")?.presence).toBe("missing");
    expect(graph.takeChanges().upsertedEdges.map(({ to, missing }) => [to, missing])).toContainEqual(["/Secret/env/vol", true]);
  });

  test("shows at templates without any pod", () => {
    const template = { spec: needy["spec"] };
    const cron = object("batch/v1", "CronJob", "c", { spec: { jobTemplate: { spec: { template } } } });
    const edges = buildGraph([cron]).edges();
    expect(edges).toHaveLength(6);
    expect(edges[0]).toMatchObject({ kind: "tmpl-mount", class: "mount" });
    expect(edges[0]?.fieldPaths[0]).toContain("spec.jobTemplate.spec.template.spec.");
  });
});

describe("other edges", () => {
  test("Ingress leads to Services, default backend and old form included, and to its certificates", () => {
    const ingress = object("networking.k8s.io/v1", "Ingress", "i", {
      spec: {
        defaultBackend: { service: { name: "fallback" } },
        tls: [{ secretName: "cert" }],
        rules: [{ http: { paths: [{ backend: { service: { name: "web" } } }, { backend: { serviceName: "old" } }] } }],
      },
    });
    expect(lines([ingress, object("v1", "Service", "web")])).toEqual([
      "Ingress-i ing-svc /Service/env/fallback",
      "Ingress-i ing-svc /Service/env/old",
      "Ingress-i ing-svc Service-web",
      "Ingress-i ing-tls /Secret/env/cert",
    ]);
  });

  test("HPA finds its target by group, not by version", () => {
    const target = { apiVersion: "apps/v1beta1", kind: "Deployment", name: "web" };
    const hpa = object("autoscaling/v2", "HorizontalPodAutoscaler", "h", { spec: { scaleTargetRef: target } });
    expect(lines([hpa, object("apps/v1", "Deployment", "web")])).toEqual(["HorizontalPodAutoscaler-h hpa Deployment-web"]);
    expect(lines([hpa, object("x.io/v1", "Deployment", "web")])[0]).toContain("apps/Deployment/env/web");
  });

  test("a claim belongs to the StatefulSet whose whole name and template it carries", () => {
    const set = (name: string) =>
      object("apps/v1", "StatefulSet", name, { spec: { volumeClaimTemplates: [{ metadata: { name: "data" } }] } });
    const claim = (name: string) => object("v1", "PersistentVolumeClaim", name);
    expect(
      lines([
        set("web"),
        set("a.b"),
        claim("data-web-0"),
        claim("data-web-17"),
        claim("xdata-web-0"),
        claim("data-web"),
        claim("data-axb-0"),
      ]),
    ).toEqual(["PersistentVolumeClaim-data-web-0 sts-pvc StatefulSet-web", "PersistentVolumeClaim-data-web-17 sts-pvc StatefulSet-web"]);
  });

  test("a claim and its volume are one line", () => {
    const volume = object("v1", "PersistentVolume", "pv", {
      metadata: { namespace: undefined },
      spec: { claimRef: { name: "c", namespace: "env" } },
    });
    expect(lines([object("v1", "PersistentVolumeClaim", "c", { spec: { volumeName: "pv" } }), volume])).toEqual([
      "PersistentVolumeClaim-c pvc-pv PersistentVolume-pv",
    ]);
  });

  test("an empty selector of a PodDisruptionBudget or NetworkPolicy is every pod, labelled or not", () => {
    const budget = object("policy/v1", "PodDisruptionBudget", "b", { spec: { selector: {} } });
    const policy = object("networking.k8s.io/v1", "NetworkPolicy", "n", { spec: { podSelector: {} } });
    expect(lines([budget, policy, pod("a"), pod("b", { x: "y" })])).toHaveLength(4);
    expect(lines([{ ...budget, apiVersion: "policy/v1beta1" }, pod("a")])).toEqual([]);
  });

  test("a NetworkPolicy with matchExpressions wins pods that come later", () => {
    const expression = { key: "tier", operator: "NotIn", values: ["db"] };
    const graph = buildGraph([
      object("networking.k8s.io/v1", "NetworkPolicy", "n", { spec: { podSelector: { matchExpressions: [expression] } } }),
    ]);
    graph.upsert(pod("a"));
    graph.upsert(pod("b", { tier: "db" }));
    expect(graph.edges().map(({ to }) => to)).toEqual(["Pod-a"]);
  });

  test("a route hangs on its Gateway and leads to its backends, across namespaces too", () => {
    const route = object("gateway.networking.k8s.io/v1", "HTTPRoute", "r", {
      spec: { parentRefs: [{ name: "gw", namespace: "infra" }], rules: [{ backendRefs: [{ name: "web", port: 80 }] }] },
    });
    const gateway = object("gateway.networking.k8s.io/v1", "Gateway", "gw", { metadata: { namespace: "infra" } });
    expect(lines([route, gateway, object("v1", "Service", "web")])).toEqual([
      "HTTPRoute-r route-gw Gateway-gw",
      "HTTPRoute-r route-svc Service-web",
    ]);
  });
});

describe("changes", () => {
  test("say nothing about what came and went in between", () => {
    const graph = new ResourceGraph();
    graph.upsert(pod("a"));
    graph.remove("Pod-a");
    expect(graph.takeChanges()).toEqual({ upsertedNodes: [], removedNodes: [], upsertedEdges: [], removedEdges: [], dependents: [] });
  });

  test("of a pod name the workloads above it as dependents", () => {
    const graph = buildGraph([
      object("apps/v1", "Deployment", "web"),
      object("apps/v1", "ReplicaSet", "rs", { metadata: { ownerReferences: [ownedBy("Deployment", "web")] } }),
      object("v1", "Pod", "p", { metadata: { ownerReferences: [ownedBy("ReplicaSet", "rs")] } }),
    ]);
    graph.takeChanges();
    graph.upsert(object("v1", "Pod", "p", { metadata: { ownerReferences: [ownedBy("ReplicaSet", "rs")] }, status: {} }));
    expect(graph.takeChanges()).toMatchObject({ upsertedNodes: [{ id: "Pod-p" }], dependents: ["Deployment-web", "ReplicaSet-rs"] });
    expect(graph.relatedOf("Deployment-web").map(({ metadata }) => metadata.name)).toEqual(["p", "rs"]);
  });

  test("lead a Service whose selector changes to other pods, in one update", () => {
    const service = (app: string): KubeObject => object("v1", "Service", "s", { spec: { selector: { app } } });
    const graph = buildGraph([pod("a", { app: "x" }), pod("b", { app: "y" }), service("x")]);
    expect(graph.edgesOf("Service-s").map(({ to }) => to)).toEqual(["Pod-a"]);
    graph.takeChanges();
    graph.upsert(service("y"));
    expect(graph.takeChanges()).toMatchObject({ removedEdges: ["Service-s|svc-pod|Pod-a"], upsertedEdges: [{ to: "Pod-b" }] });
  });

  test("an object that refers to itself may lose its uid", () => {
    const graph = new ResourceGraph();
    const kustomization = (uid: string): KubeObject =>
      object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "a", { metadata: { uid }, spec: { dependsOn: [{ name: "a" }] } });
    graph.upsert(kustomization("first"));
    graph.upsert(kustomization(""));
    expect(graph.nodes().map(({ id, presence }) => [id, presence])).toEqual([
      ["kustomize.toolkit.fluxcd.io/Kustomization/env/a", "present"],
    ]);
  });

  test("replace an object that was made again under the same name", () => {
    const graph = buildGraph([object("v1", "ConfigMap", "c")]);
    graph.takeChanges();
    graph.upsert(object("v1", "ConfigMap", "c", { metadata: { uid: "second" } }));
    expect(graph.takeChanges()).toMatchObject({ upsertedNodes: [{ id: "second" }], removedNodes: ["ConfigMap-c"] });
  });

  test("name the former workload as a dependent when a pod goes to another owner that arrives", () => {
    const owners = [{ ...ownedBy("A", "a", "x.io/v1"), controller: false }, ownedBy("B", "b", "x.io/v1")];
    const graph = buildGraph([object("x.io/v1", "A", "a"), object("v1", "Pod", "p", { metadata: { ownerReferences: owners } })]);
    expect(graph.relatedOf("A-a")).toHaveLength(1);
    graph.takeChanges();
    graph.upsert(object("x.io/v1", "B", "b"));
    expect(graph.takeChanges().dependents).toEqual(["A-a"]);
    expect(graph.relatedOf("A-a")).toHaveLength(0);
  });

  test("of an Ingress name those of its old and of its new class", () => {
    const ingress = (name: string, ingressClassName: string) =>
      object("networking.k8s.io/v1", "Ingress", name, { spec: { ingressClassName } });
    const graph = buildGraph([ingress("moves", "one"), ingress("old", "one"), ingress("new", "two"), ingress("other", "three")]);
    graph.takeChanges();
    graph.upsert(ingress("moves", "two"));
    expect(graph.takeChanges().dependents).toEqual(["Ingress-new", "Ingress-old"]);
    expect(graph.relatedOf("Ingress-new").map(({ metadata }) => metadata.name)).toEqual(["moves"]);
  });

  test("of a pod that lets a claim go name the claim", () => {
    const mounting = pod("p", {}, { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }] });
    const graph = buildGraph([object("v1", "PersistentVolumeClaim", "c"), object("storage.k8s.io/v1", "StorageClass", "fast"), mounting]);
    expect(graph.relatedOf("PersistentVolumeClaim-c").map(({ kind }) => kind)).toEqual(["Pod", "StorageClass"]);
    graph.takeChanges();
    graph.upsert(pod("p"));
    expect(graph.takeChanges().dependents).toEqual(["PersistentVolumeClaim-c"]);
  });

  test("of a StorageClass name the claims, also those without a class", () => {
    const graph = buildGraph([object("v1", "PersistentVolumeClaim", "c"), object("storage.k8s.io/v1", "StorageClass", "fast")]);
    graph.takeChanges();
    graph.upsert(object("storage.k8s.io/v1", "StorageClass", "fast", { provisioner: "new" }));
    expect(graph.takeChanges().dependents).toEqual(["PersistentVolumeClaim-c"]);
  });

  test("of a definition name the custom resources of its kind", () => {
    const definition = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.x.io", {
      spec: { group: "x.io", names: { kind: "Widget" } },
    });
    const graph = buildGraph([object("x.io/v1", "Widget", "w")]);
    graph.takeChanges();
    graph.upsert(definition);
    expect(graph.takeChanges().dependents).toEqual(["Widget-w"]);
    expect(graph.relatedOf("Widget-w")).toEqual([definition]);
  });
});

test("a line is optional only when every reference is", () => {
  const both = pod(
    "p",
    {},
    { containers: [{ envFrom: [{ configMapRef: { name: "c" } }, { configMapRef: { name: "c", optional: true } }] }] },
  );
  const graph = buildGraph([both, object("v1", "ConfigMap", "c")]);
  expect(graph.edges()).toMatchObject([{ optional: false, fieldPaths: { length: 2 } }]);
});
