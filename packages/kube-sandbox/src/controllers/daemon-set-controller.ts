import type { ApiObject } from "../api-object.ts";
import { numberIn, textIn, textMapIn, valueIn } from "../json-tree.ts";
import { mapMatcher } from "../label-selector.ts";
import type { Cluster } from "./cluster.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { claimRevision } from "./controller-revisions.ts";
import { isActive, isAvailable, isReady, resolvePercent } from "./pod-state.ts";
import { podFromTemplate } from "./replica-set-controller.ts";

const STORAGE = "apps/daemonsets";
const PODS = "/pods";
const NODES = "/nodes";
const COMPONENT = "daemonset-controller";
const HASH = "controller-revision-hash";

/** Keeps one pod of a DaemonSet on every node its nodeSelector fits. */
export function daemonSetController(cluster: Cluster): Controller {
  return {
    name: COMPONENT,
    watches: {
      [STORAGE]: itself,
      [PODS]: itsController("DaemonSet"),
      [NODES]: ({ type }) =>
        type === "MODIFIED" ? [] : cluster.list(STORAGE).map((set) => ({ namespace: set.metadata.namespace, name: set.metadata.name })),
    },
    reconcile: (key) => reconcile(cluster, key),
  };
}

function reconcile(cluster: Cluster, { namespace, name }: Key): number | undefined {
  const set = cluster.get(STORAGE, namespace, name);
  if (!set || set.metadata.deletionTimestamp !== undefined) return undefined;
  const hash = claimRevision(cluster, set).slice(name.length + 1);
  const selector = textMapIn(set, "spec", "template", "spec", "nodeSelector");
  const fits = Object.keys(selector).length === 0 ? () => true : mapMatcher(selector);
  const nodes = cluster.list(NODES).filter((node) => fits(node.metadata.labels));
  const pods = cluster.controlled(PODS, set);
  for (const node of nodes)
    if (!pods.some((pod) => nodeOf(pod) === node.metadata.name)) createPod(cluster, set, { node: node.metadata.name, hash });
  for (const pod of pods) if (!nodes.some((node) => node.metadata.name === nodeOf(pod)) && isActive(pod)) deletePod(cluster, set, pod);
  if (textIn(set, "spec", "updateStrategy", "type") === "RollingUpdate") replaceOld(cluster, set, { pods, hash, desired: nodes.length });
  return report(cluster, set, { hash, desired: nodes.length });
}

function nodeOf(pod: ApiObject): string {
  return textIn(pod, "spec", "nodeName") ?? "";
}

function createPod(cluster: Cluster, set: ApiObject, { node, hash }: { readonly node: string; readonly hash: string }): void {
  const generation = String(set.metadata.generation ?? 1);
  const pod = podFromTemplate(set, {
    generateName: `${set.metadata.name}-`,
    labels: { [HASH]: hash, "pod-template-generation": generation },
  });
  const made = cluster.create(PODS, { ...pod, spec: { ...pod.spec, nodeName: node } });
  if (made) cluster.record(set, { reason: "SuccessfulCreate", message: `Created pod: ${made.metadata.name}`, component: COMPONENT });
}

function deletePod(cluster: Cluster, set: ApiObject, pod: ApiObject): void {
  cluster.delete(PODS, pod);
  cluster.record(set, { reason: "SuccessfulDelete", message: `Deleted pod: ${pod.metadata.name}`, component: COMPONENT });
}

function replaceOld(
  cluster: Cluster,
  set: ApiObject,
  { pods, hash, desired }: { readonly pods: readonly ApiObject[]; readonly hash: string; readonly desired: number },
): void {
  const allowed = Math.max(
    1,
    resolvePercent(valueIn(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable") ?? 1, desired, "up"),
  );
  const ready = pods.filter((pod) => isActive(pod) && isReady(pod));
  let spare = allowed - (desired - ready.length);
  for (const pod of pods) {
    if (pod.metadata.labels?.[HASH] === hash || !isActive(pod)) continue;
    // One that is not ready costs nothing to replace.
    if (!isReady(pod)) deletePod(cluster, set, pod);
    else if (spare > 0) {
      deletePod(cluster, set, pod);
      spare -= 1;
    }
  }
}

function report(
  cluster: Cluster,
  set: ApiObject,
  { hash, desired }: { readonly hash: string; readonly desired: number },
): number | undefined {
  const pods = cluster.controlled(PODS, set).filter(isActive);
  const wait = numberIn(set, "spec", "minReadySeconds") ?? 0;
  const ready = pods.filter(isReady).length;
  const available = pods.filter((pod) => isAvailable(pod, wait, cluster.clock.now())).length;
  const updated = pods.filter((pod) => pod.metadata.labels?.[HASH] === hash).length;
  const missing = Math.max(0, desired - available);
  cluster.updateStatus(STORAGE, set, {
    currentNumberScheduled: Math.min(pods.length, desired),
    numberMisscheduled: 0,
    desiredNumberScheduled: desired,
    numberReady: ready,
    observedGeneration: set.metadata.generation,
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
    ...(available > 0 ? { numberAvailable: available } : {}),
    ...(missing > 0 ? { numberUnavailable: missing } : {}),
  });
  return available < ready ? 1_000 : undefined;
}
