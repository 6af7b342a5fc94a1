import type { ApiObject } from "../api-object.ts";
import { isSame, isTree, listIn, numberIn, textIn, textMapIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { claimRevision } from "./controller-revisions.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { isActive, isAvailable, isReady } from "./pod-state.ts";
import { podFromTemplate } from "./replica-set-controller.ts";

const STORAGE = "apps/statefulsets";
const PODS = "/pods";
const CLAIMS = "/persistentvolumeclaims";
const COMPONENT = "statefulset-controller";
const HASH = "controller-revision-hash";

/** Keeps the numbered pods of a StatefulSet, one after the other, each with its own claims. */
export function statefulSetController(cluster: Cluster): Controller {
  return {
    name: COMPONENT,
    watches: { [STORAGE]: itself, [PODS]: itsController("StatefulSet") },
    reconcile: (key) => reconcile(cluster, key),
  };
}

function ordinalOf(pod: ApiObject): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}

function reconcile(cluster: Cluster, { namespace, name }: Key): number | undefined {
  const set = cluster.get(STORAGE, namespace, name);
  if (!set || set.metadata.deletionTimestamp !== undefined) return undefined;
  const update = claimRevision(cluster, set);
  const wanted = numberIn(set, "spec", "replicas") ?? 1;
  const pods = cluster.controlled(PODS, set).toSorted((a, b) => ordinalOf(a) - ordinalOf(b));
  const current = textIn(set, "status", "currentRevision") ?? update;
  act(cluster, set, { pods, wanted, update, current });
  return report(cluster, set, { wanted, update, current });
}

interface Round {
  readonly pods: readonly ApiObject[];
  readonly wanted: number;
  /** Name of the ControllerRevision of the present template. */
  readonly update: string;
  readonly current: string;
}

/** At most one step when pods are managed in order; the next follows from the event this one causes. */
function act(cluster: Cluster, set: ApiObject, { pods, wanted, update, current }: Round): void {
  const ordered = textIn(set, "spec", "podManagementPolicy") !== "Parallel";
  const partition = numberIn(set, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0;
  for (let ordinal = 0; ordinal < wanted; ordinal += 1) {
    const pod = pods.find((one) => ordinalOf(one) === ordinal);
    if (!pod) createPod(cluster, set, { ordinal, revision: ordinal < partition ? current : update });
    if (pod && !isActive(pod) && pod.metadata.deletionTimestamp === undefined) cluster.delete(PODS, pod);
    if (ordered && (!pod || !isReady(pod) || pod.metadata.deletionTimestamp !== undefined)) return;
  }
  for (const pod of pods.toReversed()) {
    if (ordinalOf(pod) < wanted) continue;
    if (pod.metadata.deletionTimestamp === undefined) deletePod(cluster, set, pod);
    if (ordered) return;
  }
  if (textIn(set, "spec", "updateStrategy", "type") !== "RollingUpdate") return;
  for (const pod of pods.toReversed()) {
    if (ordinalOf(pod) >= wanted || ordinalOf(pod) < partition) continue;
    if (pod.metadata.labels?.[HASH] !== update) {
      if (pod.metadata.deletionTimestamp === undefined) deletePod(cluster, set, pod);
      return;
    }
    if (!isReady(pod)) return;
  }
}

function createPod(cluster: Cluster, set: ApiObject, { ordinal, revision }: { readonly ordinal: number; readonly revision: string }): void {
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { [HASH]: revision, "statefulset.kubernetes.io/pod-name": name, "apps.kubernetes.io/pod-index": String(ordinal) };
  const source = cluster.get("apps/controllerrevisions", set.metadata.namespace, revision);
  const template = valueIn(source, "data", "spec", "template");
  // A pod below the partition is made from the revision it belongs to.
  const owner = isTree(template) ? { ...set, spec: { ...treeIn(set, "spec"), template } } : set;
  const pod = podFromTemplate(owner, { name, labels });
  const volumes: unknown[] = [...listIn(pod.spec, "volumes")];
  for (const claim of listIn(set, "spec", "volumeClaimTemplates")) {
    const volume = textIn(claim, "metadata", "name") ?? "";
    const claimName = `${volume}-${name}`;
    createClaim(cluster, set, { claim, claimName });
    volumes.push({ name: volume, persistentVolumeClaim: { claimName } });
  }
  const headless = textIn(set, "spec", "serviceName");
  const spec: Tree = {
    ...pod.spec,
    hostname: name,
    ...(headless === undefined ? {} : { subdomain: headless }),
    ...(volumes.length > 0 ? { volumes } : {}),
  };
  if (cluster.create(PODS, { ...pod, spec })) {
    cluster.record(set, {
      reason: "SuccessfulCreate",
      message: `create Pod ${name} in StatefulSet ${set.metadata.name} successful`,
      component: COMPONENT,
    });
  }
}

function createClaim(
  cluster: Cluster,
  set: ApiObject,
  { claim, claimName }: { readonly claim: unknown; readonly claimName: string },
): void {
  const { namespace } = set.metadata;
  if (cluster.get(CLAIMS, namespace, claimName)) return;
  const labels = { ...textMapIn(claim, "metadata", "labels"), ...textMapIn(set, "spec", "selector", "matchLabels") };
  const made = cluster.create(CLAIMS, {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: claimName, namespace, labels },
    spec: structuredClone(treeIn(claim, "spec")),
  });
  if (made)
    cluster.record(set, {
      reason: "SuccessfulCreate",
      message: `create Claim ${claimName} Pod ${set.metadata.name} in StatefulSet ${set.metadata.name} success`,
      component: COMPONENT,
    });
}

function deletePod(cluster: Cluster, set: ApiObject, pod: ApiObject): void {
  cluster.delete(PODS, pod);
  cluster.record(set, {
    reason: "SuccessfulDelete",
    message: `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    component: COMPONENT,
  });
}

function report(
  cluster: Cluster,
  set: ApiObject,
  { wanted, update, current }: { readonly wanted: number; readonly update: string; readonly current: string },
): number | undefined {
  const pods = cluster.controlled(PODS, set).filter((pod) => isActive(pod) || pod.metadata.deletionTimestamp !== undefined);
  const live = pods.filter(isActive);
  const wait = numberIn(set, "spec", "minReadySeconds") ?? 0;
  const ready = live.filter(isReady).length;
  const available = live.filter((pod) => isAvailable(pod, wait, cluster.clock.now())).length;
  const updated = live.filter((pod) => pod.metadata.labels?.[HASH] === update).length;
  const done = updated === wanted && ready === wanted && live.length === wanted;
  const now = done ? update : current;
  const onCurrent = live.filter((pod) => pod.metadata.labels?.[HASH] === now).length;
  const status: Tree = {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    ...(ready > 0 ? { readyReplicas: ready } : {}),
    availableReplicas: available,
    ...(onCurrent > 0 ? { currentReplicas: onCurrent } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    currentRevision: now,
    updateRevision: update,
    collisionCount: 0,
  };
  if (!isSame(status, set["status"])) cluster.updateStatus(STORAGE, set, status);
  return available < ready ? 1_000 : undefined;
}
