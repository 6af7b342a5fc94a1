import type { ApiObject } from "../api-object.ts";
import { listIn, textIn, treeIn, valueIn } from "../json-tree.ts";
import type { StoreEvent } from "../store.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller, type Key } from "./controller-loop.ts";

const CLAIMS = "/persistentvolumeclaims";
const VOLUMES = "/persistentvolumes";
const CLASSES = "storage.k8s.io/storageclasses";
const PODS = "/pods";
const PROTECTION = "kubernetes.io/pvc-protection";
const COMPONENT = "persistentvolume-controller";
const STATIC = "kubernetes.io/no-provisioner";

/** Binds claims: to a volume that is there and fits, or to one made for them by their StorageClass. */
export function volumeController(cluster: Cluster): Controller {
  const pending = (): Key[] =>
    cluster
      .list(CLAIMS)
      .filter((claim) => textIn(claim, "status", "phase") !== "Bound")
      .map((claim) => ({ namespace: claim.metadata.namespace, name: claim.metadata.name }));
  const claimsOf = ({ type, object }: StoreEvent): Key[] =>
    type === "MODIFIED" && object.metadata.deletionTimestamp === undefined
      ? []
      : listIn(object, "spec", "volumes").flatMap((volume) => {
          const name = textIn(volume, "persistentVolumeClaim", "claimName");
          return name === undefined ? [] : [{ namespace: object.metadata.namespace, name }];
        });
  return {
    name: COMPONENT,
    watches: { [CLAIMS]: itself, [VOLUMES]: ({ type }) => (type === "ADDED" ? pending() : []), [CLASSES]: pending, [PODS]: claimsOf },
    reconcile: (key) => {
      reconcile(cluster, key);
      return undefined;
    },
  };
}

function usersOf(cluster: Cluster, claim: Key): ApiObject[] {
  return cluster
    .list(PODS, claim.namespace)
    .filter((pod) => listIn(pod, "spec", "volumes").some((volume) => textIn(volume, "persistentVolumeClaim", "claimName") === claim.name));
}

function reconcile(cluster: Cluster, key: Key): void {
  const claim = cluster.get(CLAIMS, key.namespace, key.name);
  if (!claim) return release(cluster, key);
  if (claim.metadata.deletionTimestamp !== undefined) {
    if (usersOf(cluster, key).length > 0 || !claim.metadata.finalizers?.includes(PROTECTION)) return;
    const finalizers = claim.metadata.finalizers.filter((one) => one !== PROTECTION);
    cluster.update(CLAIMS, { ...claim, metadata: { ...claim.metadata, finalizers } });
    return;
  }
  if (textIn(claim, "status", "phase") === "Bound") return;
  const volume = fittingVolume(cluster, claim) ?? provision(cluster, claim, key);
  if (volume) bind(cluster, claim, volume);
}

function fittingVolume(cluster: Cluster, claim: ApiObject): ApiObject | undefined {
  const wanted = textIn(claim, "spec", "volumeName");
  const { name, namespace } = claim.metadata;
  return cluster.list(VOLUMES).find((volume) => {
    if (wanted !== undefined && wanted !== "") return volume.metadata.name === wanted;
    if (textIn(volume, "spec", "claimRef", "name") !== undefined)
      return textIn(volume, "spec", "claimRef", "name") === name && textIn(volume, "spec", "claimRef", "namespace") === namespace;
    return (
      textIn(volume, "status", "phase") !== "Released" &&
      (textIn(volume, "spec", "storageClassName") ?? "") === (textIn(claim, "spec", "storageClassName") ?? "")
    );
  });
}

function provision(cluster: Cluster, claim: ApiObject, key: Key): ApiObject | undefined {
  const className = textIn(claim, "spec", "storageClassName") ?? "";
  const storageClass = cluster.get(CLASSES, undefined, className);
  if (className === "") {
    cluster.record(claim, {
      reason: "FailedBinding",
      message: "no persistent volumes available for this claim and no storage class is set",
      component: COMPONENT,
    });
    return undefined;
  }
  if (!storageClass) {
    cluster.record(claim, {
      type: "Warning",
      reason: "ProvisioningFailed",
      message: `storageclass.storage.k8s.io "${className}" not found`,
      component: COMPONENT,
    });
    return undefined;
  }
  if (textIn(storageClass, "provisioner") === STATIC) return undefined;
  if (textIn(storageClass, "volumeBindingMode") === "WaitForFirstConsumer" && usersOf(cluster, key).length === 0) {
    cluster.record(claim, {
      reason: "WaitForFirstConsumer",
      message: "waiting for first consumer to be created before binding",
      component: COMPONENT,
    });
    return undefined;
  }
  const name = `pvc-${claim.metadata.uid}`;
  cluster.create(VOLUMES, {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations: { "pv.kubernetes.io/provisioned-by": textIn(storageClass, "provisioner") } },
    spec: {
      capacity: { storage: textIn(claim, "spec", "resources", "requests", "storage") ?? "1Gi" },
      accessModes: valueIn(claim, "spec", "accessModes"),
      persistentVolumeReclaimPolicy: textIn(storageClass, "reclaimPolicy") ?? "Delete",
      storageClassName: className,
      volumeMode: textIn(claim, "spec", "volumeMode") ?? "Filesystem",
      hostPath: { path: `/sandbox/${name}`, type: "" },
    },
  });
  cluster.record(claim, { reason: "ProvisioningSucceeded", message: `Successfully provisioned volume ${name}`, component: COMPONENT });
  return cluster.get(VOLUMES, undefined, name);
}

function bind(cluster: Cluster, claim: ApiObject, volume: ApiObject): void {
  const { name, namespace, uid } = claim.metadata;
  const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace, name, uid };
  const bound = cluster.update(VOLUMES, { ...volume, spec: { ...treeIn(volume, "spec"), claimRef } });
  cluster.updateStatus(VOLUMES, bound, { phase: "Bound" });
  const annotations = {
    ...claim.metadata.annotations,
    "pv.kubernetes.io/bind-completed": "yes",
    "pv.kubernetes.io/bound-by-controller": "yes",
  };
  const next = cluster.update(CLAIMS, {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...treeIn(claim, "spec"), volumeName: volume.metadata.name },
  });
  cluster.updateStatus(CLAIMS, next, {
    phase: "Bound",
    accessModes: valueIn(volume, "spec", "accessModes"),
    capacity: valueIn(volume, "spec", "capacity"),
  });
}

/** After its claim is gone a volume is deleted or released, as its reclaim policy says. */
function release(cluster: Cluster, key: Key): void {
  for (const volume of cluster.list(VOLUMES)) {
    if (
      textIn(volume, "spec", "claimRef", "name") !== key.name ||
      textIn(volume, "spec", "claimRef", "namespace") !== key.namespace ||
      textIn(volume, "status", "phase") !== "Bound"
    )
      continue;
    if (textIn(volume, "spec", "persistentVolumeReclaimPolicy") === "Delete") cluster.delete(VOLUMES, volume);
    else cluster.updateStatus(VOLUMES, volume, { phase: "Released" });
  }
}
