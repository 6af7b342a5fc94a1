import { fieldsAt, numberAt, textAt, type Fields } from "@binnacle/kube";

import { throughPods } from "../failing-pods.ts";
import { staleGeneration } from "../generation.ts";
import { ownedOf } from "../relatives.ts";
import { healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** StatefulSet: counts and revisions; it has no deadline, so a failing pod of the update revision speaks for it. */
export function statefulSetHealth(input: RuleInput): Verdict {
  const stale = staleGeneration(input, "zero");
  if (stale !== null) return stale;
  const own = ownVerdict(input);
  return own.status === "Progressing" ? throughPods(own, podsOfStatefulUpdate(input), input) : own;
}

function ownVerdict({ spec, status }: RuleInput): Verdict {
  const wanted = numberAt(spec, "replicas") ?? 1;
  const replicas = numberAt(status, "replicas") ?? 0;
  const ready = numberAt(status, "readyReplicas") ?? 0;
  if (replicas > wanted) return progressing("ScalingDown", `${replicas} pods exist, ${wanted} are wanted`);
  if (replicas < wanted) return progressing("ScalingUp", `${replicas} of ${wanted} pods exist`);
  if (ready < wanted) return progressing("NotReady", `${ready} of ${wanted} pods are ready`);

  const strategy = fieldsAt(spec, "updateStrategy");
  if (textAt(strategy, "type") === "OnDelete") return healthy("Ready", `${ready} of ${wanted} pods are ready; updates wait for deletion`);
  const partition = numberAt(fieldsAt(strategy, "rollingUpdate"), "partition") ?? 0;
  if (comparesUpdated(status)) {
    const updated = numberAt(status, "updatedReplicas") ?? 0;
    const target = wanted - partition;
    if (updated < target) return progressing("RolloutInProgress", `${updated} of ${target} pods have been updated`);
  } else {
    const current = numberAt(status, "currentReplicas") ?? 0;
    if (current < wanted) return progressing("RolloutInProgress", `${current} of ${wanted} pods are of the current revision`);
  }
  return healthy("Ready", wanted === 0 ? "Scaled to zero" : `${ready} of ${wanted} pods are ready`);
}

/** Whether updatedReplicas says something: it is there, or the revisions differ, in which case absent is zero. */
function comparesUpdated(status: Fields): boolean {
  if (numberAt(status, "updatedReplicas") !== undefined) return true;
  const [current, update] = [textAt(status, "currentRevision"), textAt(status, "updateRevision")];
  return current !== "" && update !== "" && current !== update;
}

/** Pods of the update revision; all pods when the revision is not known. */
export function podsOfStatefulUpdate(input: RuleInput): Fields[] {
  const revision = textAt(input.status, "updateRevision");
  const pods = ownedOf(input, "", "Pod");
  if (revision === "") return pods;
  return pods.filter((pod) => fieldsAt(fieldsAt(pod, "metadata"), "labels")["controller-revision-hash"] === revision);
}
