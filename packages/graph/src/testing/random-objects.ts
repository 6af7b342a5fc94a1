import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";

import type { CustomEdgeRule, NamingRule } from "../custom-edge-rule.ts";
import type { KindAccessEntry } from "../graph-model.ts";

const name = fc.constantFrom("a", "b", "c-0");
const labels = fc.dictionary(fc.constantFrom("app", "tier"), fc.constantFrom("x", "y"), { maxKeys: 2 });
const selector = fc.record(
  {
    matchLabels: labels,
    matchExpressions: fc.array(
      fc.record({
        key: fc.constantFrom("app", "tier"),
        operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
        values: fc.constantFrom(["x"], ["x", "y"]),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const KINDS = ["Deployment", "ReplicaSet", "Pod", "Widget"] as const;
const VERSIONS: Record<string, string> = { Deployment: "apps/v1", ReplicaSet: "apps/v1", Pod: "v1", Widget: "x.io/v1" };
const owner = fc
  .record({ kind: fc.constantFrom(...KINDS), name, incarnation: fc.constantFrom("1", "1", "2"), controller: fc.boolean() })
  .map(({ kind, name: owned, incarnation, controller }) => ({
    apiVersion: VERSIONS[kind],
    kind,
    name: owned,
    uid: `${kind}.env.${owned}.${incarnation}`,
    controller,
  }));
const owners = fc.array(owner, { maxLength: 2 });

const podSpec = fc.record({
  containers: fc.array(
    fc.record({ envFrom: fc.array(fc.record({ configMapRef: fc.record({ name, optional: fc.boolean() }) }), { maxLength: 2 }) }),
    { maxLength: 1 },
  ),
  volumes: fc.array(fc.record({ persistentVolumeClaim: fc.record({ claimName: fc.constantFrom("data-a-0", "b") }) }), { maxLength: 1 }),
});

const reference = fc.constantFrom(
  { kind: "Service", name: "a", apiVersion: "v1" },
  { kind: "Widget", name: "b", apiVersion: "x.io/v1" },
  { kind: "StorageClass", name: "c-0", apiVersion: "storage.k8s.io/v1", namespace: "far" },
  { name: "a" },
);

/** What rules of users read, every form of them. */
const widgetSpec = fc.record(
  {
    parent: name,
    needs: fc.array(fc.oneof(name, fc.record({ name })), { maxLength: 2 }),
    refs: fc.array(reference, { maxLength: 1 }),
    host: fc.constantFrom("a", "b.far.svc", "a.env.svc.cluster.local", "example.com"),
    slashed: fc.constantFrom("a", "far/b", "a/b/c"),
    selector: fc.oneof(selector, labels),
    namespaces: fc.constantFrom({ any: true }, { matchNames: ["far", "env"] }, {}, { matchLabels: { x: "y" } }),
    template: fc.record({ spec: podSpec, metadata: fc.record({ labels }) }),
  },
  { requiredKeys: ["parent", "needs"] },
);

/** An object before it has a namespace and a uid. */
export interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly rest: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
}

function kind(
  apiVersion: string,
  kindName: string,
  parts: { names?: fc.Arbitrary<string>; rest?: fc.Arbitrary<object>; meta?: fc.Arbitrary<object> },
): fc.Arbitrary<Made> {
  return fc.record({ name: parts.names ?? name, rest: parts.rest ?? fc.constant({}), meta: parts.meta ?? fc.constant({}) }).map((made) => ({
    apiVersion,
    kind: kindName,
    name: made.name,
    rest: { ...made.rest },
    meta: { ...made.meta },
  }));
}

/** What an object of each kind that has edges may say, with few names, so that they meet. */
export const made: fc.Arbitrary<Made> = fc.oneof(
  kind("v1", "Pod", { rest: fc.record({ spec: podSpec }), meta: fc.record({ labels, ownerReferences: owners }) }),
  kind("apps/v1", "Deployment", {
    rest: fc.record({ spec: fc.record({ template: fc.record({ spec: podSpec, metadata: fc.record({ labels }) }) }) }),
    meta: fc.record({ ownerReferences: owners, annotations: fc.constantFrom({}, { "app.openshift.io/connects-to": "a,b" }) }),
  }),
  kind("apps/v1", "ReplicaSet", {
    rest: fc.record({ spec: fc.record({ template: fc.record({ spec: podSpec, metadata: fc.record({ labels }) }) }) }),
    meta: fc.record({ ownerReferences: owners }),
  }),
  kind("x.io/v1", "Widget", {
    meta: fc.record({ ownerReferences: owners }),
    rest: fc.record({ spec: widgetSpec }),
  }),
  kind("v1", "Service", {
    meta: fc.record({ labels }),
    rest: fc.record({ spec: fc.record({ selector: labels, ports: fc.constantFrom([], [{ name: "http" }], [{ name: "x" }]) }) }),
  }),
  kind("v1", "Endpoints", {}),
  kind("v1", "ConfigMap", {}),
  kind("v1", "PersistentVolumeClaim", {
    names: fc.constantFrom("data-a-0", "b", "xdata-a-0"),
    rest: fc.record({
      spec: fc.record({
        volumeName: fc.constantFrom("", "pv"),
        dataSourceRef: fc.record({ kind: fc.constant("PersistentVolumeClaim"), name, namespace: fc.constantFrom("", "far") }),
      }),
    }),
  }),
  kind("apps/v1", "StatefulSet", {
    rest: name.map((serviceName) => ({ spec: { serviceName, volumeClaimTemplates: [{ metadata: { name: "data" } }] } })),
  }),
  kind("v1", "PersistentVolume", {
    names: fc.constant("pv"),
    rest: fc.constantFrom("", "1", "2").map((uid) => ({
      spec: { claimRef: { namespace: "env", name: "b", ...(uid === "" ? {} : { uid: `PersistentVolumeClaim.env.b.${uid}` }) } },
    })),
  }),
  kind("storage.k8s.io/v1", "StorageClass", {
    meta: fc.constantFrom({}, { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } }),
  }),
  kind("gateway.networking.k8s.io/v1", "HTTPRoute", {
    rest: fc.record({
      spec: fc.record({
        parentRefs: fc.array(fc.record({ group: fc.constant(""), kind: fc.constant("Service"), name }), { maxLength: 1 }),
        rules: fc.array(
          fc.record({
            backendRefs: fc.array(fc.record({ name, namespace: fc.constantFrom("env", "far"), weight: fc.nat(1) }), { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
      }),
    }),
  }),
  kind("gateway.networking.k8s.io/v1", "ReferenceGrant", {
    rest: fc.record({
      spec: fc.record({
        from: fc.constantFrom("env", "far").map((from) => [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: from }]),
        to: fc.constantFrom([], [{ group: "", kind: "Service" }], [{ group: "", kind: "Service", name: "a" }]),
      }),
    }),
  }),
  kind("kustomize.toolkit.fluxcd.io/v1", "Kustomization", {
    rest: fc.record({
      spec: fc.record({ dependsOn: fc.array(fc.record({ name }), { maxLength: 2 }) }),
      status: name.map((applied) => ({ inventory: { entries: [{ id: `env_${applied}__ConfigMap` }] } })),
    }),
  }),
  kind("networking.k8s.io/v1", "Ingress", {
    rest: fc.record({
      spec: fc.record({
        ingressClassName: fc.constantFrom("", "n", "m"),
        defaultBackend: fc.record({ service: fc.record({ name, port: fc.constantFrom({}, { name: "http" }) }) }),
      }),
    }),
  }),
  kind("networking.k8s.io/v1", "NetworkPolicy", { rest: fc.record({ spec: fc.record({ podSelector: selector }) }) }),
  kind("policy/v1", "PodDisruptionBudget", { rest: fc.record({ spec: fc.record({ selector }) }) }),
  kind("discovery.k8s.io/v1", "EndpointSlice", {
    meta: name.map((service) => ({
      labels: { "kubernetes.io/service-name": service },
      ownerReferences: [{ apiVersion: "v1", kind: "Service", name: service, uid: `Service.env.${service}.1` }],
    })),
    rest: fc.record({
      endpoints: fc.array(fc.record({ targetRef: name.map((target) => ({ kind: "Pod", name: target, uid: `Pod.env.${target}.1` })) }), {
        maxLength: 2,
      }),
    }),
  }),
  kind("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
    rest: fc.constant({ spec: { group: "x.io", names: { kind: "Widget" } } }),
  }),
);

/** An object of any of these kinds, in two namespaces; some without a uid, some of an earlier incarnation. */
export const object: fc.Arbitrary<KubeObject> = fc
  .record({ made, uid: fc.constantFrom("1", "1", "1", "2", ""), namespace: fc.constantFrom("env", "env", "env", "far") })
  .map(({ made: { apiVersion, kind: kindName, name: called, rest, meta }, uid, namespace }) => {
    const id = uid === "" ? {} : { uid: `${kindName}.${namespace}.${called}.${uid}` };
    return { apiVersion, kind: kindName, ...rest, metadata: { ...meta, name: called, namespace, ...id } };
  });

const access: fc.Arbitrary<KindAccessEntry> = fc
  .record({
    group: fc.constant(""),
    kind: fc.constantFrom("ConfigMap", "Service", "PersistentVolumeClaim", "ReferenceGrant"),
    access: fc.constantFrom("synced" as const, "not-visible" as const),
  })
  .map((entry) => (entry.kind === "ReferenceGrant" ? { ...entry, group: "gateway.networking.k8s.io" } : entry));

/** Edges of a user, of a kind that the catalogue does not know. */
const NAMING: readonly NamingRule[] = [
  {
    id: "widget",
    from: { group: "x.io", kind: "Widget" },
    class: "inferred-owner",
    path: "$.spec.parent",
    to: { group: "x.io", kind: "Widget" },
  },
  {
    id: "needs",
    from: { group: "x.io", kind: "Widget" },
    class: "mount",
    path: "$.spec.needs[*]",
    to: { group: "", kind: "ConfigMap" },
    optional: true,
  },
];

/** Rules of every form. */
export const CUSTOM: readonly CustomEdgeRule[] = [
  ...NAMING,
  {
    id: "of-kind",
    from: { group: "x.io", kind: "Widget" },
    class: "target",
    path: "$.spec.refs[*]",
    to: { group: "", kind: "ConfigMap", kindPath: "@.kind", groupPath: "@.apiVersion", clusterKinds: ["StorageClass"] },
  },
  {
    id: "hosts",
    from: { group: "x.io", kind: "Widget" },
    class: "route",
    path: "$.spec.host",
    as: "host",
    to: { group: "", kind: "Service" },
  },
  {
    id: "slashed",
    from: { group: "x.io", kind: "Widget" },
    class: "route",
    path: "$.spec.slashed",
    as: "namespace/name",
    to: { group: "", kind: "Service" },
  },
  {
    id: "selects",
    from: { group: "x.io", kind: "Widget" },
    class: "select",
    selector: "$.spec.selector",
    namespaceSelector: "$.spec.namespaces",
    emptySelector: "all",
    to: { group: "", kind: "Service" },
  },
  {
    id: "selects-pods",
    from: { group: "x.io", kind: "Widget" },
    class: "select",
    selector: "$.spec.selector",
    namespaceSelector: "$.spec.namespaces",
    to: { group: "", kind: "Pod" },
  },
  { id: "template", from: { group: "x.io", kind: "Widget" }, podTemplate: "$.spec.template" },
];

/** Rules with another path, class and direction under the same id. */
const customEdges = fc.constantFrom<readonly CustomEdgeRule[]>(
  [],
  CUSTOM,
  NAMING.map((rule) => ({ ...rule, class: rule.class === "mount" ? "owner" : "target", flowReversed: true })),
  NAMING.map((rule) => ({ ...rule, path: "$.spec..*" })),
);

/** One event in the life of a graph: an object comes or goes, a right or the rules of the user change. */
export const step = fc.oneof(
  { weight: 5, arbitrary: object.map((upsert) => ({ upsert })) },
  { weight: 2, arbitrary: fc.nat(30).map((remove) => ({ remove })) },
  { weight: 1, arbitrary: access.map((entry) => ({ entry })) },
  { weight: 1, arbitrary: customEdges.map((rules) => ({ rules })) },
);

/** One object per name: the last one, as in a cluster. */
export function unique(objects: readonly KubeObject[]): KubeObject[] {
  return [
    ...new Map(objects.map((each) => [`${each.apiVersion}/${each.kind}/${each.metadata.namespace}/${each.metadata.name}`, each])).values(),
  ];
}
