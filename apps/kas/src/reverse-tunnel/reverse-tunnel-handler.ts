import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";

import { GRPC_CODE, GrpcServerStream, statusOfThrown, type ByteLedger } from "@binnacle/grpc-wire";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { isRefusal, type SessionAuthenticator, type ShownToken } from "../main-application/session-authenticator.ts";
import { canImpersonate } from "./impersonation-ability.ts";
import { KAS_CAPABILITIES } from "./kas-capabilities.ts";
import { poolMaximumOf } from "./pool-maximum.ts";
import { replicaOf } from "./replica.ts";
import { Tunnel } from "./tunnel.ts";
import type { TunnelRegistry } from "./tunnel-registry.ts";
import { ViolationLog } from "./violation-log.ts";

/** Path of the method this handler answers. */
export const CONNECT_PATH = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";

/** What the handler needs. */
export interface ReverseTunnelHandlerOptions {
  readonly sessions: SessionAuthenticator;
  readonly registry: TunnelRegistry;
  /** Where bytes that wait for or from an agent are booked. */
  readonly ledger: ByteLedger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RoutingMetrics;
}

/** One for all: an `AbortError` of its own would cost a stack trace per tunnel. */
const GONE = new Fault("cancelled", "the tunnel is gone");
const DESCRIPTOR_MS = 10_000;
/** How long an agent that has answered may take to read what was still on its way to it. */
const UNREAD_MS = 5_000;

/** The token of an open tunnel; `signal` aborts when the tunnel is gone. */
interface OpenToken extends ShownToken {
  readonly signal: AbortSignal;
}

/** An agent whose token was checked, and the token. */
export interface AuthenticatedAgent {
  readonly shown: ShownToken;
  readonly info: AgentInfo;
}

/** Answers `ReverseTunnel/Connect`: reads the descriptor, and gives the tunnel to the registry. */
export class ReverseTunnelHandler {
  readonly #options: ReverseTunnelHandlerOptions;
  readonly #sessions: SessionAuthenticator;
  readonly #tunnels = new Map<ServerHttp2Session, Set<Tunnel>>();
  readonly #violations: ViolationLog;

  constructor(options: ReverseTunnelHandlerOptions) {
    this.#options = options;
    this.#violations = new ViolationLog(options.clock);
    this.#sessions = options.sessions;
  }

  /** Takes a stream of an agent whose token was checked. Whatever happens on it stays on it. @throws Fault `rate_limited` */
  accept({ stream, headers, session }: IncomingStream, { shown, info }: AuthenticatedAgent): void {
    if (this.#violations.isExcluded(info.agentId))
      throw new Fault("rate_limited", "this agent broke the rules of its tunnels too often", { retryAfterSeconds: 60 });
    const left = new AbortController();
    let tunnel: Tunnel | undefined;
    const grpc = new GrpcServerStream(
      { stream, headers },
      {
        message: (data) => tunnel?.receive(data),
        halfClose: () => tunnel?.halfClosed(),
        closed: (cancelled) => {
          left.abort(GONE);
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
      canImpersonate: canImpersonate(headers),
      poolMaximum: poolMaximumOf(headers),
      stream,
    });
    this.#recheckLater(tunnel, { ...shown, signal: left.signal }, this.#sessions.proofLeftMs(info));
    grpc.sendHeader(KAS_CAPABILITIES);
  }

  /** Ends the idle tunnels of a session that was told to go away; running calls go on. */
  retire(session: ServerHttp2Session): void {
    for (const tunnel of this.#tunnels.get(session) ?? []) tunnel.retire();
  }

  #createTunnel(
    grpc: GrpcServerStream,
    of: {
      readonly info: AgentInfo;
      readonly session: ServerHttp2Session;
      readonly replica: string;
      readonly canImpersonate: boolean;
      readonly poolMaximum: number | undefined;
      readonly stream: ServerHttp2Stream;
    },
  ): Tunnel {
    const { registry, clock, ledger } = this.#options;
    const { agentId } = of.info;
    const ofSession = this.#tunnels.get(of.session) ?? new Set();
    this.#tunnels.set(of.session, ofSession);
    let cancelDeadline = (): void => {};
    const tunnel = new Tunnel({
      agentId,
      replica: of.replica,
      canImpersonate: of.canImpersonate,
      poolMaximum: of.poolMaximum,
      stream: grpc,
      onReady: (ready) => {
        cancelDeadline();
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

  /** The token of an open tunnel is checked again: a revoked agent loses even the tunnels it never used. */
  #recheckLater(tunnel: Tunnel, token: OpenToken, delayMs: number): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      token.signal.removeEventListener("abort", cancel);
      void this.#recheck(tunnel, token); // never rejects
    });
    if (token.signal.aborted) cancel();
    else token.signal.addEventListener("abort", cancel, { once: true });
  }

  async #recheck(tunnel: Tunnel, token: OpenToken): Promise<void> {
    let delayMs: number;
    try {
      const info = await this.#sessions.prove(token, token.signal);
      if (info.agentId !== tunnel.agentId) throw new Fault("token_unknown", "unauthenticated");
      delayMs = this.#sessions.proofLeftMs(info);
    } catch (error) {
      if (error instanceof Fault && isRefusal(error)) return tunnel.abort(statusOfThrown(error));
      // A main application that is away says nothing about the token.
      delayMs = this.#sessions.retryMs(error);
    }
    this.#recheckLater(tunnel, token, delayMs);
  }

  #violation(agentId: bigint, { session, fault }: { readonly session: ServerHttp2Session; readonly fault: Fault }): void {
    this.#options.metrics.frameViolation("agent");
    this.#options.log.warn({ error: fault, agent_id: String(agentId) }, "an agent broke the rules of a tunnel");
    // Later, so that the status of this stream gets out first.
    if (this.#violations.add(agentId)) this.#options.clock.after(100, () => session.destroy());
  }
}
