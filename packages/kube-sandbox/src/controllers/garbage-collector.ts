import type { ApiObject, OwnerReference } from "../api-object.ts";
import type { StoreEvent } from "../store.ts";
import type { Cluster } from "./cluster.ts";
import type { Controller } from "./controller-loop.ts";

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/**
 * Deletes what has lost all its owners, and carries out foreground and orphaning deletes. Keys are uids, because names are
 * used again; the uid stands in `name`.
 */
export function garbageCollector(cluster: Cluster): Controller {
  const { store } = cluster.writer;
  const concerned = ({ type, object }: StoreEvent) => {
    const owners = (object.metadata.ownerReferences ?? []).map((owner) => owner.uid);
    // An end concerns the dependents and an owner that waits for them; anything else the object itself.
    const uids =
      type === "DELETED"
        ? [...store.dependentsOf(object.metadata.uid).map((one) => one.object.metadata.uid), ...owners]
        : owners.length > 0 || object.metadata.deletionTimestamp !== undefined
          ? [object.metadata.uid]
          : [];
    return uids.map((uid) => ({ namespace: undefined, name: uid }));
  };
  return {
    name: "garbage-collector",
    watches: new Proxy<Controller["watches"]>({}, { get: () => concerned }),
    reconcile({ name: uid }) {
      const found = store.byUid(uid);
      if (!found) return undefined;
      const { storage, object } = found;
      if (object.metadata.deletionTimestamp !== undefined) finishDelete(cluster, storage, object);
      else dropLostOwners(cluster, storage, object);
      return undefined;
    },
  };
}

function dropLostOwners(cluster: Cluster, storage: string, object: ApiObject): void {
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length === 0) return;
  const ownerOf = (reference: OwnerReference): ApiObject | undefined => cluster.writer.store.byUid(reference.uid)?.object;
  const solid = owners.filter((one) => ownerOf(one) !== undefined && !isForeground(ownerOf(one)));
  if (solid.length === owners.length) return;
  if (solid.length > 0) {
    cluster.update(storage, { ...object, metadata: { ...object.metadata, ownerReferences: solid } });
    return;
  }
  const waiting = owners.some((one) => isForeground(ownerOf(one)) && one.blockOwnerDeletion === true);
  cluster.delete(storage, object, {
    propagation: waiting && cluster.writer.store.dependentsOf(object.metadata.uid).length > 0 ? "Foreground" : "Background",
  });
}

function isForeground(owner: ApiObject | undefined): boolean {
  return owner?.metadata.deletionTimestamp !== undefined && (owner.metadata.finalizers ?? []).includes(FOREGROUND);
}

function finishDelete(cluster: Cluster, storage: string, object: ApiObject): void {
  const finalizers = object.metadata.finalizers ?? [];
  const { uid } = object.metadata;
  if (finalizers.includes(ORPHAN)) {
    for (const dependent of cluster.writer.store.dependentsOf(uid)) {
      const ownerReferences = (dependent.object.metadata.ownerReferences ?? []).filter((one) => one.uid !== uid);
      cluster.update(dependent.storage, { ...dependent.object, metadata: { ...dependent.object.metadata, ownerReferences } });
    }
    removeFinalizer(cluster, { storage, object, finalizer: ORPHAN });
    return;
  }
  if (!finalizers.includes(FOREGROUND)) return;
  for (const dependent of cluster.writer.store.dependentsOf(uid))
    if (dependent.object.metadata.deletionTimestamp === undefined) dropLostOwners(cluster, dependent.storage, dependent.object);
  const blocking = cluster.writer.store
    .dependentsOf(uid)
    .filter(({ object: one }) => one.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true));
  if (blocking.length === 0) removeFinalizer(cluster, { storage, object, finalizer: FOREGROUND });
}

function removeFinalizer(
  cluster: Cluster,
  { storage, object, finalizer }: { readonly storage: string; readonly object: ApiObject; readonly finalizer: string },
): void {
  const now = cluster.get(storage, object.metadata.namespace, object.metadata.name);
  if (now?.metadata.uid !== object.metadata.uid) return;
  const finalizers = (now.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  cluster.update(storage, { ...now, metadata: { ...now.metadata, finalizers } });
}
