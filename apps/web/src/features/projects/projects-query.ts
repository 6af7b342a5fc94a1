import type { Dashboard } from "@binnacle/proto/dashboard";
import type { Client } from "@connectrpc/connect";
import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../queries/query-keys.ts";

/** The viewer's projects, and who that is. */
export function projectsQuery(dashboard: () => Promise<Pick<Client<typeof Dashboard>, "listProjects">>) {
  return queryOptions({ queryKey: queryKeys.projects, queryFn: async ({ signal }) => (await dashboard()).listProjects({}, { signal }) });
}
