import { Logs } from "@binnacle/proto/dashboard-logs";
import { createClient, type Client } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { withPrefix } from "../../../ui/path-prefix.ts";
import { fetchNotingBuild } from "../../live/newer-build.ts";

let client: Client<typeof Logs> | undefined;

/** The client of logs of this page, as `dashboardClient` is that of the dashboard. */
export function logsClient(): Client<typeof Logs> {
  client ??= createClient(
    Logs,
    createConnectTransport({ baseUrl: `${location.origin}${withPrefix("/api/rpc")}`, useBinaryFormat: true, fetch: fetchNotingBuild }),
  );
  return client;
}
