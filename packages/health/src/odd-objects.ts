import fc from "fast-check";

/** Kinds with rules of their own, some without, and one custom kind; apiVersion and kind. */
export const ODD_KINDS = [
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
  ["apiregistration.k8s.io/v1", "APIService"],
  ["apps/v1", "ControllerRevision"],
  ["apps/v1", "DaemonSet"],
  ["apps/v1", "Deployment"],
  ["apps/v1", "ReplicaSet"],
  ["apps/v1", "StatefulSet"],
  ["argoproj.io/v1alpha1", "Workflow"],
  ["autoscaling/v2", "HorizontalPodAutoscaler"],
  ["batch/v1", "CronJob"],
  ["batch/v1", "Job"],
  ["discovery.k8s.io/v1", "EndpointSlice"],
  ["example.com/v1", "Widget"],
  ["gateway.networking.k8s.io/v1", "HTTPRoute"],
  ["networking.k8s.io/v1", "Ingress"],
  ["networking.k8s.io/v1", "NetworkPolicy"],
  ["policy/v1", "PodDisruptionBudget"],
  ["v1", "ConfigMap"],
  ["v1", "Event"],
  ["v1", "Namespace"],
  ["v1", "Node"],
  ["v1", "PersistentVolume"],
  ["v1", "PersistentVolumeClaim"],
  ["v1", "Pod"],
  ["v1", "Secret"],
  ["v1", "Service"],
] as const;

/**
 * Any JSON, and `undefined`, made of field names that rules read and texts that they know, so that it gets deep into them.
 *
 * @param names of fields
 */
export function oddJson(names: readonly string[], texts: readonly string[]): fc.Arbitrary<unknown> {
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom(...texts),
      fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined), fc.string()),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie("json"), { maxKeys: 6 }),
    ),
  }));
  return json;
}

/** Throws on every write, at every depth. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}
