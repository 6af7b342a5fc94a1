import { controllerReference, type ApiObject } from "../api-object.ts";
import { isSame, numberIn, treeIn, valueIn } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { templateHash } from "./template-hash.ts";

const STORAGE = "apps/controllerrevisions";

/**
 * The ControllerRevision of a workload's present template, made when there is none, with the highest revision number.
 *
 * @returns its name, which is also the pods' label `controller-revision-hash` of a StatefulSet
 */
export function claimRevision(cluster: Cluster, workload: ApiObject): string {
  const { name, namespace } = workload.metadata;
  const data = { spec: { template: { ...treeIn(workload, "spec", "template"), $patch: "replace" } } };
  const own = cluster.controlled(STORAGE, workload);
  const highest = Math.max(0, ...own.map((one) => numberIn(one, "revision") ?? 0));
  const known = own.find((one) => isSame(valueIn(one, "data"), data));
  if (known) {
    // An undo makes an old template the newest revision again.
    if ((numberIn(known, "revision") ?? 0) < highest) cluster.update(STORAGE, { ...known, revision: highest + 1 });
    return known.metadata.name;
  }
  const hash = templateHash(data, own.length);
  const made = cluster.create(STORAGE, {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...treeIn(workload, "spec", "template", "metadata", "labels"), "controller.kubernetes.io/hash": hash },
      ownerReferences: [controllerReference(workload)],
    },
    data,
    revision: highest + 1,
  });
  removeOldest(cluster, workload);
  return made?.metadata.name ?? `${name}-${hash}`;
}

function removeOldest(cluster: Cluster, workload: ApiObject): void {
  const limit = numberIn(workload, "spec", "revisionHistoryLimit") ?? 10;
  const all = cluster.controlled(STORAGE, workload).toSorted((a, b) => (numberIn(a, "revision") ?? 0) - (numberIn(b, "revision") ?? 0));
  for (const revision of all.slice(0, Math.max(0, all.length - limit - 2))) cluster.delete(STORAGE, revision);
}
