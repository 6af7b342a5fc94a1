import { reviewAccess, type AskedRight } from "../../cluster-access/access-review.ts";
import { isOk, refusal, type ClusterApi } from "../../cluster-access/cluster-api.ts";

/** Rights for the Lease, and for the inventory of each namespace. Rights for what is applied are the API server's to tell, object by object. */
export function rightsNeeded(of: {
  readonly leaseNamespace: string;
  readonly inventoryNamespaces: readonly string[];
}): readonly AskedRight[] {
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
  rights: readonly AskedRight[],
  by: { readonly api: ClusterApi; readonly signal: AbortSignal },
): Promise<readonly AskedRight[]> {
  const missing: AskedRight[] = [];
  for (const right of rights) {
    const { answer, isAllowed } = await reviewAccess(by.api, right, by.signal);
    if (!isOk(answer)) throw refusal("the agent's rights cannot be asked for", answer);
    if (!isAllowed) missing.push(right);
  }
  return missing;
}
