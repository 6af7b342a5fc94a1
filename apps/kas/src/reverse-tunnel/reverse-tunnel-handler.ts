import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";

import { GRPC_CODE, GrpcServerStream, SessionProbe, statusOfThrown, type ByteLedger } from "@binnacle/grpc-wire";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import type { SessionAuthenticator, ShownToken } from "../main-application/session-authenticator.ts";
import { hasAbility } from "./agent-abilities.ts";
import { awaitAnswer } from "./await-answer.ts";
import { KAS_CAPABILITIES } from "./kas-capabilities.ts";
import { LingeringClose } from "./lingering-close.ts";
import { poolMaximumOf } from "./pool-maximum.ts";
import { replicaOf } from "./replica.ts";
import type { SessionVersions } from "./session-versions.ts";
import { TokenProofs } from "./token-proofs.ts";
import { Tunnel, type TunnelOptions } from "./tunnel.ts";
import type { TunnelRegistry } from "./tunnel-registry.ts";
import { ViolationLog } from "./violation-log.ts";

/** Path of the method this handler answers. */
export const CONNECT_PATH = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";

/** What the handler needs. */
export interface ReverseTunnelHandlerOptions {
  readonly sessions: SessionAuthenticator;
  readonly registry: TunnelRegistry;
  /** What `AgentMeta` said on the sessions of tunnels. */
  readonly versions: SessionVersions;
  /** Where bytes that wait for or from an agent are booked. */
  readonly ledger: ByteLedger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RoutingMetrics;
}

const NOTHING = (): void => {};
const DESCRIPTOR_MS = 10_000;
/** An agent that lives answers a ping in a round trip, and a busy one a little later. */
const PROBE_TIMEOUT_MS = 3_000;
/** How long an agent that has answered may take to read what was still on its way to it. */
const UNREAD_MS = 5_000;

/** An agent whose token was checked, and the token. */
export interface AuthenticatedAgent {
  readonly shown: ShownToken;
  readonly info: AgentInfo;
}

/** Answers `ReverseTunnel/Connect`: reads the descriptor, and gives the tunnel to the registry. */
export class ReverseTunnelHandler {
  readonly #options: ReverseTunnelHandlerOptions;
  readonly #proofs: TokenProofs;
  readonly #tunnels = new Map<ServerHttp2Session, Set<Tunnel>>();
  readonly #violations: ViolationLog;
  readonly #probes = new WeakMap<ServerHttp2Session, SessionProbe>();

  constructor(options: ReverseTunnelHandlerOptions) {
    this.#options = options;
    this.#violations = new ViolationLog(options.clock);
    this.#proofs = new TokenProofs(options.sessions, options.clock);
  }

  /** Takes a stream of an agent whose token was checked. Whatever happens on it stays on it. @throws Fault `rate_limited` */
  accept({ stream, headers, session }: IncomingStream, { shown, info }: AuthenticatedAgent): void {
    if (this.#violations.isExcluded(info.agentId))
      throw new Fault("rate_limited", "this agent broke the rules of its tunnels too often", { retryAfterSeconds: 60 });
    let stopProving = (): void => undefined;
    let tunnel: Tunnel | undefined;
    const grpc = new GrpcServerStream(
      { stream, headers },
      {
        message: (data) => tunnel?.receive(data),
        piece: (bytes) => tunnel?.receiveBody(bytes),
        halfClose: () => tunnel?.halfClosed(),
        closed: (cancelled) => {
          stopProving();
          // Nobody left and we did not end it: its bytes were no frames.
          if (!cancelled && tunnel && tunnel.state !== "done")
            this.#violation(tunnel.agentId, { session, fault: new Fault("invalid_request", "broken framing") });
          tunnel?.closed();
        },
      },
    );
    tunnel = this.#createTunnel(grpc, {
      info,
      session,
      replica: replicaOf(headers, session),
      can: this.#abilitiesOf(session, info.agentId, headers),
      poolMaximum: poolMaximumOf(headers),
      stream,
    });
    stopProving = this.#proofs.watch(shown, info, tunnel);
    grpc.sendHeader(KAS_CAPABILITIES);
  }

  /** Ends idle tunnels of a session that was told to go away, all or those of an agent that is not ours; running calls go on. */
  retire(session: ServerHttp2Session, which: "all" | "foreign"): void {
    for (const tunnel of this.#tunnels.get(session) ?? []) if (which === "all" || !tunnel.agentIsOurs) tunnel.retire();
  }

  /** What the agent of a tunnel can do now. An idle tunnel keeps no more of its headers than that needs. */
  #abilitiesOf(session: ServerHttp2Session, agentId: bigint, headers: IncomingHttpHeaders): TunnelOptions["can"] {
    const { "agentk-caps": capabilities, "user-agent": userAgent } = headers;
    const own: IncomingHttpHeaders = { ...(capabilities !== undefined && { "agentk-caps": capabilities }), "user-agent": userAgent };
    if (typeof capabilities !== "string") {
      const { versions } = this.#options;
      return (ability) => hasAbility(ability, { headers: own, metaVersion: versions.of(session, { agentId, headers: own }) });
    }
    // Capabilities do not change, and they are asked for with each call.
    const [impersonation, reset] = [hasAbility("impersonation", { headers: own }), hasAbility("reset", { headers: own })];
    return (ability) => (ability === "impersonation" ? impersonation : reset);
  }

  #createTunnel(
    grpc: GrpcServerStream,
    of: {
      readonly info: AgentInfo;
      readonly session: ServerHttp2Session;
      readonly replica: string;
      readonly can: TunnelOptions["can"];
      readonly poolMaximum: number | undefined;
      readonly stream: ServerHttp2Stream;
    },
  ): Tunnel {
    const { registry, clock, ledger } = this.#options;
    const { agentId } = of.info;
    const ofSession = this.#tunnels.get(of.session) ?? new Set();
    this.#tunnels.set(of.session, ofSession);
    let cancelDeadline = NOTHING;
    const tunnel = new Tunnel({
      agentId,
      replica: of.replica,
      can: of.can,
      poolMaximum: of.poolMaximum,
      stream: grpc,
      awaitAnswer: (limitMs, silent) => awaitAnswer({ clock, probe: this.#probeOf(of.session), limitMs }, silent),
      linger: (giveUp) => new LingeringClose(clock, giveUp),
      onReady: (ready) => {
        cancelDeadline();
        // An idle tunnel need not hold a timer that is over.
        cancelDeadline = NOTHING;
        registry.add(ready);
      },
      onDone: (done) => {
        cancelDeadline();
        registry.remove(done);
        ofSession.delete(done);
        if (ofSession.size === 0) this.#tunnels.delete(of.session);
        // Trailers queue behind an upload that the agent answered before its end. One that does not even read the rest would lose
        // the slot for ever: a reset throws those bytes away.
        if (of.stream.writableLength > 0) clock.after(UNREAD_MS, () => of.stream.destroyed || of.stream.close(constants.NGHTTP2_CANCEL));
      },
      onViolation: (fault) => this.#violation(agentId, { session: of.session, fault }),
    });
    grpc.book(
      ledger.open({ kind: "agent", id: String(agentId) }, (fault) => {
        tunnel.abort(statusOfThrown(fault));
        // What it did not read is what there was too much of: no polite end would get past it.
        if (of.stream.writableLength > 0) of.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      }),
    );
    ofSession.add(tunnel);
    cancelDeadline = clock.after(DESCRIPTOR_MS, () => {
      if (tunnel.state === "accepted") tunnel.abort({ code: GRPC_CODE.unavailable, message: `no descriptor within ${DESCRIPTOR_MS} ms` });
    });
    return tunnel;
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
