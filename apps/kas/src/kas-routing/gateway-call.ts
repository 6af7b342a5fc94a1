import { constants } from "node:http2";

import {
  GRPC_CODE,
  GrpcServerStream,
  HTTP_REQUEST_UPGRADE_DATA,
  metadataOfRawHeaders,
  STATUS_OK,
  statusOfThrown,
  wrapBytes,
  type GrpcStatus,
  type ByteLedger,
} from "@binnacle/grpc-wire";
import { callerKey } from "../agent-call/call-context.ts";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { TunnelNeed } from "../reverse-tunnel/agent-tunnels.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import type { Tunnel } from "../reverse-tunnel/tunnel.ts";
import type { AgentCall, AgentCallListener, CallResult } from "../agent-call/agent-call.ts";
import { agentMetadataOf } from "../agent-call/agent-metadata.ts";
import { isHttpMethod } from "../agent-call/routed-methods.ts";
import { GuardedListener } from "../agent-call/guarded-listener.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import {
  encodeWatchBudget,
  gatewayBodyFrame,
  gatewayErrorFrame,
  gatewayMessageFrame,
  gatewayMetadataFrame,
  gatewaySignalFrame,
  HOP_BUDGET_KEY,
  HOP_OURS_KEY,
  HOP_OUTCOME_KEY,
  HOP_RETRY_KEY,
  HOP_SILENT_KEY,
  HOP_STAGE_KEY,
  type NoTunnelReason,
} from "./gateway-frames.ts";
import type { HeldTunnels } from "./held-tunnels.ts";
import { reportPeerViolation } from "./peer-violation.ts";

/** What the gateway side needs. */
export interface GatewayCallOptions {
  readonly registry: TunnelRegistry;
  readonly clock: Clock;
  readonly held: HeldTunnels;
  readonly need: TunnelNeed;
  /** Names a tunnel that is held for this call. */
  readonly ticket: string | undefined;
  /** Where bytes that the other kas does not read are booked. Default: nowhere. */
  readonly ledger?: ByteLedger | undefined;
  readonly log: Logger;
  readonly metrics: RoutingMetrics;
}

/** One for all: an `AbortError` of its own would cost a stack trace per call. */
const GONE = new Fault("cancelled", "the caller left");
const TOO_MUCH = constants.NGHTTP2_ENHANCE_YOUR_CALM;

/** How long a call that was promised a tunnel waits for another one when it got lost. */
export const GATEWAY_WAIT_MS = 2_000;
/** How long a tunnel stays reserved for a kas that does not say StartStreaming. */
const RESERVED_MS = 5_000;

/**
 * The gateway side of a call from another kas. It obeys: it looks only at the tunnels of this process and never routes further,
 * so no call can go round in circles.
 */
export class GatewayCall implements AgentCallListener {
  readonly #options: GatewayCallOptions;
  readonly #incoming: IncomingStream;
  readonly #grpc: GrpcServerStream;
  readonly #left = new AbortController();
  readonly body: AgentCallListener["body"];
  #tunnel: Tunnel | undefined;
  #call: AgentCall | undefined;
  /** Frames that came with StartStreaming while its tunnel was lost; the pause bounds them to one chunk. */
  readonly #early: Uint8Array[] = [];
  #announced = false;
  #startWanted = false;
  #headerSent = false;
  #halfClosed = false;
  #giveUpWait = (): void => {};
  #cancelTimer = (): void => {};

  private constructor(incoming: IncomingStream, options: GatewayCallOptions) {
    this.#incoming = incoming;
    this.#options = options;
    this.body = isHttpMethod(options.need.method) ? (bytes, field) => this.#write(gatewayBodyFrame(bytes, field)) : undefined;
    this.#grpc = new GrpcServerStream(incoming, {
      message: (data) => this.#receive(data),
      piece: (bytes) => this.#passOn(wrapBytes(HTTP_REQUEST_UPGRADE_DATA, [bytes])),
      halfClose: () => this.#callerHalfClosed(),
      closed: () => this.#callerLeft(),
    });
    this.#grpc.onDrain(() => this.#call?.resume());
    const { ledger, need } = options;
    // The other kas does not read: its user pays, and loses the largest call when too many bytes wait.
    if (ledger) this.#grpc.book(ledger.open({ kind: "user", id: callerKey(need.context.caller) }, () => this.#grpc.reset(TOO_MUCH)));
  }

  /** Answers a stream whose token was checked. */
  static accept(incoming: IncomingStream, options: GatewayCallOptions): void {
    new GatewayCall(incoming, options).#find();
  }

  header(metadata: ReadonlyMap<string, readonly string[]>): void {
    this.#headerSent = true;
    this.#grpc.writeFrame(gatewayMetadataFrame("header", metadata));
  }

  message(data: Uint8Array): void {
    this.#write(gatewayMessageFrame(data));
  }

  end(result: CallResult): void {
    // Trailers are only legal after a header; an agent may fail without one.
    if (this.#headerSent) this.#grpc.writeFrame(gatewayMetadataFrame("trailer", result.trailer));
    if (result.code !== GRPC_CODE.ok || !this.#headerSent) this.#grpc.writeFrame(gatewayErrorFrame(errorOf(result)));
    const trailers = new Map<string, readonly string[]>([[HOP_STAGE_KEY, [result.stage]]]);
    if (result.silent) trailers.set(HOP_SILENT_KEY, [result.silent]);
    this.#grpc.end(STATUS_OK, trailers);
  }

  #write(frame: readonly Uint8Array[]): void {
    if (!this.#grpc.writeFrame(frame)) this.#call?.pause();
  }

  #find(): void {
    const { registry, need, held, ticket } = this.#options;
    try {
      const tunnel = (ticket === undefined ? undefined : held.claim(ticket, need)) ?? registry.reserve(need);
      if (tunnel) return this.#reserved(tunnel);
    } catch (error) {
      return this.#refuse(error);
    }
    // There is no wait here, because it would occupy a stream per caller: another kas announces all its waits on one stream.
    const outcome = new Map([[HOP_OUTCOME_KEY, [this.#outcome()]]]);
    this.#grpc.sendHeader(outcome);
    this.#grpc.writeFrame(gatewaySignalFrame("noTunnel"));
    this.#grpc.end(STATUS_OK, outcome);
  }

  /** A tunnel was promised and got lost: the promise stands for a moment, an agent opens a new tunnel after each call. */
  #replace(): void {
    const { registry, need, clock } = this.#options;
    try {
      const tunnel = registry.reserve(need);
      if (tunnel) return this.#reserved(tunnel);
      this.#giveUpWait = registry.wait(
        need,
        (given) => this.#reserved(given),
        (fault) => this.#notStarted(fault.message),
      );
    } catch (error) {
      return this.#notStarted(statusOfThrown(error).message);
    }
    this.#cancelTimer = clock.after(need.context.waitMs, () => {
      this.#giveUpWait();
      this.#notStarted("the tunnel broke");
    });
  }

  #outcome(): NoTunnelReason {
    const presence = this.#options.registry.presence(this.#options.need);
    return presence === "free" ? "busy" : presence;
  }

  #reserved(tunnel: Tunnel): void {
    this.#cancelTimer();
    this.#giveUpWait = () => {};
    this.#tunnel = tunnel;
    tunnel.onLost(() => {
      this.#tunnel = undefined;
      this.#cancelTimer();
      this.#replace();
    });
    if (!this.#announced) this.#announce(tunnel);
    if (this.#startWanted) return this.#start(tunnel);
    this.#cancelTimer = this.#options.clock.after(RESERVED_MS, () => {
      this.#giveBack();
      this.#grpc.end(statusOfThrown(new Fault("deadline", `no StartStreaming within ${RESERVED_MS} ms`)));
    });
  }

  #announce(tunnel: Tunnel): void {
    const { registry, need } = this.#options;
    const budget = registry.watchBudget(need.agentId, need.context.caller);
    this.#announced = true;
    const header = new Map<string, readonly string[]>([[HOP_OURS_KEY, [tunnel.agentIsOurs ? "1" : "0"]]]);
    if (budget) header.set(HOP_BUDGET_KEY, [encodeWatchBudget(budget)]);
    this.#grpc.sendHeader(header);
    this.#grpc.writeFrame(gatewaySignalFrame("tunnelReady"));
  }

  #refuse(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    const trailer = new Map<string, readonly string[]>([[HOP_OUTCOME_KEY, [error.reason]]]);
    if (error.retryAfterSeconds !== undefined) trailer.set(HOP_RETRY_KEY, [String(error.retryAfterSeconds)]);
    this.#grpc.end(statusOfThrown(error), trailer);
  }

  /** The agent has not seen the call, and will not. */
  #notStarted(message: string): void {
    if (this.#startWanted) this.#grpc.writeFrame(gatewayErrorFrame({ code: GRPC_CODE.unavailable, message }));
    this.#grpc.end(STATUS_OK, new Map([[HOP_STAGE_KEY, ["not_started"]]]));
  }

  #receive(data: Uint8Array): void {
    if (this.#call) return this.#passOn([data]);
    if (this.#startWanted) return void this.#early.push(data);
    if (data.byteLength > 0) throw this.#violation("a routing kas must say StartStreaming first");
    this.#startWanted = true;
    if (this.#tunnel) this.#start(this.#tunnel);
    else this.#grpc.pause();
  }

  #passOn(message: readonly Uint8Array[]): void {
    if (this.#call?.write(message) === false) this.#grpc.pause();
  }

  #violation(message: string): Fault {
    const fault = new Fault("frame_order", message);
    reportPeerViolation({ ...this.#options, agentId: this.#options.need.agentId }, fault);
    return fault;
  }

  #start(tunnel: Tunnel): void {
    this.#cancelTimer();
    this.#tunnel = undefined;
    const { need, log, metrics } = this.#options;
    const metadata = agentMetadataOf(need.context, metadataOfRawHeaders(this.#incoming.rawHeaders));
    const listener = new GuardedListener(this, { ...need, log, metrics });
    const { answerWithinMs } = need.context;
    this.#call = tunnel.start({ method: need.method, metadata, signal: this.#left.signal, hops: 1, answerWithinMs }, listener);
    this.#call.onDrain(() => this.#grpc.resume());
    if (isHttpMethod(need.method)) this.#grpc.cutThrough([HTTP_REQUEST_UPGRADE_DATA]);
    let room = true;
    for (const data of this.#early.splice(0)) room = this.#call.write([data]);
    if (room) this.#grpc.resume();
    if (this.#halfClosed) this.#call.closeSend();
  }

  #callerHalfClosed(): void {
    this.#halfClosed = true;
    if (this.#call) return this.#call.closeSend();
    if (!this.#startWanted) this.#grpc.end(STATUS_OK);
  }

  #callerLeft(): void {
    this.#cancelTimer();
    this.#giveUpWait();
    this.#giveBack();
    this.#left.abort(GONE);
  }

  #giveBack(): void {
    const tunnel = this.#tunnel;
    this.#tunnel = undefined;
    if (tunnel) this.#options.registry.release(tunnel);
  }
}

function errorOf(result: CallResult): GrpcStatus {
  return result.code === GRPC_CODE.ok
    ? { code: GRPC_CODE.internal, message: "the agent ended without an answer" }
    : { code: result.code, message: result.message, ...(result.details && { details: result.details }) };
}
