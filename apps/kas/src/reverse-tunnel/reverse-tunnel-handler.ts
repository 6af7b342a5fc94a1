import type { IncomingHttpHeaders, ServerHttp2Session } from "node:http2";

import { SessionProbe, type ByteLedger } from "@binnacle/grpc-wire";
import { Fault, Slots, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import type { SessionAuthenticator, ShownToken } from "../main-application/session-authenticator.ts";
import { abilitiesOf, hasAbility } from "../agent-identity/agent-abilities.ts";
import { replicaOf } from "../agent-identity/replica.ts";
import { ServedTunnel, type TunnelsOf } from "./served-tunnel.ts";
import type { SessionVersions } from "../agent-identity/session-versions.ts";
import { TokenProofs } from "./token-proofs.ts";
import type { Tunnel } from "./tunnel.ts";
import type { TunnelRegistry } from "./tunnel-registry.ts";

/** Path of the method this handler answers. */
export const CONNECT_PATH = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";

/** What the handler needs. */
export interface ReverseTunnelHandlerOptions {
  readonly sessions: SessionAuthenticator;
  readonly registry: TunnelRegistry;
  /** Versions from `AgentMeta` on the sessions of tunnels. */
  readonly versions: SessionVersions;
  /** Where bytes that wait for or from an agent are booked. */
  readonly ledger: ByteLedger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RoutingMetrics;
}

/** An agent that lives answers a ping in a round trip, and a busy one a little later. */
const PROBE_TIMEOUT_MS = 3_000;

/** An agent whose token was checked, and the token. */
export interface AuthenticatedAgent {
  readonly shown: ShownToken;
  readonly info: AgentInfo;
}

/** Answers `ReverseTunnel/Connect`: reads the descriptor, and gives the tunnel to the registry. */
export class ReverseTunnelHandler {
  readonly #options: ReverseTunnelHandlerOptions;
  readonly #proofs: TokenProofs;
  readonly #tunnels = new WeakMap<ServerHttp2Session, Slots<Tunnel>>();
  readonly #common = new WeakMap<ServerHttp2Session, TunnelsOf>();
  readonly #violations: ViolationLog;
  readonly #probes = new WeakMap<ServerHttp2Session, SessionProbe>();
  readonly #abilities = new WeakMap<ServerHttp2Session, { readonly capabilities: string; readonly can: TunnelsOf["abilities"] }>();

  constructor(options: ReverseTunnelHandlerOptions) {
    this.#options = options;
    this.#violations = new ViolationLog(options.clock);
    this.#proofs = new TokenProofs(options.sessions, options.clock);
  }

  /** Takes a stream of an agent whose token was checked. Whatever happens on it stays on it. @throws Fault `rate_limited` */
  accept({ stream, headers, session }: IncomingStream, { shown, info }: AuthenticatedAgent): void {
    if (this.#violations.isExcluded(info.agentId))
      throw new Fault("rate_limited", "this agent broke the rules of its tunnels too often", { retryAfterSeconds: 60 });
    const served = new ServedTunnel(this.#options, this.#of(session, info.agentId, headers), stream);
    served.begin(headers, (tunnel) => this.#proofs.watch(shown, info, tunnel));
  }

  /** Ends idle tunnels of a session that got GOAWAY, all or those of an agent that is not ours; running calls continue. */
  retire(session: ServerHttp2Session, which: "all" | "foreign"): void {
    for (const tunnel of this.#tunnels.get(session)?.values() ?? []) if (which === "all" || !tunnel.agentIsOurs) tunnel.retire();
  }

  /** Created once for all tunnels of an agent with the same headers, because thousands of them come on one session. */
  #of(session: ServerHttp2Session, agentId: bigint, headers: IncomingHttpHeaders): TunnelsOf {
    const known = this.#common.get(session);
    const replica = replicaOf(headers, session);
    const poolMaximum = poolMaximumOf(headers);
    const abilities = this.#abilitiesOf(session, agentId, headers);
    const isSame =
      known?.agentId === agentId && known.replica === replica && known.poolMaximum === poolMaximum && known.abilities === abilities;
    if (isSame) return known;
    const of: TunnelsOf = {
      agentId,
      replica,
      abilities,
      poolMaximum,
      owner: { kind: "agent", id: String(agentId) },
      tunnels: this.#tunnelsOf(session),
      probe: () => this.#probeOf(session),
      violation: (fault) => this.#violation(agentId, { session, fault }),
    };
    this.#common.set(session, of);
    return of;
  }

  /** What the agent of a tunnel can do now. An idle tunnel keeps no more of its headers than that needs. */
  #abilitiesOf(session: ServerHttp2Session, agentId: bigint, headers: IncomingHttpHeaders): TunnelsOf["abilities"] {
    const { "agentk-caps": capabilities, "user-agent": userAgent } = headers;
    if (typeof capabilities !== "string") {
      const own: IncomingHttpHeaders = { ...(capabilities !== undefined && { "agentk-caps": capabilities }), "user-agent": userAgent };
      const { versions } = this.#options;
      return (ability) => hasAbility(ability, { headers: own, metaVersion: versions.of(session, { agentId, headers: own }) });
    }
    // Capabilities decide alone, all tunnels of an agent have the same, and each call reads them.
    const known = this.#abilities.get(session);
    if (known?.capabilities === capabilities) return known.can;
    const own: IncomingHttpHeaders = { "agentk-caps": capabilities };
    const abilities = new Set(abilitiesOf({ headers: own }));
    const can: TunnelsOf["abilities"] = (ability) => abilities.has(ability);
    this.#abilities.set(session, { capabilities, can });
    return can;
  }

  #tunnelsOf(session: ServerHttp2Session): Slots<Tunnel> {
    const known = this.#tunnels.get(session);
    if (known) return known;
    const tunnels = new Slots<Tunnel>();
    this.#tunnels.set(session, tunnels);
    return tunnels;
  }

  #probeOf(session: ServerHttp2Session): SessionProbe {
    const known = this.#probes.get(session);
    if (known) return known;
    const probe = new SessionProbe(session, { clock: this.#options.clock, timeoutMs: PROBE_TIMEOUT_MS });
    this.#probes.set(session, probe);
    return probe;
  }

  #violation(agentId: bigint, { session, fault }: { readonly session: ServerHttp2Session; readonly fault: Fault }): void {
    this.#options.metrics.frameViolation("agent");
    this.#options.log.warn({ error: fault, agent_id: String(agentId) }, "an agent broke the rules of a tunnel");
    // Later, so that the status of this stream gets out first.
    if (this.#violations.add(agentId)) this.#options.clock.after(100, () => session.destroy());
  }
}

/** Metadata of our agentk with the maximum number of its tunnels. */
const MAXIMUM_HEADER = "agentk-max-tunnels";
/** The maximum of our agentk without that metadata. */
const DEFAULT_MAXIMUM = 500;

/** How many tunnels the replica behind these headers opens at most; `undefined` for an agent without our capabilities: it has ten. */
export function poolMaximumOf(headers: IncomingHttpHeaders): number | undefined {
  if (typeof headers["agentk-caps"] !== "string") return undefined;
  const text = headers[MAXIMUM_HEADER];
  return typeof text === "string" && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : DEFAULT_MAXIMUM;
}

const WINDOW_MS = 60_000;
const MAX_VIOLATIONS = 10;

/** Counts how often each agent broke the rules of its tunnels; a new connection does not reset the count. */
class ViolationLog {
  readonly #clock: Clock;
  readonly #counts = new Map<bigint, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Agents with a violation in the last minute; each is an agent that the main application knows. */
  get size(): number {
    return this.#counts.size;
  }

  /** @returns whether the agent has done it too often: nothing is taken from it until a minute after its first violation */
  add(agentId: bigint): boolean {
    const count = (this.#counts.get(agentId) ?? 0) + 1;
    this.#counts.set(agentId, count);
    if (count === 1) this.#clock.after(WINDOW_MS, () => this.#counts.delete(agentId));
    return count >= MAX_VIOLATIONS;
  }

  isExcluded(agentId: bigint): boolean {
    return (this.#counts.get(agentId) ?? 0) >= MAX_VIOLATIONS;
  }
}
