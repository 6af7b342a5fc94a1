import { createConnectRouter } from "@connectrpc/connect";
import { universalServerResponseToFetch } from "@connectrpc/connect/protocol";

import type { ConnectHandlerOptions } from "./connect-handler.ts";

/** One request, as `fetch` is given it. */
interface InProcessRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Uint8Array;
  /** The caller does not want the answer any more. */
  readonly signal?: AbortSignal;
}

/** Answers a request of this process without a connection. Only what the web platform has crosses it: bytes, headers, a signal. */
export type InProcessHandler = (url: string, request: InProcessRequest) => Promise<Response>;

const NEVER = new AbortController().signal;

/** Connect services for callers in this process. Unknown procedures are 404. */
export function createInProcessHandler(options: Omit<ConnectHandlerOptions, "authority" | "counted">): InProcessHandler {
  const { routes, prefix, ...rest } = options;
  const router = createConnectRouter({ ...rest, grpc: false, grpcWeb: false });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [`${prefix}${handler.requestPath}`, handler]));
  return async (url, { method, headers, body, signal = NEVER }) => {
    const handler = handlers.get(new URL(url).pathname);
    if (!handler) return new Response(null, { status: 404 });
    const answer = await handler({ httpVersion: "1.1", method, url, header: headers, body: chunksOf(body), signal });
    return universalServerResponseToFetch(answer);
  };
}

async function* chunksOf(body: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (body !== undefined) yield body;
}
