import type { ClusterAccess } from "../cluster-access.ts";

/** Access to a stand-in without credentials. */
export function plainAccess(server: URL, over: Partial<ClusterAccess> = {}): ClusterAccess {
  const tls = {};
  return {
    server,
    proxy: undefined,
    identity: undefined,
    tls: () => tls,
    authorization: () => "Bearer agent-sa",
    refused: () => {},
    ...over,
  };
}
