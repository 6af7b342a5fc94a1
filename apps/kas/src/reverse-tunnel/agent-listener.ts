import type { ServerHttp2Session } from "node:http2";

import type { ByteLedger } from "@binnacle/grpc-wire";
import { clientAddressOf, type Clock, NO_TRUSTED_PROXIES, type TrustedProxies } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import { noMetrics, type RoutingMetrics } from "../agent-call/routing-metrics.ts";
import { authenticateFirst } from "../http2-listener/authenticate-first.ts";
import { Http2Listener, type Http2ListenerOptions, type IncomingStream } from "../http2-listener/http2-listener.ts";
import { Refusals } from "../http2-listener/refusals.ts";
import { handToConnect, type TypedHandler } from "../http2-listener/typed-handler.ts";
import type { ConnectionLimit } from "../limits/connection-limit.ts";
import type { AgentAuthenticator, AgentInfo } from "../main-application/agent-info.ts";
import { SessionAuthenticator, type ShownToken } from "../main-application/session-authenticator.ts";
import { rememberAgent } from "../agent-identity/authenticated-agent.ts";
import { REPLICA_HEADER, replicaOf } from "../agent-identity/replica.ts";
import { CONNECT_PATH, ReverseTunnelHandler } from "./reverse-tunnel-handler.ts";
import { SessionVersions } from "../agent-identity/session-versions.ts";
import type { TunnelRegistry } from "./tunnel-registry.ts";
import { abilitiesOf } from "../agent-identity/agent-abilities.ts";

/** What the agent listener needs. */
export interface AgentListenerOptions extends Omit<
  Http2ListenerOptions,
  "name" | "webSocket" | "onStream" | "onSessionDraining" | "onSessionClosed" | "refusals"
> {
  readonly clock: Clock;
  readonly authenticator: AgentAuthenticator;
  readonly registry: TunnelRegistry;
  readonly ledger: ByteLedger;
  /** Everything but `ReverseTunnel/Connect`. It finds `REPLICA_HEADER`, `CLIENT_ADDRESS_HEADER` and, by `agentOf`, the agent. */
  readonly connectHandler: TypedHandler;
  /** Connections per token; absent: not counted. */
  readonly limit?: ConnectionLimit;
  /** Proxies that are trusted to report the client's address; default: none. */
  readonly trustedProxies?: TrustedProxies;
  readonly metrics?: RoutingMetrics;
  /** There is no other kas: agents that are sent away have nowhere to go, so nothing is won by waiting for them. */
  readonly alone?: boolean;
}

/** Idle tunnels of our agents outlive GOAWAY by this much, so that the agent can connect elsewhere before it has no tunnels here. */
const RETIRE_MS = 10_000;

/**
 * Opens the port agents dial: gRPC and gRPC inside a WebSocket. It accepts at once.
 *
 * @throws Error that names the listener and its address
 */
export function openAgentListener(options: AgentListenerOptions): Promise<Http2Listener> {
  const { clock, log, metrics = noMetrics, trustedProxies = NO_TRUSTED_PROXIES } = options;
  const sessions = new SessionAuthenticator(options);
  const versions = new SessionVersions();
  const handler = new ReverseTunnelHandler({ ...options, sessions, versions, metrics });
  const refusals = new Refusals({ listener: "agent", clock, log, metrics });
  const arrivals = new AgentArrivals({ clock, log });
  const shownBy = ({ headers, session, origin }: IncomingStream): ShownToken => ({
    session,
    authorization: headers.authorization,
    address: clientAddressOf(origin, trustedProxies),
  });
  return Http2Listener.open({
    ...options,
    name: "agent",
    webSocket: true,
    refusals,
    onStream: authenticateFirst({
      recognize(incoming) {
        removeHopHeaders(incoming.headers);
        const shown = shownBy(incoming);
        const info = sessions.known(shown);
        return info && { shown, info };
      },
      async authenticate(incoming, departure) {
        const shown = shownBy(incoming);
        return { shown, info: await sessions.authenticate(shown, departure) };
      },
      answer(incoming, { shown, info }) {
        const { headers, session, stream } = incoming;
        const replica = replicaOf(headers, session);
        arrivals.note(incoming, info, replica);
        if (headers[":path"] === CONNECT_PATH) return handler.accept(incoming, { shown, info });
        if (shown.address !== undefined) headers[CLIENT_ADDRESS_HEADER] = shown.address;
        headers[REPLICA_HEADER] = replica;
        const of = { agentId: info.agentId, headers };
        rememberAgent(stream, info, (version) => {
          if (versions.learn(session, of, version)) options.registry.abilitiesChanged(info.agentId);
        });
        handToConnect(incoming, options.connectHandler, refusals);
      },
      refusals,
      log,
    }),
    onSessionDraining: (session, why) => {
      // An agent of ours fills its new connection before it ends idle tunnels of the old one; this is for those that fail to. Any other
      // opens a tunnel only when one has ended: each moves at once, before the grace period is over and a cut would make it stay away.
      const delayMs = why === "leaving" && options.alone === true ? 0 : RETIRE_MS;
      handler.retire(session, delayMs === 0 ? "all" : "foreign");
      if (delayMs > 0) options.clock.after(delayMs, () => handler.retire(session, "all"));
    },
  });
}

/** Only other kas may say these words, and only on the internal listener. */
function removeHopHeaders(headers: IncomingStream["headers"]): void {
  for (const name in headers) if (name.startsWith("kas-hop-")) delete headers[name];
}

/** Agents of one connection that get lines of their own; more than one is a strange client already. */
const MAX_AGENTS = 4;

/** Logs when agents connect and disconnect: one line each per connection and agent. */
class AgentArrivals {
  readonly #options: { readonly clock: Clock; readonly log: Logger };
  readonly #agents = new WeakMap<ServerHttp2Session, Set<bigint>>();

  constructor(options: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
  }

  /** An authenticated stream of an agent; only the first one of its connection is news. */
  note({ session, headers, peer }: IncomingStream, info: AgentInfo, replica: string): void {
    const known = this.#agents.get(session) ?? new Set();
    if (known.has(info.agentId) || known.size >= MAX_AGENTS) return;
    this.#agents.set(session, known.add(info.agentId));
    const { clock, log } = this.#options;
    const sinceMs = clock.now();
    const fields = {
      agent_id: String(info.agentId),
      agent_name: info.agentName,
      // Names and versions of Go agents and of ours alike.
      user_agent: headers["user-agent"]?.slice(0, 128),
      // As far as the headers of this stream have it: `AgentMeta` comes later.
      abilities: abilitiesOf({ headers }),
      replica,
      transport: peer.transport,
      peer: peer.address,
    };
    log.info(fields, "agent connected");
    session.once("close", () => log.info({ ...fields, duration_ms: clock.now() - sinceMs }, "agent disconnected"));
  }
}
