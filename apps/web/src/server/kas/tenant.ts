import type { ClusterIdentity } from "./cluster-identity.ts";
import type { KasAccess } from "./kas-access.ts";

/** Names an agent and who one is to it: what is shared between viewers is shared by those of one tenant. */
export function tenantOf(access: Pick<KasAccess, "agentId" | "credentialKey">, identity: ClusterIdentity | undefined): string {
  // An identity that the cluster does not report is shared by one credential only.
  return JSON.stringify([String(access.agentId), identity?.key ?? `credential ${access.credentialKey}`]);
}
