import fc from "fast-check";
import { expect, test } from "vitest";

import { isFields, type KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import type { GraphEdge, GraphNode, KindAccessEntry } from "./graph-model.ts";
import { matchesSelector } from "./label-selector.ts";
import { idOf, ResourceGraph } from "./resource-graph.ts";
import { CustomEdges } from "./custom-edges.ts";
import type { CustomEdgeRule } from "./custom-edge-rule.ts";
import { bareToken, type NameTarget, type SelectorTarget } from "./reference.ts";
import { referencesOf, tokensOf } from "./references-of.ts";
import { templateLabelsOf } from "./references/workload-references.ts";

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

interface Made {
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

const made = fc.oneof(
  kind("v1", "Pod", { rest: fc.record({ spec: podSpec }), meta: fc.record({ labels, ownerReferences: owners }) }),
  kind("apps/v1", "Deployment", {
    rest: fc.record({ spec: fc.record({ template: fc.record({ spec: podSpec, metadata: fc.record({ labels }) }) }) }),
    meta: fc.record({ ownerReferences: owners, annotations: fc.constantFrom({}, { "app.openshift.io/connects-to": "a,b" }) }),
  }),
  kind("apps/v1", "ReplicaSet", {
    rest: fc.record({ spec: fc.record({ template: fc.record({ metadata: fc.record({ labels }) }) }) }),
    meta: fc.record({ ownerReferences: owners }),
  }),
  kind("x.io/v1", "Widget", {
    meta: fc.record({ ownerReferences: owners }),
    rest: fc.record({ spec: fc.record({ parent: name, needs: fc.array(fc.oneof(name, fc.record({ name })), { maxLength: 2 }) }) }),
  }),
  kind("v1", "Service", {
    rest: fc.record({ spec: fc.record({ selector: labels, ports: fc.constantFrom([], [{ name: "http" }], [{ name: "x" }]) }) }),
  }),
  kind("v1", "Endpoints", {}),
  kind("v1", "ConfigMap", {}),
  kind("v1", "PersistentVolumeClaim", {
    names: fc.constantFrom("data-a-0", "b", "xdata-a-0"),
    rest: fc.record({ spec: fc.record({ volumeName: fc.constantFrom("", "pv") }) }),
  }),
  kind("apps/v1", "StatefulSet", { rest: fc.constant({ spec: { volumeClaimTemplates: [{ metadata: { name: "data" } }] } }) }),
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

const object: fc.Arbitrary<KubeObject> = fc
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

const CUSTOM: readonly CustomEdgeRule[] = [
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

/** Rules with another path, class and direction under the same id. */
const customEdges = fc.constantFrom<readonly CustomEdgeRule[]>(
  [],
  CUSTOM,
  CUSTOM.map((rule) => ({ ...rule, class: rule.class === "mount" ? "owner" : "target", flowReversed: true })),
  CUSTOM.map((rule) => ({ ...rule, path: "$.spec..*" })),
);

const step = fc.oneof(
  { weight: 5, arbitrary: object.map((upsert) => ({ upsert })) },
  { weight: 2, arbitrary: fc.nat(30).map((remove) => ({ remove })) },
  { weight: 1, arbitrary: access.map((entry) => ({ entry })) },
  { weight: 1, arbitrary: customEdges.map((rules) => ({ rules })) },
);

/** One object per name: the last one, as in a cluster. */
function unique(objects: readonly KubeObject[]): KubeObject[] {
  return [
    ...new Map(objects.map((each) => [`${each.apiVersion}/${each.kind}/${each.metadata.namespace}/${each.metadata.name}`, each])).values(),
  ];
}

function stateOf(graph: ResourceGraph) {
  const nodes = graph.nodes();
  const context = nodes.map(({ id }) =>
    [graph.contextOf(id).map(idOf), graph.missingOf(id).map((ghost) => ghost.id), graph.edgesOf(id).map((edge) => edge.id)].join(" "),
  );
  return { nodes, edges: graph.edges(), warnings: graph.ownerWarnings(), context };
}

function sameItems<T>(left: readonly T[] | undefined, right: readonly T[]): boolean {
  return left?.length === right.length && right.every((each, index) => each === left[index]);
}

test("the order in which objects arrive does not matter", () => {
  fc.assert(
    fc.property(
      fc
        .array(object, { maxLength: 25 })
        .chain((objects) =>
          fc.tuple(fc.constant(unique(objects)), fc.shuffledSubarray(unique(objects), { minLength: unique(objects).length })),
        ),
      ([objects, shuffled]) => {
        expect(stateOf(buildGraph(shuffled, [], CUSTOM))).toEqual(stateOf(buildGraph(objects, [], CUSTOM)));
      },
    ),
    { numRuns: 300 },
  );
});

test("after every step of a history the graph equals a rebuild, its changes lead there, and dependents are complete", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const graph = new ResourceGraph();
      const known = new Map<string, KubeObject>();
      const rules = new Map<string, KindAccessEntry>();
      let custom: readonly CustomEdgeRule[] = [];
      const nodes = new Map<string, GraphNode>();
      const edges = new Map<string, GraphEdge>();
      const related = new Map<string, KubeObject[]>();
      for (const each of steps) {
        if ("upsert" in each) {
          graph.upsert(each.upsert);
          const {
            group,
            kind: kindName,
            namespace,
            name: called,
          } = {
            group: each.upsert.apiVersion.split("/")[1] === undefined ? "" : each.upsert.apiVersion,
            ...each.upsert.metadata,
            kind: each.upsert.kind,
          };
          known.set(`${group}/${kindName}/${namespace}/${called}`, each.upsert);
        } else if ("remove" in each) {
          const [key, victim] = [...known][each.remove] ?? [];
          if (key === undefined || victim === undefined) continue;
          graph.remove(idOf(victim));
          known.delete(key);
        } else if ("rules" in each) {
          graph.setCustomEdges(each.rules);
          custom = each.rules;
        } else {
          graph.setKindAccess(each.entry);
          rules.set(each.entry.kind, each.entry);
        }
        const changes = graph.takeChanges();
        for (const id of changes.removedNodes) expect(nodes.delete(id)).toBe(true);
        for (const id of changes.removedEdges) expect(edges.delete(id)).toBe(true);
        for (const node of changes.upsertedNodes) nodes.set(node.id, node);
        for (const edge of changes.upsertedEdges) edges.set(edge.id, edge);
        for (const id of changes.removedNodes) related.delete(id);
        for (const id of [...changes.upsertedNodes.map(({ id }) => id), ...changes.dependents]) related.set(id, graph.relatedOf(id));

        const rebuilt = buildGraph(known.values(), rules.values(), custom);
        const expected = stateOf(rebuilt);
        expect(stateOf(graph)).toEqual(expected);
        expect([...nodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected.nodes);
        expect([...edges.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected.edges);
        const stale = expected.nodes.filter(({ id }) => !sameItems(related.get(id), rebuilt.relatedOf(id)));
        expect(stale).toEqual([]);
        const ids = new Set(expected.nodes.map(({ id }) => id));
        expect(expected.edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
        expect(expected.nodes.filter(({ id, presence }) => presence !== "present" && graph.edgesOf(id).length === 0)).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);

/** Objects that a target means, by looking at all of them. */
function naiveTargets(target: NameTarget | SelectorTarget, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (target.by === "selector") {
    return objects.filter((candidate) => {
      const labelsOf = target.among === "workloads" ? templateLabelsOf(candidate) : candidate.metadata.labels;
      const isOne = target.among === "workloads" ? labelsOf !== undefined : candidate.kind === "Pod";
      return (
        isOne && candidate.metadata.namespace === target.namespace && matchesSelector(target.selector, isFields(labelsOf) ? labelsOf : {})
      );
    });
  }
  const [named, fallen] = [target.token, target.bare === undefined ? "" : bareToken(target.bare)].map((token) =>
    objects.filter((any) => tokensOf(any).includes(token)),
  );
  return named?.length ? named : (fallen ?? []);
}

/** Every reference of every object against every object: slow, and plainly right. */
function naiveEdges(objects: readonly KubeObject[]): string[] {
  const found = new Set<string>();
  const custom = new CustomEdges(CUSTOM);
  for (const holder of objects) {
    for (const { row, target, details } of [...referencesOf(holder), ...custom.referencesOf(holder)]) {
      const isHidden = objects.some((any) => details.unless !== undefined && tokensOf(any).includes(details.unless));
      if (isHidden) continue;
      const targets = naiveTargets(target, objects);
      const tree = row.class === "owner" || row.class === "inferred-owner";
      const legal = targets.filter(
        (to) => !(tree && to === holder) && (row.class !== "owner" || to.metadata.namespace === holder.metadata.namespace),
      );
      for (const to of legal) {
        const [first, second] = details.inverse === true ? [to, holder] : [holder, to];
        found.add(`${idOf(first)}|${row.kind}|${idOf(second)}`);
      }
      if (targets.length > 0 || target.by === "selector" || target.ghost === undefined) continue;
      const { group, kind: kindName, namespace, name: called } = target.ghost;
      found.add(`${idOf(holder)}|${row.kind}|${group}/${kindName}/${namespace}/${called}`);
    }
  }
  return [...found].sort();
}

test("the indexes find what comparing everything with everything finds", () => {
  fc.assert(
    fc.property(fc.array(object, { maxLength: 25 }).map(unique), (objects) => {
      expect(
        buildGraph(objects, [], CUSTOM)
          .edges()
          .map(({ id }) => id),
      ).toEqual(naiveEdges(objects));
    }),
    { numRuns: 300 },
  );
});

test("owners in random rings form a forest, and every line ends at a node", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 40 }), (pairs) => {
      const byChild = new Map<number, number[]>();
      for (const [child, parent] of pairs) byChild.set(child, [...(byChild.get(child) ?? []), parent]);
      const objects = [...Array(12).keys()].map((n) => ({
        apiVersion: "x.io/v1",
        kind: "Widget",
        metadata: {
          name: `n${n}`,
          uid: `u${n}`,
          ownerReferences: (byChild.get(n) ?? []).map((parent) => ({
            apiVersion: "x.io/v1",
            kind: "Widget",
            name: `n${parent}`,
            uid: `u${parent}`,
          })),
        },
      }));
      const graph = buildGraph(objects);
      const nodes = new Map(graph.nodes().map((node) => [node.id, node]));
      for (const { id } of nodes.values()) {
        const ancestors = graph.ancestorsOf(id);
        expect(new Set([id, ...ancestors]).size).toBe(ancestors.length + 1);
      }
      for (const edge of graph.edges()) expect(nodes.has(edge.from) && nodes.has(edge.to)).toBe(true);
      const wanted = objects.filter(({ metadata }) => metadata.ownerReferences.some(({ uid }) => uid !== metadata.uid)).length;
      const granted = [...nodes.values()].filter(({ ownerId }) => ownerId !== undefined).length;
      expect(granted).toBe(wanted - graph.ownerRings().length);
    }),
    { numRuns: 300 },
  );
});

test("odd shapes below the name are read as nothing, never thrown at", () => {
  const names =
    "spec selector matchLabels matchExpressions containers env envFrom valueFrom volumes projected sources rules http paths backend tls template endpoints targetRef scaleTargetRef parentRefs backendRefs volumeClaimTemplates metadata labels ownerReferences name uid kind".split(
      " ",
    );
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.constantFrom("a", "Pod", ""), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie("json"), { maxKeys: 5 }),
    ),
  }));
  const kinds = [...new Set(fc.sample(made, 200).map((each) => `${each.apiVersion} ${each.kind}`))];
  const odd = fc.record({ type: fc.constantFrom(...kinds), spec: json, endpoints: json, labels: json, ownerReferences: json });
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 5 }), (objects) => {
      const graph = new ResourceGraph();
      for (const [index, { type, spec, endpoints, labels: oddLabels, ownerReferences }] of objects.entries()) {
        const [apiVersion = "", kindName = ""] = type.split(" ");
        const odder: unknown = {
          apiVersion,
          kind: kindName,
          spec,
          endpoints,
          metadata: { name: `n${index}`, labels: oddLabels, ownerReferences },
        };
        // Odd on purpose: only apiVersion, kind and name are promised.
        graph.upsert(odder as KubeObject);
      }
      expect(graph.nodes().length).toBeGreaterThanOrEqual(objects.length);
      expect(graph.takeChanges().upsertedNodes).toEqual(graph.nodes());
    }),
    { numRuns: 500 },
  );
});
