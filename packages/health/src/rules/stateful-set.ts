import { fieldsAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { throughPods } from "../failing-pods.ts";
import { staleGeneration } from "../generation.ts";
import { unavailable } from "../min-ready.ts";
import { ownedOf } from "../relatives.ts";
import { healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** StatefulSet: counts and revisions; it has no deadline, so a failing pod of the update revision speaks for it. */
export const rule: KindRule = { kinds: ["apps/StatefulSet"], generation: "own", judge: statefulSetHealth };

function statefulSetHealth(input: RuleInput): Verdict {
  const stale = staleGeneration(input, "zero");
  if (stale !== null) return stale;
  const own = ownVerdict(input);
  return own.status === "Progressing" ? throughPods(own, podsOfStatefulUpdate(input), input) : own;
}

function ownVerdict(input: RuleInput): Verdict {
  const { spec, status } = input;
  const wanted = numberAt(spec, "replicas") ?? 1;
  const replicas = numberAt(status, "replicas") ?? 0;
  const ready = numberAt(status, "readyReplicas") ?? 0;
  if (replicas > wanted) return progressing("ScalingDown", words("stateful-set/scaling-down", { count: replicas, wanted }));
  if (replicas < wanted) return progressing("ScalingUp", words("stateful-set/scaling-up", { count: replicas, wanted }));
  const counts = { count: ready, wanted };
  if (ready < wanted) return progressing("NotReady", words("workload/pods-ready", counts));
  const available = numberAt(status, "availableReplicas") ?? 0;
  if ((numberAt(spec, "minReadySeconds") ?? 0) > 0 && available < wanted) {
    return unavailable(input, podsOfStatefulUpdate(input), { message: words("workload/pods-available", { count: available, wanted }) });
  }

  const strategy = fieldsAt(spec, "updateStrategy");
  if (textAt(strategy, "type") === "OnDelete") return healthy("Ready", words("workload/pods-ready-on-delete", counts));
  if (comparesUpdated(status)) {
    const updated = numberAt(status, "updatedReplicas") ?? 0;
    const target = wanted - heldBack(spec);
    if (updated < target) return progressing("RolloutInProgress", words("workload/pods-updated", { count: updated, wanted: target }));
  } else {
    const current = numberAt(status, "currentReplicas") ?? 0;
    if (current < wanted) return progressing("RolloutInProgress", words("stateful-set/current-revision", { count: current, wanted }));
  }
  return healthy("Ready", wanted === 0 ? words("workload/scaled-to-zero") : words("workload/pods-ready", counts));
}

/** How many pods the partition holds back: those with ordinals below it, which begin at `ordinals.start`. */
function heldBack(spec: Fields): number {
  const partition = numberAt(fieldsAt(fieldsAt(spec, "updateStrategy"), "rollingUpdate"), "partition") ?? 0;
  return Math.max(0, partition - (numberAt(fieldsAt(spec, "ordinals"), "start") ?? 0));
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
