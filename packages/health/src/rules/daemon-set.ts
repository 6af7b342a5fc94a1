import { fieldsAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { throughPods } from "../failing-pods.ts";
import { staleGeneration } from "../generation.ts";
import { unavailable } from "../min-ready.ts";
import { ownedOf } from "../relatives.ts";
import { healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** DaemonSet: one pod per node that matches; a failing pod of the newest template speaks for it. */
export const rule: KindRule = { kinds: ["apps/DaemonSet", "extensions/DaemonSet"], generation: "own", judge: daemonSetHealth };

function daemonSetHealth(input: RuleInput): Verdict {
  const stale = staleGeneration(input, "zero");
  if (stale !== null) return stale;
  const own = ownVerdict(input);
  return own.status === "Progressing" ? throughPods(own, podsOfDaemonUpdate(input), input) : own;
}

function ownVerdict(input: RuleInput): Verdict {
  const { spec, status } = input;
  const desired = numberAt(status, "desiredNumberScheduled");
  if (desired === undefined) return progressing("NotScheduled", words("daemon-set/not-scheduled"));
  if (desired === 0) return healthy("NoNodes", words("daemon-set/no-nodes"));
  const onDelete = textAt(fieldsAt(spec, "updateStrategy"), "type") === "OnDelete";
  // Data from before the field existed has no updatedNumberScheduled; then nothing was updated yet.
  const updated = numberAt(status, "updatedNumberScheduled") ?? 0;
  const available = numberAt(status, "numberAvailable") ?? 0;
  const ready = numberAt(status, "numberReady") ?? 0;
  if (!onDelete && updated < desired)
    return progressing("RolloutInProgress", words("workload/pods-updated", { count: updated, wanted: desired }));
  if (available < desired)
    return unavailable(input, podsOfDaemonUpdate(input), {
      message: words("workload/pods-available", { count: available, wanted: desired }),
    });
  if (ready < desired) return progressing("NotReady", words("workload/pods-ready", { count: ready, wanted: desired }));
  return healthy("Ready", words(onDelete ? "workload/pods-ready-on-delete" : "workload/pods-ready", { count: ready, wanted: desired }));
}

/** Pods of the newest template, recognized by their generation label where it exists. */
export function podsOfDaemonUpdate(input: RuleInput): Fields[] {
  const generation = fieldsAt(input.metadata, "annotations")["deprecated.daemonset.template.generation"];
  const pods = ownedOf(input, "", "Pod");
  if (typeof generation !== "string") return pods;
  return pods.filter((pod) => {
    const label = fieldsAt(fieldsAt(pod, "metadata"), "labels")["pod-template-generation"];
    return label === undefined || label === generation;
  });
}
