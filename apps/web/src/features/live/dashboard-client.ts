import { createClient, type Client } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Dashboard } from "@binnacle/proto/dashboard";
import { withPrefix } from "../../ui/path-prefix.ts";
import { fetchNotingBuild } from "./newer-build.ts";

let client: Client<typeof Dashboard> | undefined;

/** The one client of this page or worker: Connect over fetch, binary, same origin. */
export function dashboardClient(): Client<typeof Dashboard> {
  client ??= createClient(
    Dashboard,
    createConnectTransport({ baseUrl: `${location.origin}${withPrefix("/api/rpc")}`, useBinaryFormat: true, fetch: fetchNotingBuild }),
  );
  return client;
}
