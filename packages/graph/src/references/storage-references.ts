import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";

import { claimToken, referenceByName, referenceTo, type Reference } from "../reference.ts";

/** PersistentVolumeClaim → volume, StorageClass, and the StatefulSet whose template made it. */
export function claimReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const references: Reference[] = [];
  const volume = textAt(spec, "volumeName");
  if (volume !== "") {
    const key = { group: "", kind: "PersistentVolume", namespace: "", name: volume };
    references.push(referenceByName("pvc-pv", "spec.volumeName", { key }));
  }
  const storageClass = textAt(spec, "storageClassName");
  if (storageClass !== "") {
    const key = { group: "storage.k8s.io", kind: "StorageClass", namespace: "", name: storageClass };
    references.push(referenceByName("pvc-sc", "spec.storageClassName", { key, soft: true }));
  }
  // `<template>-<StatefulSet>-<ordinal>`; the StatefulSet provides the first two.
  const base = /^(.+)-\d+$/.exec(object.metadata.name)?.[1];
  if (base !== undefined) {
    const tokens = [claimToken(object.metadata.namespace ?? "", base)];
    references.push(referenceTo("sts-pvc", "metadata.name", { target: { by: "name", tokens } }));
  }
  return references;
}
