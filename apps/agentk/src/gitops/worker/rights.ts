import { fieldsAt } from "@binnacle/kube";

import { isOk, refusal, type ClusterApi } from "../cluster/cluster-api.ts";

/** One right that GitOps cannot do without. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
}

/** Rights for the Lease, and for the inventory of each namespace. Rights for what is applied are the API server's to tell, object by object. */
export function rightsNeeded(of: { readonly leaseNamespace: string; readonly inventoryNamespaces: readonly string[] }): readonly Right[] {
  const lease = ["get", "create", "update"].map((verb) => ({
    verb,
    group: "coordination.k8s.io",
    resource: "leases",
    namespace: of.leaseNamespace,
  }));
  const inventories = [...new Set(of.inventoryNamespaces)].flatMap((namespace) =>
    ["get", "list", "create", "patch"].map((verb) => ({ verb, group: "", resource: "configmaps", namespace })),
  );
  return [...lease, ...inventories];
}

/** Those of the rights that the agent does not have. @throws Fault `cluster_unavailable` when that cannot be told */
export async function rightsMissing(
  rights: readonly Right[],
  by: { readonly api: ClusterApi; readonly signal: AbortSignal },
): Promise<readonly Right[]> {
  const missing: Right[] = [];
  for (const right of rights) {
    const answer = await by.api.call({
      method: "POST",
      target: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes: right } },
      signal: by.signal,
    });
    if (!isOk(answer)) throw refusal("the agent's rights cannot be asked for", answer);
    if (fieldsAt(answer.value, "status")["allowed"] !== true) missing.push(right);
  }
  return missing;
}
