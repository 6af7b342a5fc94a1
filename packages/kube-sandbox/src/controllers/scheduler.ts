import type { ApiObject } from "../api-object.ts";
import { listIn, textIn, textMapIn, treeIn, valueIn } from "../json-tree.ts";
import { mapMatcher } from "../label-selector.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller, type Key } from "./controller-loop.ts";
import { withCondition } from "./pod-state.ts";

const PODS = "/pods";
const NODES = "/nodes";
const COMPONENT = "default-scheduler";

/** Gives each new pod a node: the next one in turn whose labels fit the pod's nodeSelector and that takes pods. */
export function scheduler(cluster: Cluster): Controller {
  let turn = 0;
  const unscheduled = (): Key[] =>
    cluster
      .list(PODS)
      .filter((pod) => textIn(pod, "spec", "nodeName") === undefined)
      .map((pod) => ({ namespace: pod.metadata.namespace, name: pod.metadata.name }));
  return {
    name: COMPONENT,
    watches: { [PODS]: itself, [NODES]: unscheduled, "/persistentvolumeclaims": ({ type }) => (type === "MODIFIED" ? unscheduled() : []) },
    reconcile({ namespace, name }) {
      const pod = cluster.get(PODS, namespace, name);
      if (!pod || textIn(pod, "spec", "nodeName") !== undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
      if (textIn(pod, "spec", "schedulerName") !== "default-scheduler" || listIn(pod, "spec", "schedulingGates").length > 0)
        return undefined;
      const nodes = cluster.list(NODES);
      const obstacle = unboundClaim(cluster, pod);
      const fitting = obstacle === undefined ? nodes.filter((node) => fits(pod, node)) : [];
      const node = fitting[turn % Math.max(1, fitting.length)];
      if (!node) {
        refuse(
          cluster,
          pod,
          obstacle ??
            `0/${nodes.length} nodes are available: ${nodes.length} node(s) didn't match Pod's node affinity/selector. preemption: 0/${nodes.length} nodes are available: ${nodes.length} Preemption is not helpful for scheduling.`,
        );
        return undefined;
      }
      turn += 1;
      const bound = cluster.update(PODS, { ...pod, spec: { ...treeIn(pod, "spec"), nodeName: node.metadata.name } });
      const conditions = withCondition(
        listIn(bound, "status", "conditions"),
        { type: "PodScheduled", status: "True" },
        cluster.timestamp(),
      );
      cluster.updateStatus(PODS, bound, { ...treeIn(bound, "status"), conditions: conditions.map(withoutReason) });
      cluster.record(bound, {
        reason: "Scheduled",
        message: `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`,
        component: COMPONENT,
      });
      return undefined;
    },
  };
}

function withoutReason(condition: unknown): unknown {
  if (textIn(condition, "type") !== "PodScheduled") return condition;
  const { reason: _1, message: _2, ...rest } = treeIn(condition);
  return rest;
}

function fits(pod: ApiObject, node: ApiObject): boolean {
  if (valueIn(node, "spec", "unschedulable") === true) return false;
  const selector = textMapIn(pod, "spec", "nodeSelector");
  return Object.keys(selector).length === 0 || mapMatcher(selector)(node.metadata.labels);
}

function unboundClaim(cluster: Cluster, pod: ApiObject): string | undefined {
  for (const volume of listIn(pod, "spec", "volumes")) {
    const name = textIn(volume, "persistentVolumeClaim", "claimName");
    if (name === undefined) continue;
    const claim = cluster.get("/persistentvolumeclaims", pod.metadata.namespace, name);
    if (!claim) return `persistentvolumeclaim "${name}" not found`;
    const waits =
      textIn(
        cluster.get("storage.k8s.io/storageclasses", undefined, textIn(claim, "spec", "storageClassName") ?? ""),
        "volumeBindingMode",
      ) === "WaitForFirstConsumer";
    if (!waits && textIn(claim, "status", "phase") !== "Bound")
      return "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found";
  }
  return undefined;
}

function refuse(cluster: Cluster, pod: ApiObject, message: string): void {
  const conditions = withCondition(
    listIn(pod, "status", "conditions"),
    { type: "PodScheduled", status: "False", reason: "Unschedulable", message },
    cluster.timestamp(),
  );
  cluster.updateStatus(PODS, pod, { ...treeIn(pod, "status"), conditions });
  cluster.record(pod, { type: "Warning", reason: "FailedScheduling", message, component: COMPONENT });
}
