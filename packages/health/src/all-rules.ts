// Written by scripts/rules/main.ts ("npm run gen") from the files of rules/, each of which exports one `rule`.
import { rule as apiService } from "./rules/api-service.ts";
import { rule as cronJob } from "./rules/cron-job.ts";
import { rule as customResourceDefinition } from "./rules/custom-resource-definition.ts";
import { rule as daemonSet } from "./rules/daemon-set.ts";
import { rule as deployment } from "./rules/deployment.ts";
import { rule as horizontalPodAutoscaler } from "./rules/horizontal-pod-autoscaler.ts";
import { rule as ingress } from "./rules/ingress.ts";
import { rule as job } from "./rules/job.ts";
import { rule as namespace } from "./rules/namespace.ts";
import { rule as node } from "./rules/node.ts";
import { rule as persistentVolume } from "./rules/persistent-volume.ts";
import { rule as persistentVolumeClaim } from "./rules/persistent-volume-claim.ts";
import { rule as pod } from "./rules/pod.ts";
import { rule as podDisruptionBudget } from "./rules/pod-disruption-budget.ts";
import { rule as replicaSet } from "./rules/replica-set.ts";
import { rule as service } from "./rules/service.ts";
import { rule as statefulSet } from "./rules/stateful-set.ts";
import { rule as workflow } from "./rules/workflow.ts";
import type { KindRule } from "./verdict.ts";

/** All rules of built-in kinds with their ids, the names of their files. */
export const ALL_RULES: readonly (readonly [id: string, rule: KindRule])[] = [
  ["api-service", apiService],
  ["cron-job", cronJob],
  ["custom-resource-definition", customResourceDefinition],
  ["daemon-set", daemonSet],
  ["deployment", deployment],
  ["horizontal-pod-autoscaler", horizontalPodAutoscaler],
  ["ingress", ingress],
  ["job", job],
  ["namespace", namespace],
  ["node", node],
  ["persistent-volume", persistentVolume],
  ["persistent-volume-claim", persistentVolumeClaim],
  ["pod", pod],
  ["pod-disruption-budget", podDisruptionBudget],
  ["replica-set", replicaSet],
  ["service", service],
  ["stateful-set", statefulSet],
  ["workflow", workflow],
];
