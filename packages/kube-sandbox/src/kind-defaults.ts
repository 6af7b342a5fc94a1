import { childOf, defaultPodSpec, fill } from "./pod-defaults.ts";
import { isTree, listIn, textIn, treeIn, type Tree } from "./json-tree.ts";

type Defaulting = (object: Tree) => void;

/** Fills what the API server fills in for built-in kinds, in place. `storage` is `group/plural`. */
export function applyDefaults(storage: string, object: Tree): void {
  DEFAULTS[storage]?.(object);
}

/** What a pod (not a template) limits and does not request, it requests. */
function defaultRequests(container: Tree): void {
  const limits = treeIn(container, "resources", "limits");
  if (Object.keys(limits).length > 0) fill(childOf(childOf(container, "resources"), "requests"), limits);
}

const DEFAULTS: Readonly<Record<string, Defaulting>> = {
  "/pods": (object) => {
    const spec = childOf(object, "spec");
    defaultPodSpec(spec);
    fill(spec, { enableServiceLinks: true });
    for (const field of ["containers", "initContainers"]) for (const one of listIn(spec, field)) if (isTree(one)) defaultRequests(one);
  },
  "/services": defaultService,
  "/namespaces": (object) => fill(childOf(object, "spec"), { finalizers: ["kubernetes"] }),
  "/secrets": (object) => {
    fill(object, { type: "Opaque" });
    const plain = object["stringData"];
    if (!isTree(plain)) return;
    const data = childOf(object, "data");
    for (const [key, value] of Object.entries(plain)) data[key] = Buffer.from(String(value)).toString("base64");
    delete object["stringData"];
  },
  "/persistentvolumeclaims": (object) => fill(childOf(object, "spec"), { volumeMode: "Filesystem" }),
  "/persistentvolumes": (object) => fill(childOf(object, "spec"), { volumeMode: "Filesystem", persistentVolumeReclaimPolicy: "Retain" }),
  "apps/deployments": (object) => {
    const spec = childOf(object, "spec");
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {} });
    const strategy = childOf(spec, "strategy");
    fill(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") fill(childOf(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" });
    defaultTemplate(spec);
  },
  "apps/replicasets": (object) => {
    const spec = childOf(object, "spec");
    fill(spec, { replicas: 1 });
    defaultTemplate(spec);
  },
  "apps/statefulsets": (object) => {
    const spec = childOf(object, "spec");
    fill(spec, { replicas: 1, podManagementPolicy: "OrderedReady", revisionHistoryLimit: 10, updateStrategy: {} });
    const strategy = childOf(spec, "updateStrategy");
    fill(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") fill(childOf(strategy, "rollingUpdate"), { partition: 0 });
    fill(spec, { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" } });
    for (const claim of listIn(spec, "volumeClaimTemplates")) {
      if (!isTree(claim)) continue;
      fill(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim", status: { phase: "Pending" } });
      fill(childOf(claim, "spec"), { volumeMode: "Filesystem" });
    }
    defaultTemplate(spec);
  },
  "apps/daemonsets": (object) => {
    const spec = childOf(object, "spec");
    fill(spec, { revisionHistoryLimit: 10, updateStrategy: {} });
    const strategy = childOf(spec, "updateStrategy");
    fill(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") fill(childOf(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
    defaultTemplate(spec);
  },
  "batch/jobs": (object) => defaultJobSpec(childOf(object, "spec")),
  "batch/cronjobs": (object) => {
    const spec = childOf(object, "spec");
    fill(spec, { concurrencyPolicy: "Allow", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    defaultTemplate(treeIn(spec, "jobTemplate", "spec"));
  },
  "autoscaling/horizontalpodautoscalers": (object) => {
    const spec = childOf(object, "spec");
    const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } };
    fill(spec, { minReplicas: 1, metrics: [cpu] });
  },
  "networking.k8s.io/networkpolicies": (object) => {
    const spec = childOf(object, "spec");
    fill(spec, { policyTypes: spec["egress"] === undefined ? ["Ingress"] : ["Ingress", "Egress"] });
  },
  "storage.k8s.io/storageclasses": (object) => fill(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  "rbac.authorization.k8s.io/rolebindings": defaultBinding,
  "rbac.authorization.k8s.io/clusterrolebindings": defaultBinding,
  "rbac.authorization.k8s.io/roles": (object) => fill(object, { rules: [] }),
  "rbac.authorization.k8s.io/clusterroles": (object) => fill(object, { rules: [] }),
};

function defaultTemplate(spec: Tree): void {
  const template = spec["template"];
  if (!isTree(template)) return;
  const podSpec = template["spec"];
  if (isTree(podSpec)) defaultPodSpec(podSpec);
}

function defaultJobSpec(spec: Tree): void {
  if (spec["completions"] === undefined && spec["parallelism"] === undefined) spec["completions"] = 1;
  fill(spec, {
    parallelism: 1,
    backoffLimit: 6,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: "TerminatingOrFailed",
  });
  defaultTemplate(spec);
}

function defaultService(object: Tree): void {
  const spec = childOf(object, "spec");
  fill(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec["type"] !== "ExternalName")
    fill(spec, { internalTrafficPolicy: "Cluster", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
  if (spec["type"] === "NodePort" || spec["type"] === "LoadBalancer") fill(spec, { externalTrafficPolicy: "Cluster" });
  if (spec["type"] === "LoadBalancer") fill(spec, { allocateLoadBalancerNodePorts: true });
  for (const port of listIn(spec, "ports")) {
    if (isTree(port)) fill(port, { protocol: "TCP", targetPort: port["port"] });
  }
}

function defaultBinding(object: Tree): void {
  const reference = childOf(object, "roleRef");
  fill(reference, { apiGroup: "rbac.authorization.k8s.io" });
  for (const subject of listIn(object, "subjects")) {
    if (isTree(subject) && textIn(subject, "kind") !== "ServiceAccount") fill(subject, { apiGroup: "rbac.authorization.k8s.io" });
  }
}
