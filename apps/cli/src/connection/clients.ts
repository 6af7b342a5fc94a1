import { Dashboard } from "@binnacle/proto/dashboard";
import { Logs } from "@binnacle/proto/dashboard-logs";
import { Code, ConnectError, createClient, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

import { CommandFailure } from "../program/exit-codes.ts";
import type { Settings } from "../settings/settings.ts";

/** The services of a dashboard, called with the token of the settings. */
export interface Clients {
  readonly dashboard: Client<typeof Dashboard>;
  readonly logs: Client<typeof Logs>;
}

/** Nothing is dialled before the first call. */
export function createClients({ url, token }: Pick<Settings, "url" | "token">): Clients {
  const transport: Transport = createConnectTransport({
    baseUrl: `${url}/api/rpc`,
    httpVersion: "1.1",
    useBinaryFormat: true,
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${token}`);
        return next(request);
      },
    ],
  });
  return { dashboard: createClient(Dashboard, transport), logs: createClient(Logs, transport) };
}

/** Codes that another attempt does not change. */
const FINAL: ReadonlySet<Code> = new Set([
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.NotFound,
  Code.Unimplemented,
  Code.InvalidArgument,
]);

/** Whether another attempt may succeed. @param hasBegun messages have come: a stream that is cut off in one looks like a malformed one */
export function isWorthAnother(error: unknown, hasBegun: boolean): boolean {
  const { code } = ConnectError.from(error);
  return !FINAL.has(code) || (hasBegun && code === Code.InvalidArgument);
}

/** What a call that failed means for who called the program. */
export function failureOf(error: unknown, { url }: Pick<Settings, "url">): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const { code, rawMessage } = ConnectError.from(error);
  switch (code) {
    case Code.Unauthenticated:
      return new CommandFailure(`${url} does not accept the token: it is wrong, expired or revoked.`, { hint: `binnacle login ${url}` });
    case Code.Unimplemented:
      return new CommandFailure(`${url} has no such service: it is not a dashboard, or an older one.`);
    case Code.ResourceExhausted:
    case Code.PermissionDenied:
    case Code.NotFound:
    case Code.InvalidArgument:
      return new CommandFailure(rawMessage);
    default:
      return new CommandFailure(`${url} cannot be reached: ${rawMessage}`);
  }
}
