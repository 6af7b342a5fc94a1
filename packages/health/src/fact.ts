import { isFields, type KubeObject, numberAt, fieldsAt, type Fields, textAt } from "@binnacle/kube";
import { type Words, words } from "@binnacle/words";

import { wordAt } from "./bounded-text.ts";
import { boundedWords } from "./bounded-words.ts";
import { conditionOf, conditionsOf } from "./condition.ts";
import { named } from "./facts/named.ts";
import { endpointSliceFact, ingressFact, networkPolicyFact, serviceFact } from "./facts/network-facts.ts";
import { autoscalerFact, budgetFact, cronJobFact, jobFact, podFact, workloadFact } from "./facts/workload-facts.ts";
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

/** For any other kind: "2/3 ready", "Ready", "not ready · InvalidCredentials", or the phase. */
function conditionFact(input: RuleInput): Words | undefined {
  const wanted = numberAt(input.spec, "replicas");
  const replicas = numberAt(input.status, "readyReplicas");
  if (wanted !== undefined && replicas !== undefined) return words("fact/ready", { count: `${replicas}/${wanted}` });
  const ready = conditionOf(conditionsOf(input.status), "Ready");
  if (ready?.status === "true") return words("fact/is-ready");
  if (ready !== undefined) return words("fact/not-ready", { why: ready.reason });
  return named(phaseOf(input.status));
}

/** The one word by which a custom resource names its state: `status.phase`, `state` or `health`; empty when there is none. */
function phaseOf(status: Fields): string {
  for (const field of ["phase", "state", "health"]) {
    const word = wordAt(status, field);
    if (word !== "") return word;
    const nested = fieldsAt(status, field);
    const inner = wordAt(nested, "status") || wordAt(nested, "state") || wordAt(nested, "phase");
    if (inner !== "") return inner;
  }
  return "";
}

/** "3 keys". A Secret that was read as metadata only has no keys to count, and then there is no fact. */
function keysFact(input: RuleInput): Words | undefined {
  const parts = ["data", "binaryData"].map((field) => input.object[field]).filter(isFields);
  if (parts.length === 0 && input.kind === "Secret") return named(textAt(input.object, "type"));
  return words("fact/keys", { count: parts.reduce((sum, part) => sum + Object.keys(part).length, 0) });
}

/** "10Gi · Bound". */
function volumeFact(input: RuleInput): Words | undefined {
  const capacity = textAt(fieldsAt(input.status, "capacity"), "storage") || textAt(fieldsAt(input.spec, "capacity"), "storage");
  const requested = textAt(fieldsAt(fieldsAt(input.spec, "resources"), "requests"), "storage");
  const [size, phase] = [capacity || requested, textAt(input.status, "phase")];
  return size === "" ? named(phase) : words("fact/volume", { size, phase });
}
