import { stringify } from "yaml";

/** A Role with what reading logs in a namespace needs; for all namespaces, which are an empty one here, a ClusterRole. */
export function logRoleYaml(namespace: string): string {
  return stringify({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: namespace === "" ? "ClusterRole" : "Role",
    metadata: { name: "binnacle-read-logs", ...(namespace === "" ? {} : { namespace }) },
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
      { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
    ],
  });
}
