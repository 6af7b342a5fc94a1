import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

import {
  GRPC_CODE,
  GrpcServerStream,
  statusOfThrown,
  TUNNELLED_RESPONSE_UPGRADE_DATA,
  type ByteLedger,
  type BytesPath,
  type GrpcRequestListener,
  type LedgerOwner,
  type SessionProbe,
  type Metadata,
} from "@binnacle/grpc-wire";
import { Fault, type Clock, type Slot, type Slots } from "@binnacle/rpc";

import type { SilentParty } from "../agent-call/agent-call.ts";
import { LingeringClose } from "./lingering-close.ts";
import { Tunnel, type TunnelAbility, type TunnelHost } from "./tunnel.ts";
import type { TunnelRegistry } from "./tunnel-registry.ts";

const NOTHING = (): void => {};
const DESCRIPTOR_MS = 10_000;

/**
 * What this kas can do beyond v14.1.1, as an agent reads it from the headers of its tunnel (which v14.1.1 does not send early). `half-close`: an
 * idle tunnel may be given back by closing its sending side; other kas treat that as a broken frame order and fail a client's request with 502.
 */
const KAS_CAPABILITIES: Metadata = new Map([["kas-caps", ["half-close"]]]);

/** How long an agent that has answered may take to read what was still on its way to it. */
const UNREAD_MS = 5_000;

/** What every tunnel of a kas shares. */
interface ServedTunnelOptions {
  readonly registry: TunnelRegistry;
  readonly ledger: ByteLedger;
  readonly clock: Clock;
}

/** What the tunnels of one agent on one session have in common. */
export interface TunnelsOf {
  readonly agentId: bigint;
  readonly replica: string;
  readonly abilities: TunnelHost["can"];
  readonly poolMaximum: number | undefined;
  /** Whose bytes those are that wait for or from the agent. */
  readonly owner: LedgerOwner;
  /** The tunnels of the session. */
  readonly tunnels: Slots<Tunnel>;
  readonly probe: () => SessionProbe;
  readonly violation: (fault: Fault) => void;
}

/** Binds a tunnel to its HTTP/2 stream, its registry and its deadlines. One object for all of that: thousands are opened in a second. */
export class ServedTunnel implements GrpcRequestListener, TunnelHost {
  readonly #options: ServedTunnelOptions;
  readonly #of: TunnelsOf;
  readonly #http2: ServerHttp2Stream;
  #tunnel: Tunnel | undefined;
  #slot: Slot<Tunnel> | undefined;
  #cancelDeadline = NOTHING;
  #stopProving = NOTHING;

  /** @param http2 a stream of an agent whose token was checked */
  constructor(options: ServedTunnelOptions, of: TunnelsOf, http2: ServerHttp2Stream) {
    this.#options = options;
    this.#of = of;
    this.#http2 = http2;
  }

  get agentId(): bigint {
    return this.#of.agentId;
  }

  get replica(): string {
    return this.#of.replica;
  }

  get poolMaximum(): number | undefined {
    return this.#of.poolMaximum;
  }

  /** Reads the descriptor. @param prove proves the token again and again, until the returned function is called */
  begin(headers: IncomingHttpHeaders, prove: (tunnel: Tunnel) => () => void): void {
    const { clock, ledger } = this.#options;
    const { owner, tunnels } = this.#of;
    const grpc = new GrpcServerStream({ stream: this.#http2, headers }, this);
    const tunnel = new Tunnel(this, grpc);
    this.#tunnel = tunnel;
    this.#slot = tunnels.add(tunnel);
    grpc.book(ledger.open(owner, (fault) => this.#cut(tunnel, fault)));
    this.#cancelDeadline = clock.after(DESCRIPTOR_MS, () => {
      if (tunnel.state === "accepted") tunnel.abort({ code: GRPC_CODE.unavailable, message: `no descriptor within ${DESCRIPTOR_MS} ms` });
    });
    this.#stopProving = prove(tunnel);
    grpc.sendHeader(KAS_CAPABILITIES);
  }

  message(data: Uint8Array): void {
    this.#tunnel?.receive(data);
  }

  piece(bytes: Uint8Array, path: BytesPath): void {
    this.#tunnel?.receiveBody(bytes, path === TUNNELLED_RESPONSE_UPGRADE_DATA ? "upgradeData" : "data");
  }

  halfClose(): void {
    this.#tunnel?.halfClosed();
  }

  closed(cancelled: boolean): void {
    this.#stopProving();
    const tunnel = this.#tunnel;
    // Neither the agent nor kas ended it: its bytes were no frames.
    if (!cancelled && tunnel && tunnel.state !== "done") this.onViolation(new Fault("invalid_request", "broken framing"));
    tunnel?.closed();
  }

  can(ability: TunnelAbility): boolean {
    return this.#of.abilities(ability);
  }

  awaitAnswer(limitMs: number, silent: (who: SilentParty) => void): () => void {
    return awaitAnswer({ clock: this.#options.clock, probe: this.#of.probe(), limitMs }, silent);
  }

  linger(giveUp: () => void): LingeringClose {
    return new LingeringClose(this.#options.clock, giveUp);
  }

  onReady(tunnel: Tunnel): void {
    this.#endDeadline();
    this.#options.registry.add(tunnel);
  }

  onDone(tunnel: Tunnel): void {
    const { clock, registry } = this.#options;
    const { tunnels } = this.#of;
    const http2 = this.#http2;
    this.#endDeadline();
    registry.remove(tunnel);
    if (this.#slot) tunnels.remove(this.#slot);
    // Trailers queue behind an upload that the agent answered before its end. One that does not even read the rest would lose
    // the slot for ever: a reset throws those bytes away.
    if (http2.writableLength > 0) clock.after(UNREAD_MS, () => http2.destroyed || http2.close(constants.NGHTTP2_CANCEL));
  }

  onViolation(fault: Fault): void {
    this.#of.violation(fault);
  }

  /** An idle tunnel need not hold a timer that is over. */
  #endDeadline(): void {
    this.#cancelDeadline();
    this.#cancelDeadline = NOTHING;
  }

  #cut(tunnel: Tunnel, fault: Fault): void {
    const http2 = this.#http2;
    tunnel.abort(statusOfThrown(fault));
    // What it did not read is what there was too much of: no polite end would get past it.
    if (http2.writableLength > 0) http2.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/** Options of `awaitAnswer`. */
interface AwaitAnswerOptions {
  readonly clock: Clock;
  /** Of the connection that the agent's tunnel is on. */
  readonly probe: Pick<SessionProbe, "ask">;
  readonly limitMs: number;
}

/**
 * Waits for an agent to begin its answer; then probes its connection with a ping and reports the party that is silent: an agent that answers
 * a ping waits for its cluster. It works for every agent, because HTTP/2 itself answers a ping.
 *
 * @param silent called once, unless the returned function was called before
 */
export function awaitAnswer({ clock, probe, limitMs }: AwaitAnswerOptions, silent: (who: SilentParty) => void): () => void {
  let cancel = clock.after(limitMs, () => {
    cancel = probe.ask((alive) => silent(alive ? "cluster" : "agent"));
  });
  return () => cancel();
}
