import type { Settings } from "@binnacle/proto/dashboard-settings";
import type { Client } from "@connectrpc/connect";

let client: Promise<Client<typeof Settings>> | undefined;

/**
 * The one client of the settings of this page; its code is loaded with the first request.
 *
 * @throws as `import()` when it cannot be loaded; see `isChunkFailure`
 */
export function loadSettings(): Promise<Client<typeof Settings>> {
  client ??= Promise.all([
    import("@connectrpc/connect"),
    import("@binnacle/proto/dashboard-settings"),
    import("../live/rpc-transport.ts"),
  ]).then(([{ createClient }, { Settings: service }, { createRpcTransport }]) => createClient(service, createRpcTransport()));
  client.catch(() => (client = undefined));
  return client;
}
