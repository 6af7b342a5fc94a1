import { controllerReference, type ApiObject } from "../api-object.ts";
import { isTree, numberIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import { matcherOf } from "../label-selector.ts";
import type { Cluster } from "./cluster.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { compareForDeletion, countPods, isActive } from "./pod-state.ts";

const STORAGE = "apps/replicasets";
const PODS = "/pods";
const COMPONENT = "replicaset-controller";

/** Keeps as many pods as a ReplicaSet wants. */
export function replicaSetController(cluster: Cluster): Controller {
  return {
    name: COMPONENT,
    watches: { [STORAGE]: itself, [PODS]: itsController("ReplicaSet") },
    reconcile: (key) => reconcile(cluster, key),
  };
}

function reconcile(cluster: Cluster, { namespace, name }: Key): number | undefined {
  const set = cluster.get(STORAGE, namespace, name);
  if (!set) return undefined;
  const selector = valueIn(set, "spec", "selector");
  const matches = matcherOf(selector);
  if (numberIn(set, "status", "observedGeneration") === undefined) cluster.adopt(PODS, set, matches);
  let pods = cluster.controlled(PODS, set).filter(isActive);
  const wanted = numberIn(set, "spec", "replicas") ?? 1;
  if (set.metadata.deletionTimestamp === undefined && pods.length !== wanted) {
    if (pods.length < wanted) for (let missing = wanted - pods.length; missing > 0; missing -= 1) createPod(cluster, set);
    else for (const pod of pods.toSorted(compareForDeletion).slice(0, pods.length - wanted)) deletePod(cluster, set, pod);
    pods = cluster.controlled(PODS, set).filter(isActive);
  }
  const template = matcherOf({ matchLabels: treeIn(set, "spec", "template", "metadata", "labels") });
  const counts = countPods(pods, set, cluster.clock.now());
  cluster.updateStatus(STORAGE, set, {
    replicas: counts.total,
    ...positive({
      fullyLabeledReplicas: pods.filter((pod) => template(pod.metadata.labels)).length,
      readyReplicas: counts.ready,
      availableReplicas: counts.available,
    }),
    observedGeneration: set.metadata.generation,
  });
  return counts.nextCheckMs;
}

function createPod(cluster: Cluster, set: ApiObject): void {
  const pod = cluster.create(PODS, podFromTemplate(set, { generateName: `${set.metadata.name}-` }));
  if (pod) cluster.record(set, { reason: "SuccessfulCreate", message: `Created pod: ${pod.metadata.name}`, component: COMPONENT });
}

function deletePod(cluster: Cluster, set: ApiObject, pod: ApiObject): void {
  cluster.delete(PODS, pod);
  cluster.record(set, { reason: "SuccessfulDelete", message: `Deleted pod: ${pod.metadata.name}`, component: COMPONENT });
}

/** Counts without the zero ones, as the API leaves them out. */
export function positive(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** A pod as a workload's template describes it, controlled by the workload. */
export function podFromTemplate(owner: ApiObject, metadata: Tree): { apiVersion: string; kind: string; metadata: Tree; spec: Tree } {
  const template = treeIn(owner, "spec", "template");
  const labels = { ...treeIn(template, "metadata", "labels"), ...(isTree(metadata["labels"]) ? metadata["labels"] : {}) };
  const annotations = valueIn(template, "metadata", "annotations");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      namespace: owner.metadata.namespace,
      labels,
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: structuredClone(treeIn(template, "spec")),
  };
}
