import { fieldsAt, type Fields } from "@binnacle/kube";
import type { Facts } from "@binnacle/words";

import { certificateRoot } from "../../certificate/certificate-notices.ts";
import { conditionOf, conditionsOf } from "../../condition.ts";
import { isKind, isOwnedBy } from "../../relatives.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import { autoscalerRoot, budgetRoot } from "./autoscaler-root.ts";
import { cronJobRoot, jobRoot } from "./job-root.ts";
import { endpointsRoot, ingressRoot, serviceRoot } from "./network-root.ts";
import { lifecycleRoot } from "./lifecycle-root.ts";
import { nodeRoot } from "./node-root.ts";
import { podRoot } from "./pod-root.ts";
import { resourceRoot } from "./resource-root.ts";
import type { Root, Subject } from "../root.ts";
import { claimRoot, volumeObjectRoot } from "./storage-root.ts";
import { workloadRoot } from "./workload-root.ts";
import type { Explainer, World } from "../world.ts";

const EXPLAINERS: ReadonlyMap<string, Explainer> = new Map<string, Explainer>(
  Object.entries({
    "/Pod": podRoot,
    "apps/Deployment": workloadRoot,
    "apps/ReplicaSet": workloadRoot,
    "apps/StatefulSet": workloadRoot,
    "apps/DaemonSet": workloadRoot,
    "extensions/Deployment": workloadRoot,
    "extensions/ReplicaSet": workloadRoot,
    "extensions/DaemonSet": workloadRoot,
    "/ReplicationController": workloadRoot,
    "batch/Job": jobRoot,
    "batch/CronJob": cronJobRoot,
    "/Service": serviceOrEndpoints,
    "networking.k8s.io/Ingress": ingressRoot,
    "extensions/Ingress": ingressRoot,
    "/PersistentVolumeClaim": claimRoot,
    "/PersistentVolume": volumeObjectRoot,
    "/Node": nodeRoot,
    "autoscaling/HorizontalPodAutoscaler": autoscalerRoot,
    "policy/PodDisruptionBudget": budgetRoot,
  }),
);

const DEADLINE = "ProgressDeadlineExceeded";

/** Explanations that replace those whose next step is to wait, by their rows. */
const INSTEAD: ReadonlyMap<string, (facts: Facts) => Explanation> = new Map(
  Object.entries({
    "start/starting": (facts: Facts) => explanationOf("start", "stuck", facts),
    "rollout/progress": (facts: Facts) => explanationOf("rollout", "stuck", facts),
    "lifecycle/terminating": (facts: Facts) => explanationOf("lifecycle", "overdue", facts),
    "autoscaling/waiting": (facts: Facts) => explanationOf("autoscaling", "silent", facts),
  }),
);

/** The root reason below an object that is not well. */
export function rootOf(subject: Subject, world: World): Root {
  const { group, kind } = subject.input;
  const explain = EXPLAINERS.get(`${group}/${kind}`) ?? resourceRoot;
  const late = isLate(subject, world);
  const here = late ? { ...world, late } : world;
  const root = lifecycleRoot(subject, here) ?? certificateRoot(subject) ?? explain(subject, here) ?? resourceRoot(subject, here);
  return late ? withoutWaiting(root) : root;
}

/** A healthy Service in a chain stands for its endpoints; one that waits for an address, or serves no client, is not well itself. */
function serviceOrEndpoints(subject: Subject, world: World): Root | null {
  return subject.status === "Healthy" ? endpointsRoot(subject, world) : serviceRoot(subject, world);
}

/**
 * Whether time alone no longer helps: it has taken longer than it should, or a rollout that it is a part of has passed its deadline. What
 * lies below something that is late is late, too.
 */
function isLate(subject: Subject, world: World): boolean {
  return world.late === true || subject.stale || rolloutsOf(subject, world).some(isPastDeadline);
}

/** The root without a next step to wait. */
function withoutWaiting(root: Root): Root {
  const { id, reason, message, nextStep } = root.explanation;
  const instead = INSTEAD.get(id);
  return instead === undefined ? root : { ...root, explanation: instead({ ...message.facts, ...nextStep.facts, reason }) };
}

function isPastDeadline(deployment: Fields): boolean {
  return conditionOf(conditionsOf(fieldsAt(deployment, "status")), "Progressing")?.reason === DEADLINE;
}

/** The Deployments whose rollout an object is, or is a part of. */
function rolloutsOf({ input }: Subject, world: World): Fields[] {
  if (isKind(input.object, "apps", "Deployment")) return [input.object];
  if (!isKind(input.object, "", "Pod") && !isKind(input.object, "apps", "ReplicaSet")) return [];
  const related = world.related ?? [];
  const makers = [input.object, ...related.filter((each) => isKind(each, "apps", "ReplicaSet") && isOwnedBy(input.object, each))];
  return related.filter((each) => isKind(each, "apps", "Deployment") && makers.some((maker) => isOwnedBy(maker, each)));
}
