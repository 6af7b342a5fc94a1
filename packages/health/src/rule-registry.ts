import { customResourceHealth } from "./generic/custom-resource.ts";
import { apiServiceHealth } from "./rules/api-service.ts";
import { cronJobHealth } from "./rules/cron-job.ts";
import { customResourceDefinitionHealth } from "./rules/custom-resource-definition.ts";
import { daemonSetHealth } from "./rules/daemon-set.ts";
import { deploymentHealth } from "./rules/deployment.ts";
import { horizontalPodAutoscalerHealth } from "./rules/horizontal-pod-autoscaler.ts";
import { ingressHealth } from "./rules/ingress.ts";
import { jobHealth } from "./rules/job.ts";
import { namespaceHealth } from "./rules/namespace.ts";
import { nodeHealth } from "./rules/node.ts";
import { persistentVolumeHealth } from "./rules/persistent-volume.ts";
import { persistentVolumeClaimHealth } from "./rules/persistent-volume-claim.ts";
import { podDisruptionBudgetHealth } from "./rules/pod-disruption-budget.ts";
import { podHealth } from "./rules/pod.ts";
import { replicaSetHealth } from "./rules/replica-set.ts";
import { serviceHealth } from "./rules/service.ts";
import { statefulSetHealth } from "./rules/stateful-set.ts";
import { workflowHealth } from "./rules/workflow.ts";
import type { HealthRule } from "./verdict.ts";

/** A rule, and who looks at the generation: the caller before it, or the rule at a moment of its own. */
export interface RegisteredRule {
  /** Name of the rule, stable: cases refer to it. */
  readonly id: string;
  readonly rule: HealthRule;
  readonly generation: "before" | "own";
}

const RULES: ReadonlyMap<string, RegisteredRule> = new Map(
  Object.entries({
    "apps/Deployment": own("deployment", deploymentHealth),
    "extensions/Deployment": own("deployment", deploymentHealth),
    "apps/ReplicaSet": own("replica-set", replicaSetHealth),
    "extensions/ReplicaSet": own("replica-set", replicaSetHealth),
    "/ReplicationController": own("replica-set", replicaSetHealth),
    "apps/StatefulSet": own("stateful-set", statefulSetHealth),
    "apps/DaemonSet": own("daemon-set", daemonSetHealth),
    "extensions/DaemonSet": own("daemon-set", daemonSetHealth),
    "/Pod": own("pod", podHealth),
    "batch/Job": before("job", jobHealth),
    "batch/CronJob": before("cron-job", cronJobHealth),
    "/Service": before("service", serviceHealth),
    "networking.k8s.io/Ingress": before("ingress", ingressHealth),
    "extensions/Ingress": before("ingress", ingressHealth),
    "/PersistentVolumeClaim": before("persistent-volume-claim", persistentVolumeClaimHealth),
    "/PersistentVolume": before("persistent-volume", persistentVolumeHealth),
    "autoscaling/HorizontalPodAutoscaler": before("horizontal-pod-autoscaler", horizontalPodAutoscalerHealth),
    "apiregistration.k8s.io/APIService": before("api-service", apiServiceHealth),
    "argoproj.io/Workflow": before("workflow", workflowHealth),
    "policy/PodDisruptionBudget": before("pod-disruption-budget", podDisruptionBudgetHealth),
    "apiextensions.k8s.io/CustomResourceDefinition": before("custom-resource-definition", customResourceDefinitionHealth),
    "/Node": before("node", nodeHealth),
    "/Namespace": before("namespace", namespaceHealth),
  }),
);

const GENERIC = own("custom-resource", customResourceHealth);

/** Groups that Kubernetes itself serves; their kinds without a rule have no health of their own. */
const KUBERNETES_GROUPS: ReadonlySet<string> = new Set([
  "",
  "apps",
  "autoscaling",
  "batch",
  "extensions",
  "policy",
  "admission.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "custom.metrics.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "external.metrics.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "internal.apiserver.k8s.io",
  "meta.k8s.io",
  "metrics.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
  "storagemigration.k8s.io",
]);

/** The rule for a kind: its own, the generic one for custom resources, or none. */
export function ruleOf(group: string, kind: string): RegisteredRule | undefined {
  return RULES.get(`${group}/${kind}`) ?? (isCustomGroup(group) ? GENERIC : undefined);
}

/** Whether a kind has a health rule of its own; custom kinds, which share the generic one, do not, but for Argo's Workflow. */
export function hasHealthRule(group: string, kind: string): boolean {
  return RULES.has(`${group}/${kind}`);
}

/** Whether kinds of this API group are custom, that is not served by Kubernetes itself. */
export function isCustomGroup(group: string): boolean {
  return !KUBERNETES_GROUPS.has(group);
}

/** Kinds with a rule of their own, as `group/Kind`, sorted. */
export function ruledKinds(): string[] {
  return [...RULES.keys()].sort();
}

/** Ids of all rules, sorted. */
export function ruleIds(): string[] {
  return [...new Set([...RULES.values(), GENERIC].map(({ id }) => id))].sort();
}

function own(id: string, rule: HealthRule): RegisteredRule {
  return { id, rule, generation: "own" };
}

function before(id: string, rule: HealthRule): RegisteredRule {
  return { id, rule, generation: "before" };
}
