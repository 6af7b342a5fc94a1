import { stringify } from "yaml";

/** A rule of a Role: `resources` with subresources as "pods/log". */
export interface RoleRule {
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * A Role with the rules that a user lacks, as YAML, for a person who may create it.
 *
 * @param role `namespace` empty: all namespaces, a ClusterRole
 */
export function roleManifest(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  rules: readonly RoleRule[],
): string {
  return stringify({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: namespace === "" ? "ClusterRole" : "Role",
    metadata: { name, ...(namespace !== "" && { namespace }) },
    rules: rules.map(({ group, resources, verbs }) => ({ apiGroups: [group], resources, verbs })),
  });
}
