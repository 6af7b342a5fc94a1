import { certificateRoot } from "../../certificate/certificate-notices.ts";
import { autoscalerRoot } from "./autoscaler-root.ts";
import { budgetRoot } from "./budget-root.ts";
import { cronJobRoot, jobRoot } from "./job-root.ts";
import { endpointsRoot } from "./backend-root.ts";
import { lifecycleRoot } from "./lifecycle-root.ts";
import { ingressRoot, serviceRoot } from "./network-root.ts";
import { nodeRoot } from "./node-root.ts";
import { podRoot } from "./pod-root.ts";
import { resourceRoot } from "./resource-root.ts";
import { isLate, withoutWaiting } from "../lateness.ts";
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

/** The root reason below an object that is not well. */
export function rootOf(subject: Subject, world: World): Root {
  const { group, kind } = subject.input;
  const explain = EXPLAINERS.get(`${group}/${kind}`) ?? resourceRoot;
  const late = isLate(subject, world);
  const here = late ? { ...world, late } : world;
  const root = lifecycleRoot(subject, here) ?? certificateRoot(subject) ?? explain(subject, here) ?? resourceRoot(subject, here);
  return late ? withoutWaiting(root) : root;
}

/** A Service on the way down is there for its endpoints; one that waits for an address, or serves nobody, is not well itself. */
function serviceOrEndpoints(subject: Subject, world: World): Root | null {
  return subject.status === "Healthy" ? endpointsRoot(subject, world) : serviceRoot(subject, world);
}
