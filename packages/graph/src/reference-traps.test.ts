import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import type { KindAccessEntry } from "./graph-model.ts";

type Rest = Record<string, unknown> & { metadata?: Record<string, unknown> };

function object(...[apiVersion, kind, name, rest = {}]: [apiVersion: string, kind: string, name: string, rest?: Rest]): KubeObject {
  const { metadata, ...fields } = rest;
  return { apiVersion, kind, metadata: { name, namespace: "env", uid: `${kind}-${name}`, ...metadata }, ...fields };
}

function lines(objects: KubeObject[], access: KindAccessEntry[] = []): string[] {
  return buildGraph(objects, access)
    .edges()
    .map(({ from, kind, to, missing }) => `${from} ${kind} ${to}${missing ? " missing" : ""}`);
}

const owner = (kind: string, name: string) => ({ apiVersion: "x.io/v1", kind, name, uid: `${kind}-${name}` });

const statefulSet = object("apps/v1", "StatefulSet", "web", { spec: { volumeClaimTemplates: [{ metadata: { name: "data" } }] } });

describe("the owner among several", () => {
  test("a real one wins over one that the name suggests", () => {
    const claim = object("v1", "PersistentVolumeClaim", "data-web-0", { metadata: { ownerReferences: [owner("Zoo", "z")] } });
    expect(buildGraph([statefulSet, claim, object("x.io/v1", "Zoo", "z")]).node("PersistentVolumeClaim-data-web-0")?.ownerId).toBe("Zoo-z");
  });

  test("without a controller the smallest id wins", () => {
    const child = object("v1", "Pod", "p", { metadata: { ownerReferences: [owner("B", "b"), owner("A", "a"), owner("C", "c")] } });
    const owners = ["A", "B", "C"].map((kind) => object("x.io/v1", kind, kind.toLowerCase()));
    expect(buildGraph([child, ...owners]).node("Pod-p")?.ownerId).toBe("A-a");
  });
});

describe("claims of a StatefulSet", () => {
  test.each(["x-data-web-0", "xdata-web-0", "data-web-x", "data-web"])("%s is none", (name) => {
    expect(lines([statefulSet, object("v1", "PersistentVolumeClaim", name)])).toEqual([]);
  });

  test("an ordinal may have two digits", () => {
    const claim = object("v1", "PersistentVolumeClaim", "data-web-10");
    expect(lines([statefulSet, claim])).toEqual(["PersistentVolumeClaim-data-web-10 sts-pvc StatefulSet-web"]);
  });
});

describe("what is not there", () => {
  const mount = object("v1", "Pod", "p", { spec: { volumes: [{ configMap: { name: "settings" } }] } });

  test("is not visible while its kind is still being read", () => {
    const graph = buildGraph([mount], [{ group: "", kind: "ConfigMap", access: "not-visible" }]);
    expect(graph.node("/ConfigMap/env/settings")?.presence).toBe("not-visible");
    expect(graph.missingReferences()).toEqual([]);
  });

  test("makes no ghost where an ordinary user could not read it: node, account, class", () => {
    const access = ["Node", "ServiceAccount"].map((kind): KindAccessEntry => ({ group: "", kind, access: "synced" }));
    const pod = object("v1", "Pod", "p", { spec: { nodeName: "n", serviceAccountName: "robot" } });
    const claim = object("v1", "PersistentVolumeClaim", "c", { spec: { storageClassName: "fast" } });
    const graph = buildGraph([pod, claim], [...access, { group: "storage.k8s.io", kind: "StorageClass", access: "synced" }]);
    expect(graph.nodes().filter(({ presence }) => presence !== "present")).toEqual([]);
  });
});

describe("references with a trap", () => {
  test("an endpoint that is a virtual machine is no pod of its name", () => {
    const slice = object("discovery.k8s.io/v1", "EndpointSlice", "s", {
      endpoints: [{ targetRef: { kind: "VirtualMachine", name: "p", namespace: "env" } }, { addresses: ["192.0.2.1"] }],
    });
    expect(lines([slice, object("v1", "Pod", "p")])).toEqual([]);
  });

  test("a CSI volume names the Secret it is mounted with", () => {
    const volumes = [{ csi: { driver: "x", nodePublishSecretRef: { name: "key" } } }];
    const found = lines([object("v1", "Pod", "p", { spec: { volumes } }), object("v1", "Secret", "key")]);
    expect(found).toEqual(["Pod-p pod-secret Secret-key"]);
  });

  test("a route has a Service as its parent in a mesh, where the empty group is core", () => {
    const route = object("gateway.networking.k8s.io/v1", "HTTPRoute", "r", {
      spec: { parentRefs: [{ group: "", kind: "Service", name: "web" }] },
    });
    expect(lines([route, object("v1", "Service", "web")])).toEqual(["HTTPRoute-r route-gw Service-web"]);
  });

  test("traffic flows from the Gateway to its route, and on to its backends", () => {
    const route = object("gateway.networking.k8s.io/v1", "HTTPRoute", "r", {
      spec: { parentRefs: [{ name: "g" }], rules: [{ backendRefs: [{ name: "web" }] }] },
    });
    const graph = buildGraph([route, object("gateway.networking.k8s.io/v1", "Gateway", "g"), object("v1", "Service", "web")]);
    expect(graph.edges().map(({ to, flowReversed }) => `${to} ${flowReversed}`)).toEqual(["Gateway-g true", "Service-web false"]);
  });

  test("a mirrored backend is one too", () => {
    const rules = [{ filters: [{ type: "RequestMirror", requestMirror: { backendRef: { name: "shadow" } } }] }];
    const route = object("gateway.networking.k8s.io/v1", "HTTPRoute", "r", { spec: { rules } });
    expect(lines([route, object("v1", "Service", "shadow")])).toEqual(["HTTPRoute-r route-svc Service-shadow"]);
  });

  test("a RoleBinding means the ClusterRole when it says so, not the Role of the same name", () => {
    const rbac = "rbac.authorization.k8s.io/v1";
    const binding = object(rbac, "RoleBinding", "b", { roleRef: { kind: "ClusterRole", name: "edit" } });
    const roles = [object(rbac, "Role", "edit"), object(rbac, "ClusterRole", "edit", { metadata: { namespace: undefined } })];
    expect(lines([binding, ...roles])).toEqual(["RoleBinding-b rb-role ClusterRole-edit"]);
  });

  test("a RoleBinding reaches a ServiceAccount of another namespace", () => {
    const binding = object("rbac.authorization.k8s.io/v1", "RoleBinding", "b", {
      subjects: [
        { kind: "ServiceAccount", name: "robot", namespace: "ci" },
        { kind: "User", name: "robot" },
      ],
    });
    const accounts = ["ci", "env"].map((namespace) =>
      object("v1", "ServiceAccount", "robot", { metadata: { namespace, uid: `${namespace}-robot` } }),
    );
    expect(lines([binding, ...accounts])).toEqual(["RoleBinding-b rb-subject ci-robot"]);
  });

  test("a Certificate finds its ClusterIssuer, which has no namespace", () => {
    const certificate = object("cert-manager.io/v1", "Certificate", "c", {
      spec: { issuerRef: { kind: "ClusterIssuer", name: "public" } },
    });
    const issuer = object("cert-manager.io/v1", "ClusterIssuer", "public", { metadata: { namespace: undefined } });
    expect(lines([certificate, issuer])).toEqual(["Certificate-c cert ClusterIssuer-public"]);
  });

  test("a Service whose ports are not known lacks none of them", () => {
    const defaultBackend = { service: { name: "web", port: { number: 80 } } };
    const ingress = object("networking.k8s.io/v1", "Ingress", "i", { spec: { defaultBackend } });
    const portsOf = (spec: object): boolean[] =>
      buildGraph([ingress, object("v1", "Service", "web", { spec })])
        .edges()
        .map(({ portMissing }) => portMissing);
    expect(portsOf({})).toEqual([false]);
    expect(portsOf({ ports: [{ port: 81 }] })).toEqual([true]);
  });

  test("what Flux has applied is not owned by its Kustomization", () => {
    const entries = [{ id: "env_settings__ConfigMap", v: "v1" }];
    const kustomization = object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "k", { status: { inventory: { entries } } });
    const graph = buildGraph([kustomization, object("v1", "ConfigMap", "settings")]);
    expect(graph.edges().map(({ kind, to }) => `${kind} ${to}`)).toEqual(["flux-inv ConfigMap-settings"]);
    expect([...graph.nodes()].map(({ ownerId }) => ownerId)).toEqual([undefined, undefined]);
  });

  test("a label without a value exists", () => {
    const selector = { matchExpressions: [{ key: "canary", operator: "Exists" }] };
    const policy = object("networking.k8s.io/v1", "NetworkPolicy", "n", { spec: { podSelector: selector } });
    const pods = [object("v1", "Pod", "a", { metadata: { labels: { canary: "" } } }), object("v1", "Pod", "b")];
    expect(lines([policy, ...pods])).toEqual(["NetworkPolicy-n netpol-pod Pod-a"]);
  });
});
