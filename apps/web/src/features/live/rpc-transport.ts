import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { withPrefix } from "../../ui/path-prefix.ts";
import { fetchNotingBuild } from "./newer-build.ts";

/** How this page or worker reaches the services of its server: Connect over fetch, binary, same origin. */
export function createRpcTransport(): Transport {
  return createConnectTransport({
    baseUrl: `${location.origin}${withPrefix("/api/rpc")}`,
    useBinaryFormat: true,
    fetch: fetchNotingBuild,
  });
}
