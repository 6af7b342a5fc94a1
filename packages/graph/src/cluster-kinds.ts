/** Kinds of Kubernetes without a namespace, as owners and targets of references name them. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  "/Node",
  "/Namespace",
  "/PersistentVolume",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/VolumeAttachment",
  "networking.k8s.io/IngressClass",
  "gateway.networking.k8s.io/GatewayClass",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "apiregistration.k8s.io/APIService",
  "scheduling.k8s.io/PriorityClass",
  "node.k8s.io/RuntimeClass",
  "cert-manager.io/ClusterIssuer",
]);

/** Namespace that an object of the kind has when an object in `namespace` names it: none for cluster-scoped kinds. */
export function namespaceFor(group: string, kind: string, namespace: string): string {
  return CLUSTER_KINDS.has(`${group}/${kind}`) ? "" : namespace;
}
