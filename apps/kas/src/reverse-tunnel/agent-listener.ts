import { Http2ServerRequest, Http2ServerResponse } from "node:http2";

import type { Clock } from "@binnacle/rpc";

import { Http2Listener, type Http2ListenerOptions, type IncomingStream } from "../http2-listener/http2-listener.ts";
import { noMetrics, type RoutingMetrics } from "../kas-routing/routing-metrics.ts";
import type { AgentAuthenticator } from "../main-application/agent-info.ts";
import { REPLICA_HEADER, replicaOf } from "./replica.ts";
import { CONNECT_PATH, ReverseTunnelHandler } from "./reverse-tunnel-handler.ts";
import type { TunnelRegistry } from "./tunnel-registry.ts";

/** Answers a typed request, as `connectNodeAdapter` returns it. */
export type TypedHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** What the agent listener needs. */
export interface AgentListenerOptions extends Omit<
  Http2ListenerOptions,
  "name" | "webSocket" | "onStream" | "onSessionDraining" | "onSessionClosed"
> {
  readonly clock: Clock;
  readonly authenticator: AgentAuthenticator;
  readonly registry: TunnelRegistry;
  /** Everything but `ReverseTunnel/Connect`. It finds `REPLICA_HEADER` among the headers. */
  readonly connectHandler: TypedHandler;
  readonly metrics?: RoutingMetrics;
}

/**
 * Opens the port agents dial: gRPC and gRPC inside a WebSocket. It accepts at once; `run` closes it.
 *
 * @throws Error that names the listener and its address
 */
export function openAgentListener(options: AgentListenerOptions): Promise<Http2Listener> {
  const handler = new ReverseTunnelHandler({ ...options, metrics: options.metrics ?? noMetrics });
  return Http2Listener.open({
    ...options,
    name: "agent",
    webSocket: true,
    onStream: (incoming) => {
      removeHopHeaders(incoming);
      if (incoming.headers[":path"] === CONNECT_PATH) handler.accept(incoming);
      else handToConnect(incoming, options.connectHandler);
    },
    onSessionDraining: (session) => handler.retire(session),
  });
}

/** Gives a stream to a handler of Node's request and response API. */
export function handToConnect({ stream, headers, rawHeaders, session }: IncomingStream, handler: TypedHandler): void {
  headers[REPLICA_HEADER] = replicaOf(headers, session);
  handler(new Http2ServerRequest(stream, headers, {}, rawHeaders), new Http2ServerResponse(stream));
}

/** Only other kas may say these words, and only on the internal listener. */
function removeHopHeaders({ headers }: IncomingStream): void {
  for (const name of Object.keys(headers)) if (name.startsWith("kas-hop-")) delete headers[name];
}
