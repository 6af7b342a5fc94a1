import { fieldsAt, groupOf, textAt, type KubeObject } from "@binnacle/kube";

import { forEachValue, type Bag } from "./bag.ts";
import { forEachInto, forEachOut } from "./edge-lists.ts";
import { ancestorsOf, descendantsOf } from "./owner-forest.ts";
import { definitionToken } from "./references-of.ts";
import type { Vertex } from "./vertex.ts";

/** What of a graph is needed to say what belongs together. */
export interface RelatedView {
  readonly ofKind: (group: string, kind: string) => readonly Vertex[];
  readonly providersOf: (token: string) => Bag<Vertex>;
}

const INGRESS_GROUP = "networking.k8s.io";

/**
 * Objects that the health of a node may look at: what it owns, and by kind: Pods and StorageClasses of a claim, Ingresses of
 * the same class, EndpointSlices of a Service, the definition of a custom resource. Sorted by id.
 */
export function relatedOf(vertex: Vertex, view: RelatedView): KubeObject[] {
  const { entry } = vertex;
  if (entry === undefined) return [];
  const related = new Set(descendantsOf(vertex));
  for (const each of besidesDescendants(vertex, entry.object, view)) related.add(each);
  related.delete(vertex);
  return objectsOf(related);
}

/** The objects of nodes, sorted by id; ghosts have none. */
export function objectsOf(vertices: Iterable<Vertex>): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const { entry } of [...vertices].sort(byId)) if (entry !== undefined) objects.push(entry.object);
  return objects;
}

/** Order of nodes by id. */
export function byId(left: Vertex, right: Vertex): number {
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** The other way round: nodes whose health may look at this one. */
export function dependentsOf(vertex: Vertex, view: RelatedView): Vertex[] {
  const { entry } = vertex;
  if (entry === undefined) return [];
  const { object } = entry;
  const dependents = ancestorsOf(vertex);
  if (entry.kind === "/Pod" || entry.kind === "discovery.k8s.io/EndpointSlice") {
    forEachOut(vertex, ({ row, to }) => {
      if (row.kind === "pod-pvc" || row.kind === "slice-service") dependents.push(to);
    });
  } else if (entry.kind === `${INGRESS_GROUP}/Ingress`) {
    dependents.push(...sameClass(object, view));
  } else if (entry.kind === "storage.k8s.io/StorageClass") {
    dependents.push(...view.ofKind("", "PersistentVolumeClaim"));
  } else if (entry.kind === "apiextensions.k8s.io/CustomResourceDefinition") {
    const spec = fieldsAt(object, "spec");
    dependents.push(...view.ofKind(textAt(spec, "group"), textAt(fieldsAt(spec, "names"), "kind")));
  }
  return dependents.filter((each) => each !== vertex && each.entry !== undefined);
}

function besidesDescendants(vertex: Vertex, object: KubeObject, view: RelatedView): readonly Vertex[] {
  const group = groupOf(object.apiVersion);
  switch (`${group}/${object.kind}`) {
    case "/PersistentVolumeClaim":
      return [...holders(vertex, "pod-pvc"), ...view.ofKind("storage.k8s.io", "StorageClass")];
    case "/Service":
      return holders(vertex, "slice-service");
    case `${INGRESS_GROUP}/Ingress`:
      return sameClass(object, view);
    default: {
      const definitions: Vertex[] = [];
      forEachValue(view.providersOf(definitionToken(group, object.kind)), (each) => void definitions.push(each));
      return definitions;
    }
  }
}

function holders(vertex: Vertex, kind: string): Vertex[] {
  const found: Vertex[] = [];
  forEachInto(vertex, ({ row, from }) => {
    if (row.kind === kind) found.push(from);
  });
  return found;
}

function sameClass(object: KubeObject, view: RelatedView): Vertex[] {
  const own = classOf(object);
  return view.ofKind(INGRESS_GROUP, "Ingress").filter(({ entry }) => entry !== undefined && classOf(entry.object) === own);
}

function classOf(ingress: KubeObject): string {
  const annotations = fieldsAt(ingress.metadata, "annotations");
  return textAt(fieldsAt(ingress, "spec"), "ingressClassName") || textAt(annotations, "kubernetes.io/ingress.class");
}
