import { Logs, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { createClient, type Client } from "@connectrpc/connect";
import { tLater } from "../../../ui/messages.ts";
import { openSocket } from "../../live/open-socket.ts";
import { createRpcTransport } from "../../live/rpc-transport.ts";
import type { LogsStreamRequest } from "./log-request.ts";
import { LogsCarrier } from "./logs-carrier.ts";

let client: Client<typeof Logs> | undefined;
let carrier: LogsCarrier | undefined;

/** The one client of logs of this page, apart from that of the dashboard so that its code is loaded with the first log. */
export function logsClient(): Client<typeof Logs> {
  client ??= createClient(Logs, createRpcTransport());
  return client;
}

/** Reads logs for this page. @throws as `LogsCarrier.read` */
export function readPageLogs(request: LogsStreamRequest, signal: AbortSignal): AsyncIterable<ReadLogsResponse> {
  carrier ??= new LogsCarrier({
    client: logsClient,
    connect: openSocket,
    words: { broken: () => tLater("logs-page/broken"), onlyOne: () => tLater("logs-page/only-one") },
    // A browser has none outside of secure contexts, which its types do not say.
    locks: "locks" in navigator ? navigator.locks : undefined,
  });
  return carrier.read(request, signal);
}
