/** A namespaced custom kind with a status subresource. */
export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** Plural name, lower case. */
  readonly plural: string;
}

/** Manifests of a CustomResourceDefinition, and of the role that lets every viewer read its objects. */
export function definitionOf({ group, kind, plural }: CustomKind): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${plural}.${group}-viewer
  labels: { rbac.authorization.k8s.io/aggregate-to-view: "true" }
rules: [{ apiGroups: [${group}], resources: [${plural}], verbs: [get, list, watch] }]
`;
}
