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

/** Whether kinds of this API group are custom, that is not served by Kubernetes itself. */
export function isCustomGroup(group: string): boolean {
  return !KUBERNETES_GROUPS.has(group);
}
