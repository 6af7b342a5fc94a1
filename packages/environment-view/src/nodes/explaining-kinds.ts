/** Kinds that rules look at beside the object; while one of them is not all there, what is related is not known. */
export const RELATED_KINDS: readonly string[] = ["/Pod", "apps/ReplicaSet", "batch/Job", "discovery.k8s.io/EndpointSlice"];

/** Kinds whose change may be why something that refers to them, or that they refer to, is not well. */
export const EXPLAINING: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Secret",
  "PersistentVolumeClaim",
  "Node",
  "HorizontalPodAutoscaler",
  "ServiceAccount",
]);
