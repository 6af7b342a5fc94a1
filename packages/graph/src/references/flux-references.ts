import { fieldsAt, groupOf, isFields, listAt, parseInventoryId, textAt, type KubeObject } from "@binnacle/kube";

import { referenceByName, type Reference } from "../reference.ts";

const SOURCES = "source.toolkit.fluxcd.io";

/** Kustomization → source, dependencies, values that it substitutes, and the objects that it applied. */
export function kustomizationReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  return [
    ...source(object, spec["sourceRef"], "spec.sourceRef"),
    ...dependencies(object),
    ...values(object, listAt(fieldsAt(spec, "postBuild"), "substituteFrom"), "spec.postBuild.substituteFrom"),
    ...inventoryReferences(object),
  ];
}

/** HelmRelease → chart or source of its chart, dependencies, values, and the objects that it applied. */
export function helmReleaseReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const chart = fieldsAt(fieldsAt(spec, "chart"), "spec");
  return [
    ...source(object, chart["sourceRef"], "spec.chart.spec.sourceRef"),
    ...source(object, spec["chartRef"], "spec.chartRef"),
    ...dependencies(object),
    ...values(object, listAt(spec, "valuesFrom"), "spec.valuesFrom"),
    ...inventoryReferences(object),
  ];
}

/**
 * What Flux applied, by the ids of its inventory. A missing entry is a ghost: it was deleted. It is no
 * owner: Kubernetes does not delete the objects with it, and a roll-up must see each of them.
 */
export function inventoryReferences(object: KubeObject): Reference[] {
  return listAt(fieldsAt(fieldsAt(object, "status"), "inventory"), "entries").flatMap((entry, index) => {
    const key = parseInventoryId(textAt(entry, "id"));
    return key === undefined ? [] : [referenceByName("flux-inv", `status.inventory.entries[${index}].id`, { key })];
  });
}

/** A source may say its apiVersion; most leave it to its kind. */
function source(object: KubeObject, value: unknown, path: string): Reference[] {
  const [kind, name] = [textAt(value, "kind"), textAt(value, "name")];
  if (kind === "" || name === "") return [];
  const group = groupOf(textAt(value, "apiVersion")) || SOURCES;
  return [referenceByName("flux-src", path, { key: { group, kind, namespace: namespaceOf(object, value), name } })];
}

/** What has to be ready first. It is of the same kind; a ring is a mistake of its author, and is drawn as it stands. */
function dependencies(object: KubeObject): Reference[] {
  return listAt(fieldsAt(object, "spec"), "dependsOn").flatMap((dependency, index) => {
    const name = textAt(dependency, "name");
    if (name === "") return [];
    const key = { group: groupOf(object.apiVersion), kind: object.kind, namespace: namespaceOf(object, dependency), name };
    return [referenceByName("flux-src", `spec.dependsOn[${index}]`, { key })];
  });
}

function values(object: KubeObject, sources: readonly unknown[], path: string): Reference[] {
  return sources.flatMap((value, index) => {
    const [kind, name] = [textAt(value, "kind"), textAt(value, "name")];
    if ((kind !== "ConfigMap" && kind !== "Secret") || name === "") return [];
    const key = { group: "", kind, namespace: object.metadata.namespace ?? "", name };
    return [referenceByName("flux-src", `${path}[${index}]`, { key, optional: isFields(value) && value["optional"] === true })];
  });
}

function namespaceOf(object: KubeObject, value: unknown): string {
  return textAt(value, "namespace") || (object.metadata.namespace ?? "");
}
