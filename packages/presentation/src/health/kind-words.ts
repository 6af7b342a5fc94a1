/** Name of the icon of a kind, or of a part of one. */
export type KindIcon =
  | "cm"
  | "cron"
  | "deploy"
  | "ds"
  | "eps"
  | "hpa"
  | "ing"
  | "job"
  | "node"
  | "person"
  | "po"
  | "pvc"
  | "rs"
  | "secret"
  | "shield"
  | "sts"
  | "svc"
  | "custom"
  | "container"
  | "event";

interface KindWords {
  readonly short: string;
  readonly icon: KindIcon;
}

const KINDS: Readonly<Record<string, KindWords>> = {
  Pod: { short: "po", icon: "po" },
  ReplicaSet: { short: "rs", icon: "rs" },
  ReplicationController: { short: "rc", icon: "rs" },
  Deployment: { short: "deploy", icon: "deploy" },
  StatefulSet: { short: "sts", icon: "sts" },
  DaemonSet: { short: "ds", icon: "ds" },
  Job: { short: "job", icon: "job" },
  CronJob: { short: "cron", icon: "cron" },
  Service: { short: "svc", icon: "svc" },
  EndpointSlice: { short: "eps", icon: "eps" },
  Ingress: { short: "ing", icon: "ing" },
  Gateway: { short: "gw", icon: "ing" },
  HTTPRoute: { short: "route", icon: "ing" },
  ConfigMap: { short: "cm", icon: "cm" },
  Secret: { short: "secret", icon: "secret" },
  PersistentVolumeClaim: { short: "pvc", icon: "pvc" },
  PersistentVolume: { short: "pv", icon: "pvc" },
  Node: { short: "node", icon: "node" },
  HorizontalPodAutoscaler: { short: "hpa", icon: "hpa" },
  PodDisruptionBudget: { short: "pdb", icon: "shield" },
  NetworkPolicy: { short: "netpol", icon: "shield" },
  ServiceAccount: { short: "sa", icon: "person" },
  Role: { short: "role", icon: "shield" },
  RoleBinding: { short: "rb", icon: "shield" },
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
  const known = wordsOf(kind)?.short;
  if (known !== undefined) return known;
  const capitals = kind.replaceAll(/[^A-Z]/g, "").toLowerCase();
  const lower = kind.toLowerCase();
  return lower.length <= 7 ? lower : capitals.length >= 2 ? capitals : lower.slice(0, 7);
}

/** Icon of a kind; a diamond for custom ones. */
export function iconOfKind(kind: string): KindIcon {
  return wordsOf(kind)?.icon ?? "custom";
}

/** A kind may be called "toString", and every record has that. */
function wordsOf(kind: string): KindWords | undefined {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
}
