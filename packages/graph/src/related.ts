import { fieldsAt, groupOf, textAt, type KubeObject } from "@binnacle/kube";

import type { EdgeTable } from "./edge-table.ts";

/** What of a graph is needed to say what belongs together. */
export interface RelatedView {
  readonly objectOf: (id: string) => KubeObject | undefined;
  readonly idsOfKind: (group: string, kind: string) => Iterable<string>;
  readonly definitionsOf: (group: string, kind: string) => Iterable<string>;
  readonly descendantsOf: (id: string) => readonly string[];
  readonly ancestorsOf: (id: string) => readonly string[];
  readonly edges: EdgeTable;
}

const INGRESS_GROUP = "networking.k8s.io";

/**
 * Objects that the health of a node may look at: what it owns, and by kind: Pods and StorageClasses of a claim, Ingresses of
 * the same class, EndpointSlices of a Service, the definition of a custom resource.
 */
export function relatedOf(id: string, view: RelatedView): KubeObject[] {
  const object = view.objectOf(id);
  if (object === undefined) return [];
  const ids = new Set([...view.descendantsOf(id), ...besidesDescendants(id, object, view)]);
  ids.delete(id);
  return [...ids].sort().flatMap((each) => view.objectOf(each) ?? []);
}

/** The other way round: nodes whose health may look at this one. */
export function dependentsOf(id: string, view: RelatedView): string[] {
  const object = view.objectOf(id);
  if (object === undefined) return [];
  const dependents = [...view.ancestorsOf(id)];
  const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (kind === "/Pod" || kind === "discovery.k8s.io/EndpointSlice") {
    for (const edge of view.edges.outOf(id)) if (edge.kind === "pod-pvc" || edge.kind === "slice-service") dependents.push(edge.to);
  } else if (kind === `${INGRESS_GROUP}/Ingress`) {
    dependents.push(...sameClass(object, view));
  } else if (kind === "storage.k8s.io/StorageClass") {
    dependents.push(...view.idsOfKind("", "PersistentVolumeClaim"));
  } else if (kind === "apiextensions.k8s.io/CustomResourceDefinition") {
    const spec = fieldsAt(object, "spec");
    dependents.push(...view.idsOfKind(textAt(spec, "group"), textAt(fieldsAt(spec, "names"), "kind")));
  }
  return dependents.filter((each) => each !== id && view.objectOf(each) !== undefined);
}

function besidesDescendants(id: string, object: KubeObject, view: RelatedView): string[] {
  const group = groupOf(object.apiVersion);
  switch (`${group}/${object.kind}`) {
    case "/PersistentVolumeClaim":
      return [...holders(id, "pod-pvc", view), ...view.idsOfKind("storage.k8s.io", "StorageClass")];
    case "/Service":
      return holders(id, "slice-service", view);
    case `${INGRESS_GROUP}/Ingress`:
      return sameClass(object, view);
    default:
      return [...view.definitionsOf(group, object.kind)];
  }
}

function holders(id: string, kind: string, view: RelatedView): string[] {
  const found: string[] = [];
  for (const edge of view.edges.into(id)) if (edge.kind === kind) found.push(edge.from);
  return found;
}

function sameClass(object: KubeObject, view: RelatedView): string[] {
  const own = classOf(object);
  return [...view.idsOfKind(INGRESS_GROUP, "Ingress")].filter((id) => {
    const other = view.objectOf(id);
    return other !== undefined && classOf(other) === own;
  });
}

function classOf(ingress: KubeObject): string {
  const annotations = fieldsAt(ingress.metadata, "annotations");
  return textAt(fieldsAt(ingress, "spec"), "ingressClassName") || textAt(annotations, "kubernetes.io/ingress.class");
}
