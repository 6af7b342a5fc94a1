import { Logs } from "@binnacle/proto/dashboard-logs";
import { createClient, type Client } from "@connectrpc/connect";
import { createRpcTransport } from "../../live/rpc-transport.ts";

let client: Client<typeof Logs> | undefined;

/** The one client of logs of this page, apart from that of the dashboard so that its code is loaded with the first log. */
export function logsClient(): Client<typeof Logs> {
  client ??= createClient(Logs, createRpcTransport());
  return client;
}
