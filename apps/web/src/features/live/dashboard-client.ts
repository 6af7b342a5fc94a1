import { createClient, type Client } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Dashboard } from "@binnacle/proto/dashboard";

let client: Client<typeof Dashboard> | undefined;

/** The one client of this tab: Connect over fetch, binary, same origin. */
export function dashboardClient(): Client<typeof Dashboard> {
  client ??= createClient(Dashboard, createConnectTransport({ baseUrl: "/api/rpc", useBinaryFormat: true }));
  return client;
}
