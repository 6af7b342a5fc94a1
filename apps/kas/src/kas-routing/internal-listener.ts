import { metadataOfRawHeaders, type ByteLedger } from "@binnacle/grpc-wire";
import { Fault, type Clock } from "@binnacle/rpc";

import { Http2Listener, type Http2ListenerOptions, type IncomingStream } from "../http2-listener/http2-listener.ts";
import { authenticateFirst } from "../http2-listener/authenticate-first.ts";
import { Refusals } from "../http2-listener/refusals.ts";
import { handToConnect, type TypedHandler } from "../http2-listener/typed-handler.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import { GATEWAY_WAIT_MS, GatewayCall } from "./gateway-call.ts";
import {
  HOP_AGENT_KEY,
  HOP_CONNECTION_KEY,
  HOP_CONTEXT_KEY,
  HOP_IMPERSONATION_KEY,
  HOP_UPGRADE_KEY,
  HOP_METHOD_KEY,
  HOP_TICKET_KEY,
} from "./gateway-frames.ts";
import { GatewayWaits } from "./gateway-waits.ts";
import { HeldTunnels } from "./held-tunnels.ts";
import type { HopTokens } from "./hop-token.ts";
import { TUNNEL_WAITS_PATH } from "./wait-frames.ts";
import { decodeCallContext } from "../agent-call/call-context.ts";
import { noMetrics, type RoutingMetrics } from "../agent-call/routing-metrics.ts";

/** What the internal listener needs. */
export interface InternalListenerOptions extends Omit<
  Http2ListenerOptions,
  "name" | "webSocket" | "onStream" | "onSessionDraining" | "onSessionClosed" | "refusals" | "proofMs"
> {
  readonly clock: Clock;
  readonly registry: TunnelRegistry;
  readonly tokens: HopTokens;
  /** Full names of the services that agents offer; their methods are routed as raw bytes. */
  readonly routedServices: ReadonlySet<string>;
  /** Everything else, for example `kas.v1.KasInternal`. The token is checked; `kas-hop-routing-agent-id` names its agent. */
  readonly connectHandler: TypedHandler;
  readonly metrics?: RoutingMetrics;
  /** Where bytes that another kas does not read are booked. Default: nowhere. */
  readonly ledger?: ByteLedger;
}

/** Other kas may open a connection before they need it. */
const PROOF_MS = 300_000;
/** Streams another kas may have open on one connection: each routed call is one, however long it lasts. */
const MAX_STREAMS = 10_000;

/**
 * Opens the port other kas dial. Every request must bear a token for this kas. It accepts at once.
 *
 * @throws Error that names the listener and its address
 */
export function openInternalListener(options: InternalListenerOptions): Promise<Http2Listener> {
  const { clock, log, metrics = noMetrics } = options;
  const refusals = new Refusals({ listener: "internal", clock, log, metrics });
  const answering = { ...options, metrics, refusals, held: new HeldTunnels(options.registry, options.clock) };
  return Http2Listener.open({
    maxStreams: MAX_STREAMS,
    ...options,
    name: "internal",
    webSocket: false,
    refusals,
    proofMs: PROOF_MS,
    onStream: authenticateFirst({
      authenticate: ({ headers }) => options.tokens.verify(headers.authorization),
      answer: (incoming, agentId) => answer(incoming, agentId, answering),
      refusals,
      log,
      onRefused: (reason) => {
        if (reason === "jwt_invalid" || reason === "token_missing") metrics.hopRefused();
      },
    }),
  });
}

interface Answering extends InternalListenerOptions {
  readonly metrics: RoutingMetrics;
  readonly refusals: Refusals;
  readonly held: HeldTunnels;
}

function answer(incoming: IncomingStream, agentId: bigint, options: Answering): void {
  const { headers } = incoming;
  const path = headers[":path"] ?? "";
  if (path !== TUNNEL_WAITS_PATH && !isRouted(path, options)) {
    headers[HOP_AGENT_KEY] = String(agentId);
    handToConnect(incoming, options.connectHandler, options.refusals);
    return;
  }
  const metadata = metadataOfRawHeaders(incoming.rawHeaders);
  if (oneId(metadata, HOP_AGENT_KEY) !== agentId) throw new Fault("jwt_invalid", "the token is for another agent");
  const connectionId = metadata.has(HOP_CONNECTION_KEY) ? oneId(metadata, HOP_CONNECTION_KEY) : undefined;
  const impersonation = metadata.get(HOP_IMPERSONATION_KEY)?.[0] === "1";
  const upgrade = metadata.get(HOP_UPGRADE_KEY)?.[0] === "1";
  const base = { agentId, impersonation, upgrade, ...(connectionId === undefined ? {} : { connectionId }) };
  if (path === TUNNEL_WAITS_PATH) {
    const method = metadata.get(HOP_METHOD_KEY)?.[0] ?? "";
    return GatewayWaits.accept(incoming, { ...options, need: { ...base, method } });
  }
  const context = decodeCallContext(metadata.get(HOP_CONTEXT_KEY)?.[0], GATEWAY_WAIT_MS);
  GatewayCall.accept(incoming, { ...options, need: { ...base, method: path, context }, ticket: metadata.get(HOP_TICKET_KEY)?.[0] });
}

function isRouted(path: string, { routedServices }: Answering): boolean {
  return routedServices.has(path.slice(1, path.lastIndexOf("/")));
}

function oneId(metadata: ReadonlyMap<string, readonly string[]>, key: string): bigint {
  const values = metadata.get(key) ?? [];
  const value = values[0];
  if (values.length !== 1 || value === undefined || !/^\d{1,19}$/.test(value))
    throw new Fault("invalid_request", `${key} must be exactly one number`);
  return BigInt(value);
}
