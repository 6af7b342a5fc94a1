import type { Dashboard } from "@binnacle/proto/dashboard";
import type { Client } from "@connectrpc/connect";

/**
 * The client of `dashboard-client.ts` for who seldom asks: its code is loaded with the first question.
 *
 * @throws as `import()` when it cannot be loaded; see `isChunkFailure`
 */
export async function loadDashboard(): Promise<Client<typeof Dashboard>> {
  const { dashboardClient } = await import("./dashboard-client.ts");
  return dashboardClient();
}
