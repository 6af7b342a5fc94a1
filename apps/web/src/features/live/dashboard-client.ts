import { createClient, type Client } from "@connectrpc/connect";
import { Dashboard } from "@binnacle/proto/dashboard";
import { createRpcTransport } from "./rpc-transport.ts";

let client: Client<typeof Dashboard> | undefined;

/** The one client of the dashboard of this page or worker. */
export function dashboardClient(): Client<typeof Dashboard> {
  client ??= createClient(Dashboard, createRpcTransport());
  return client;
}
