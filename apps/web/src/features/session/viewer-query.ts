import type { Dashboard, Viewer } from "@binnacle/proto/dashboard";
import type { Client } from "@connectrpc/connect";
import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../asked/query-keys.ts";

const NOBODY: Viewer = { $typeName: "dashboard.v1.Viewer", username: "", name: "", clusterUsername: "", clusterGroups: [] };

/** Who is looking, as the main application knows them. */
export function viewerQuery(dashboard: () => Promise<Pick<Client<typeof Dashboard>, "listProjects">>) {
  return queryOptions({
    queryKey: queryKeys.viewer,
    queryFn: async ({ signal }) => (await (await dashboard()).listProjects({}, { signal })).viewer ?? NOBODY,
  });
}
