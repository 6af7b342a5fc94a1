import { fieldsAt, numberAt, textAt, type Fields, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

/** When a change of the pod template replaces the pods of a workload. */
export interface PodReplacement {
  /**
   * - `now`: the controller replaces them
   * - `on-resume`: the Deployment is paused, and its controller replaces none until it is resumed
   * - `on-delete`: the update strategy is `OnDelete`, and a pod is replaced after it was deleted
   */
  readonly when: "now" | "on-resume" | "on-delete";
  /** Of a StatefulSet with a partition: pods with a lower ordinal stay. */
  readonly firstOrdinal?: number;
}

/**
 * When the pods of a Deployment, StatefulSet or DaemonSet with this specification are replaced.
 *
 * @see Kubernetes documentation, "Pausing and Resuming a rollout of a Deployment", "StatefulSet: Update strategies", "Perform a Rolling Update on a DaemonSet"
 */
export function podReplacementOf({ resource }: Pick<ResourceKind, "resource">, spec: Fields): PodReplacement {
  if (resource === "deployments") return { when: spec["paused"] === true ? "on-resume" : "now" };
  const strategy = fieldsAt(spec, "updateStrategy");
  if (textAt(strategy, "type") === "OnDelete") return { when: "on-delete" };
  const partition = resource === "statefulsets" ? (numberAt(fieldsAt(strategy, "rollingUpdate"), "partition") ?? 0) : 0;
  return { when: "now", ...(partition > 0 && { firstOrdinal: firstOrdinalOf(spec, partition) }) };
}

/** The controller counts the partition from `ordinals.start` (`newVersionedStatefulSetPod` in Kubernetes' pkg/controller/statefulset). */
function firstOrdinalOf(spec: Fields, partition: number): number {
  return partition + (numberAt(fieldsAt(spec, "ordinals"), "start") ?? 0);
}

/** The ordinal in the name of a StatefulSet's pod. */
export function ordinalOf(podName: string): number {
  return Number(podName.slice(podName.lastIndexOf("-") + 1));
}

/** The note of a preview. */
export function replacementNote({ when, firstOrdinal }: PodReplacement): Words {
  if (when === "on-resume") return words("action/replaces-on-resume");
  if (when === "on-delete") return words("action/replaces-on-delete");
  return firstOrdinal === undefined ? words("action/replaces-pods") : words("action/replaces-from", { ordinal: firstOrdinal });
}

/**
 * What resuming a Deployment replaces: the pods of other templates than the present one, as its controller has counted them for the present
 * specification. Without that count there is no note.
 */
export function resumeNotes({ metadata, ...object }: KubeObject): readonly Words[] {
  const status = fieldsAt(object, "status");
  if ((numberAt(status, "observedGeneration") ?? 0) < (numberAt(metadata, "generation") ?? 0)) return [];
  const count = (numberAt(status, "replicas") ?? 0) - (numberAt(status, "updatedReplicas") ?? 0);
  return count > 0 ? [words("action/resume-replaces", { count })] : [];
}
