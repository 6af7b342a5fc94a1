import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import { isOlderThan, MINUTE_MS } from "./age.ts";
import { conditionOf, conditionsOf, falseCondition, type Condition } from "./condition.ts";
import { containersOf } from "./container-state.ts";

/** A kubelet takes a pod of its node within a second, as long as it runs. */
const TAKING_MS = MINUTE_MS;

/**
 * The condition Ready of a pod that was marked as not ready because its node is not ready; `undefined` when the pod shows no such thing.
 *
 * The node controller sets the condition to False and leaves everything else as the kubelet last wrote it (MarkPodsNotReady in
 * pkg/controller/util/node of Kubernetes). A kubelet itself gives a reason whenever it sets the condition to False.
 */
export function readyLostWithNode(pod: Fields): Condition | undefined {
  const [status, spec] = [fieldsAt(pod, "status"), fieldsAt(pod, "spec")];
  if (textAt(status, "phase") !== "Running" || textAt(spec, "nodeName") === "") return undefined;
  const conditions = conditionsOf(status);
  const ready = falseCondition(conditions, "Ready");
  if (ready === undefined || ready.reason !== "" || conditionOf(conditions, "ContainersReady")?.status === "false") return undefined;
  const containers = containersOf({ status, spec }).filter(({ init }) => !init);
  return containers.length > 0 && containers.every((container) => container.ready) ? ready : undefined;
}

/** Whether a pod shows that its node is not ready. */
export function isLostWithNode(pod: Fields): boolean {
  return readyLostWithNode(pod) !== undefined;
}

/**
 * Whether a pod has had a node for a minute and the kubelet there has not taken it, which writes `status.startTime` first of all.
 *
 * @param now milliseconds since the epoch; `undefined` = not known
 */
export function isLeftByKubelet(pod: Fields, now: number | undefined): boolean {
  const [status, spec] = [fieldsAt(pod, "status"), fieldsAt(pod, "spec")];
  const [phase, metadata] = [textAt(status, "phase"), fieldsAt(pod, "metadata")];
  if (textAt(spec, "nodeName") === "" || textAt(status, "startTime") !== "") return false;
  if ((phase !== "" && phase !== "Pending") || containersOf({ status, spec }).length > 0) return false;
  const scheduledAt = conditionOf(conditionsOf(status), "PodScheduled")?.changedAt ?? "";
  return isOlderThan(scheduledAt || textAt(metadata, "creationTimestamp"), TAKING_MS, now) === true;
}
