import { fieldsAt, numberAt, textAt, type Fields } from "@binnacle/kube";

import { minReadyOf } from "../../min-ready.ts";
import { isKind, isOwnedBy, ownedOf } from "../../relatives.ts";
import { podsOfDaemonUpdate } from "../../rules/daemon-set.ts";
import { newestReplicaSet, podsOfNewest } from "../../rules/deployment.ts";
import { podsOfReplicaSet } from "../../rules/replica-set.ts";
import { podsOfStatefulUpdate } from "../../rules/stateful-set.ts";
import type { RuleInput } from "../../verdict.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { explanationOf } from "../explanation.ts";
import type { World } from "../world.ts";
import { creationRoot } from "./creation-root.ts";
import { missingOfPodSpec, missingRoot } from "./reference-root.ts";
import { worstOfObjects } from "./worst-of.ts";

/** Why a Deployment, ReplicaSet, StatefulSet or DaemonSet is not well: its pods, or why it gets none. */
export function workloadRoot(subject: Subject, world: World): Root {
  const { input } = subject;
  const makers = makersOf(input);
  const pods = podsOf(input);
  const refused = subject.reason === "FailedCreate" || /quota|denied|forbidden/i.test(subject.reason);
  return (
    (refused ? creationRoot(subject, makers, world) : null) ??
    followWorst(pods, "Degraded", world) ??
    (lacksPods(input) ? creationRoot(subject, makers, world) : null) ??
    missingTemplate(subject, world) ??
    followWorst(pods, "Progressing", world) ??
    followLeaving(subject, world) ??
    ownRoot(explainRollout(subject))
  );
}

function followWorst(pods: readonly Fields[], least: "Progressing" | "Degraded", world: World): Root | null {
  const worst = worstOfObjects(pods, least, world);
  return worst === undefined ? null : world.follow(worst, world);
}

/** Old pods that do not go hold a rollout or a scale-down up. */
function followLeaving(subject: Subject, world: World): Root | null {
  if (subject.reason !== "OldReplicas" && subject.reason !== "ScalingDown") return null;
  const leaving = allPodsOf(subject.input).find((pod) => textAt(fieldsAt(pod, "metadata"), "deletionTimestamp") !== "");
  return leaving === undefined ? null : world.follow(leaving, world);
}

function missingTemplate(subject: Subject, world: World): Root | null {
  const missing = missingOfPodSpec(subject, world);
  return missing === undefined ? null : missingRoot(missing, subject);
}

function explainRollout({ input, ref, reason, message, status }: Subject) {
  const facts = { kind: ref.kind, name: ref.name, reason, said: message };
  if (reason === "ProgressDeadlineExceeded") return explanationOf("rollout", "deadline", facts);
  const waits = reason === "Unavailable" ? minReadyOf(input, podsOf(input)) : undefined;
  if (waits !== undefined) return explanationOf("rollout", "min-ready", { ...facts, seconds: waits.seconds, time: waits.time });
  return explanationOf("rollout", status === "Progressing" ? "progress" : "unwell", facts);
}

/** What makes the pods, when that is not the workload itself. */
function makersOf(input: RuleInput): Fields[] {
  if (input.kind !== "Deployment") return [];
  const newest = newestReplicaSet(ownedOf(input, "apps", "ReplicaSet"), input);
  return newest === undefined ? [] : [newest];
}

/** Pods that decide how the workload is: those of its newest template; all of them when none of those is known. */
function podsOf(input: RuleInput): Fields[] {
  const pods = newestPodsOf(input);
  return pods.length > 0 ? pods : allPodsOf(input);
}

function newestPodsOf(input: RuleInput): Fields[] {
  switch (input.kind) {
    case "Deployment":
      return podsOfNewest(input);
    case "StatefulSet":
      return podsOfStatefulUpdate(input);
    case "DaemonSet":
      return podsOfDaemonUpdate(input);
    default:
      return podsOfReplicaSet(input);
  }
}

function allPodsOf(input: RuleInput): Fields[] {
  const owners = [input.object, ...ownedOf(input, "apps", "ReplicaSet")];
  return (input.related ?? []).filter((object) => isKind(object, "", "Pod") && owners.some((owner) => isOwnedBy(object, owner)));
}

/** Whether there are fewer pods than wanted, so that a refusal to create one is news and not history. */
function lacksPods({ kind, spec, status }: RuleInput): boolean {
  const [wanted, there] =
    kind === "DaemonSet"
      ? [numberAt(status, "desiredNumberScheduled") ?? 1, numberAt(status, "currentNumberScheduled") ?? 0]
      : [numberAt(spec, "replicas") ?? 1, numberAt(status, kind === "Deployment" ? "updatedReplicas" : "replicas") ?? 0];
  return there < wanted;
}
