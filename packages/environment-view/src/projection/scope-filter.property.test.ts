import { parseLabelMap, ResourceGraph } from "@binnacle/graph";
import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import type { ViewScope } from "../scope/view-scope.ts";
import { ScopeFilter } from "./scope-filter.ts";

const NAMES = ["a", "b", "c"];
const name = fc.constantFrom(...NAMES);
const labels = fc.constantFrom({}, { team: "shop" });

/** Pods that need a ConfigMap and a claim, with owners; claims that need volumes; volumes; ConfigMaps. */
const object: fc.Arbitrary<KubeObject> = fc.oneof(
  fc.record({ at: name, labels, owner: name, needs: name }).map(({ at, labels: own, owner, needs }) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: at,
      namespace: "app",
      uid: `pod-${at}`,
      labels: own,
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: owner, uid: `rs-${owner}`, controller: true }],
    },
    spec: {
      nodeName: "n",
      volumes: [
        { name: "s", configMap: { name: needs } },
        { name: "d", persistentVolumeClaim: { claimName: needs } },
      ],
    },
  })),
  fc.record({ at: name, labels }).map(({ at, labels: own }) => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: at, namespace: "app", uid: `rs-${at}`, labels: own },
  })),
  fc.record({ at: name, volume: name }).map(({ at, volume }) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: at, namespace: "app", uid: `claim-${at}` },
    spec: { volumeName: volume },
  })),
  name.map((at) => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: at, uid: `volume-${at}` } })),
  name.map((at) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: at, namespace: "app", uid: `cm-${at}` } })),
  fc.record({ at: name, lists: fc.array(name, { maxLength: 2 }) }).map(({ at, lists }) => ({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: at, namespace: "app", uid: `k-${at}` },
    status: { inventory: { entries: lists.map((listed) => ({ id: `app_${listed}__ConfigMap` })) } },
  })),
  fc.record({ at: name, lists: fc.array(name, { maxLength: 2 }) }).map(({ at, lists }) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `list-${at}`, namespace: "app", uid: `list-${at}`, labels: { "cli-utils.sigs.k8s.io/inventory-id": at } },
    data: Object.fromEntries(lists.map((listed) => [`app_${listed}__ConfigMap`, ""])),
  })),
  fc.constant({ apiVersion: "v1", kind: "Node", metadata: { name: "n", uid: "node" } }),
);

const step = fc.oneof(
  { weight: 3, arbitrary: object.map((upsert) => ({ upsert })) },
  { weight: 1, arbitrary: object.map((gone) => ({ remove: gone.metadata.uid ?? "" })) },
);

const team = parseLabelMap({ team: "shop" });
const SCOPES: readonly ViewScope[] = [
  { namespaces: ["app"] },
  { namespaces: ["app"], ...(team === undefined ? {} : { labels: team }) },
  { namespaces: ["app"], inventory: { tool: "flux-kustomization", name: "app/a" } },
  { namespaces: ["app"], inventory: { tool: "cli-utils", name: "a" } },
];

test.each(SCOPES)("after every batch of a history what is in sight equals a first look at the same objects (%j)", (scope) => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12, size: "max" }), (history) => {
      const objects = new Map<string, KubeObject>();
      const graph = new ResourceGraph();
      const filter = new ScopeFilter(graph, scope);
      const [nodes, edges] = [new Set<string>(), new Set<string>()];
      for (const batch of history) {
        for (const each of batch) {
          if ("upsert" in each) {
            graph.upsert(each.upsert);
            objects.set(each.upsert.metadata.uid ?? "", each.upsert);
          } else {
            graph.remove(each.remove);
            objects.delete(each.remove);
          }
        }
        const sight = filter.apply(graph.takeChanges());
        for (const id of sight.vanished) nodes.delete(id);
        for (const id of sight.appeared) nodes.add(id);
        for (const id of sight.undrawn) edges.delete(id);
        for (const { id } of sight.drawn) edges.add(id);
        expect({ nodes: [...nodes].toSorted(), edges: [...edges].toSorted() }).toEqual(firstLook(objects.values(), scope));
      }
    }),
    { numRuns: 300 },
  );
});

function firstLook(objects: Iterable<KubeObject>, scope: ViewScope) {
  const graph = new ResourceGraph();
  for (const each of objects) graph.upsert(each);
  const { appeared, drawn } = new ScopeFilter(graph, scope).apply(graph.takeChanges());
  return { nodes: [...appeared].toSorted(), edges: drawn.map(({ id }) => id).toSorted() };
}
