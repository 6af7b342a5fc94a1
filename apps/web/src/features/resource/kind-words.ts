import type { IconName } from "../../ui/icon.tsx";

interface KindWords {
  readonly short: string;
  readonly icon: IconName;
  readonly plural: string;
}

const KINDS: Readonly<Record<string, KindWords>> = {
  Pod: { short: "po", icon: "po", plural: "pods" },
  ReplicaSet: { short: "rs", icon: "rs", plural: "ReplicaSets" },
  ReplicationController: { short: "rc", icon: "rs", plural: "ReplicationControllers" },
  Deployment: { short: "deploy", icon: "deploy", plural: "Deployments" },
  StatefulSet: { short: "sts", icon: "sts", plural: "StatefulSets" },
  DaemonSet: { short: "ds", icon: "ds", plural: "DaemonSets" },
  Job: { short: "job", icon: "job", plural: "Jobs" },
  CronJob: { short: "cron", icon: "cron", plural: "CronJobs" },
  Service: { short: "svc", icon: "svc", plural: "Services" },
  EndpointSlice: { short: "eps", icon: "eps", plural: "EndpointSlices" },
  Ingress: { short: "ing", icon: "ing", plural: "Ingresses" },
  Gateway: { short: "gw", icon: "ing", plural: "Gateways" },
  HTTPRoute: { short: "route", icon: "ing", plural: "HTTPRoutes" },
  ConfigMap: { short: "cm", icon: "cm", plural: "ConfigMaps" },
  Secret: { short: "secret", icon: "secret", plural: "Secrets" },
  PersistentVolumeClaim: { short: "pvc", icon: "pvc", plural: "volumes" },
  PersistentVolume: { short: "pv", icon: "pvc", plural: "PersistentVolumes" },
  HorizontalPodAutoscaler: { short: "hpa", icon: "hpa", plural: "HorizontalPodAutoscalers" },
  PodDisruptionBudget: { short: "pdb", icon: "shield", plural: "PodDisruptionBudgets" },
  NetworkPolicy: { short: "netpol", icon: "shield", plural: "NetworkPolicies" },
  ServiceAccount: { short: "sa", icon: "person", plural: "ServiceAccounts" },
  Role: { short: "role", icon: "shield", plural: "Roles" },
  RoleBinding: { short: "rb", icon: "shield", plural: "RoleBindings" },
};

/** Kinds that run something; their replicas and health make the summary. */
export const WORKLOAD_KINDS: ReadonlySet<string> = new Set([
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicationController",
  "CronJob",
  "Job",
]);

/** Short name on a card: "deploy", "po"; at most seven letters for kinds we do not know. */
export function shortKind(kind: string): string {
  const known = KINDS[kind]?.short;
  if (known !== undefined) return known;
  const capitals = kind.replaceAll(/[^A-Z]/g, "").toLowerCase();
  const lower = kind.toLowerCase();
  return lower.length <= 7 ? lower : capitals.length >= 2 ? capitals : lower.slice(0, 7);
}

/** Icon of a kind; a diamond for custom ones. */
export function iconOfKind(kind: string): IconName {
  return KINDS[kind]?.icon ?? "custom";
}

/** What several of a kind are called where they are folded: "48 pods", "9 old revisions". */
export function pluralOfKind(kind: string, superseded = false): string {
  if (superseded) return kind === "ReplicaSet" ? "old revisions" : `finished ${pluralOfKind(kind)}`;
  return KINDS[kind]?.plural ?? (kind.endsWith("s") ? `${kind}es` : `${kind}s`);
}
