import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { grantNeeded } from "../reference-grants.ts";
import { referenceByName, referenceByToken, referenceByUid, roleToken, type Reference, type ReferenceDetails } from "../reference.ts";

/** Where the class stood before it had a field. */
const OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

const INVERSE: ReferenceDetails = Object.freeze({ inverse: true });

/** Token of the StorageClasses that are marked as default. */
export const DEFAULT_STORAGE_CLASS = roleToken("default", "storage.k8s.io", "StorageClass");

/** PersistentVolumeClaim → volume, StorageClass, what it is filled from, and the StatefulSet whose template made it. */
export function claimReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const references: Reference[] = [];
  const volume = textAt(spec, "volumeName");
  if (volume !== "") {
    const key = { group: "", kind: "PersistentVolume", namespace: "", name: volume };
    references.push(referenceByName("pvc-pv", "spec.volumeName", { key }));
  }
  references.push(...classReferences(object, "pvc-sc"));
  // Only an absent field means the default class: an empty text means none, and a bound claim keeps its volume.
  if (references.length === 0 && spec["storageClassName"] === undefined) {
    references.push(referenceByToken("pvc-sc", "spec.storageClassName", { token: DEFAULT_STORAGE_CLASS }));
  }
  references.push(...sourceReference(object, "dataSourceRef"), ...sourceReference(object, "dataSource"));
  // `<template>-<StatefulSet>-<ordinal>`; the StatefulSet provides the first two.
  const base = /^(.+)-\d+$/.exec(object.metadata.name)?.[1];
  if (base !== undefined) {
    const token = roleToken("claim", object.metadata.namespace ?? "", base);
    references.push(referenceByToken("sts-pvc", "metadata.name", { token }));
  }
  return references;
}

/**
 * PersistentVolume → StorageClass, and the claim that it is bound to: the same line as the claim's own, so that the ring of two
 * is one. A claim of the same name with another uid is not the one: the volume is released.
 */
export function volumeReferences(object: KubeObject): Reference[] {
  const references = classReferences(object, "pv-sc");
  const claim = fieldsAt(fieldsAt(object, "spec"), "claimRef");
  const [namespace, name, uid] = [textAt(claim, "namespace"), textAt(claim, "name"), textAt(claim, "uid")];
  if (namespace === "" || name === "") return references;
  const key = { group: "", kind: "PersistentVolumeClaim", namespace, name };
  references.push(referenceByUid("pvc-pv", "spec.claimRef", { uid, key, details: INVERSE }));
  return references;
}

/**
 * What a claim is filled from: a snapshot, another claim, or what a populator reads. Kubernetes writes both fields where one is
 * given, except across namespaces, which only `dataSourceRef` can, with a grant. Once there is a volume, the source is no longer needed.
 */
function sourceReference(object: KubeObject, field: "dataSource" | "dataSourceRef"): Reference[] {
  const spec = fieldsAt(object, "spec");
  const source = fieldsAt(spec, field);
  const [group, kind, name] = [textAt(source, "apiGroup"), textAt(source, "kind"), textAt(source, "name")];
  if (kind === "" || name === "") return [];
  const own = object.metadata.namespace ?? "";
  const wanted = (field === "dataSourceRef" && textAt(source, "namespace")) || own;
  const key = { group, kind, namespace: namespaceFor(group, kind, wanted), name };
  const isFilled = textAt(spec, "volumeName") !== "";
  const details = key.namespace === "" ? {} : grantNeeded(object, key);
  return [referenceByName("pvc-source", `spec.${field}`, { key, soft: isFilled, details })];
}

function classReferences(object: KubeObject, edge: "pvc-sc" | "pv-sc"): Reference[] {
  const old = textAt(object.metadata.annotations, OLD_CLASS);
  const name = old || textAt(fieldsAt(object, "spec"), "storageClassName");
  if (name === "") return [];
  const path = old === "" ? "spec.storageClassName" : `metadata.annotations[${OLD_CLASS}]`;
  return [referenceByName(edge, path, { key: { group: "storage.k8s.io", kind: "StorageClass", namespace: "", name }, soft: true })];
}
