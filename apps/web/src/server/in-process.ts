import { Dashboard } from "@binnacle/proto/dashboard";
import { createClient, type Client } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import type { InProcessHandler } from "./wire/in-process-handler.ts";

/**
 * The seam between this process and the pages that Next renders in it: Next bundles them apart, so that they share no module with the
 * server, only its global object. Nothing crosses but requests and answers as the web platform has them.
 */
const SEAM = Symbol.for("binnacle.in-process");

/** What a call of a page may bear of the request that the page is rendered for: who asks, and from where. */
const CARRIED = ["cookie", "x-forwarded-for"] as const;

/** Stands for this process in URLs; nothing answers under this name (RFC 6761, "invalid"). */
const ORIGIN = "http://in-process.invalid";

/** The backend-for-frontend, called as the viewer of one request. */
export interface InProcessCalls {
  readonly dashboard: Client<typeof Dashboard>;
  /** `GET /api/session`, parsed. @throws when it does not answer */
  readonly session: (signal: AbortSignal) => Promise<unknown>;
}

/** Pages of this process are answered by `handler` from now on. */
export function provideInProcess(handler: InProcessHandler): void {
  Reflect.set(globalThis, SEAM, handler);
}

/**
 * Calls with the credential of these headers: with the rights of a call from outside with the same cookies, and no others. `undefined` where
 * no handler was provided: the process that builds the pages does not serve them.
 */
export function inProcessCalls(headers: Pick<Headers, "get">): InProcessCalls | undefined {
  // `provideInProcess` is the only one that writes it.
  const handler = Reflect.get(globalThis, SEAM) as InProcessHandler | undefined;
  if (handler === undefined) return undefined;
  const carried = new Headers();
  for (const name of CARRIED) {
    const value = headers.get(name);
    if (value !== null) carried.set(name, value);
  }
  return {
    dashboard: createClient(
      Dashboard,
      createConnectTransport({ baseUrl: `${ORIGIN}/api/rpc`, useBinaryFormat: true, fetch: fetchBy(handler, carried) }),
    ),
    session: async (signal) => (await handler(`${ORIGIN}/api/session`, { method: "GET", headers: carried, signal })).json(),
  };
}

/** `fetch` for Connect's transport, which gives a URL, headers, and a body of bytes. */
function fetchBy(handler: InProcessHandler, carried: Headers): typeof fetch {
  return (input, { method = "GET", headers, body, signal } = {}) => {
    const all = new Headers(headers);
    for (const [name, value] of carried) all.set(name, value);
    const bytes = body instanceof Uint8Array ? { body } : {};
    return handler(typeof input === "string" ? input : new Request(input).url, {
      method,
      headers: all,
      ...bytes,
      ...(signal ? { signal } : {}),
    });
  };
}
