import { isFields, type KubeObject } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import { boundedWords } from "./bounded-words.ts";
import { endpointSliceFact, ingressFact, networkPolicyFact, serviceFact } from "./facts/network-facts.ts";
import { keysFact, volumeFact } from "./facts/storage-facts.ts";
import { autoscalerFact, budgetFact, cronJobFact, jobFact, podFact, workloadFact } from "./facts/workload-facts.ts";
import { conditionFact } from "./facts/condition-fact.ts";
import { ruleInputOf } from "./rule-input.ts";
import type { RuleInput } from "./verdict.ts";

type Fact = (input: RuleInput) => Words | undefined;

const FACTS: ReadonlyMap<string, Fact> = new Map(
  Object.entries({
    "/Pod": podFact,
    "apps/Deployment": workloadFact,
    "apps/ReplicaSet": workloadFact,
    "apps/StatefulSet": workloadFact,
    "apps/DaemonSet": workloadFact,
    "/ReplicationController": workloadFact,
    "batch/Job": jobFact,
    "batch/CronJob": cronJobFact,
    "/Service": serviceFact,
    "discovery.k8s.io/EndpointSlice": endpointSliceFact,
    "networking.k8s.io/Ingress": ingressFact,
    "networking.k8s.io/NetworkPolicy": networkPolicyFact,
    "/ConfigMap": keysFact,
    "/Secret": keysFact,
    "/PersistentVolumeClaim": volumeFact,
    "/PersistentVolume": volumeFact,
    "autoscaling/HorizontalPodAutoscaler": autoscalerFact,
    "policy/PodDisruptionBudget": budgetFact,
  }),
);

/**
 * The one decisive fact on a node card, short enough for one line: "2/3 ready · ImagePullBackOff", "ClusterIP :80 · 2/5",
 * "3 keys". Absent when there is none. Never throws.
 *
 * @param related EndpointSlices of a Service, Pods of a workload; absent = not known, and then the fact leaves them out
 */
export function factOf(resource: KubeObject, related?: readonly KubeObject[]): Words | undefined {
  const object: unknown = resource;
  if (!isFields(object)) return undefined;
  const known: unknown = related;
  try {
    const input = ruleInputOf(object, { now: undefined, related: Array.isArray(known) ? known.filter(isFields) : undefined });
    const fact = (FACTS.get(`${input.group}/${input.kind}`) ?? conditionFact)(input);
    return fact && boundedWords(fact);
  } catch {
    // A card without its second line is better than no card.
    return undefined;
  }
}
