import type { KubeObject, ResourceKind } from "@binnacle/kube";

/**
 * A minimal CustomResourceDefinition built from discovery, for the rules that ask whether a kind has a status subresource:
 * ordinary roles cannot read the real one.
 */
export function syntheticDefinition(kind: ResourceKind): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.resource}.${kind.group}` },
    spec: {
      group: kind.group,
      names: { kind: kind.kind, plural: kind.resource },
      scope: kind.namespaced ? "Namespaced" : "Cluster",
      versions: [
        { name: kind.version, served: true, storage: true, subresources: kind.subresources.includes("status") ? { status: {} } : {} },
      ],
    },
  };
}
