import { GRPC_CODE, GrpcServerStream, metadataOfRawHeaders, STATUS_OK, statusOfThrown, type GrpcStatus } from "@binnacle/grpc-wire";
import { Fault, type Clock } from "@binnacle/rpc";

import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { TunnelNeed, TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import type { Tunnel } from "../reverse-tunnel/tunnel.ts";
import type { AgentCall, AgentCallListener, CallResult } from "../agent-call/agent-call.ts";
import {
  gatewayErrorFrame,
  gatewayMessageFrame,
  gatewayMetadataFrame,
  gatewaySignalFrame,
  HOP_OUTCOME_KEY,
  type NoTunnelReason,
} from "./gateway-frames.ts";

/** What the gateway side needs. */
export interface GatewayCallOptions {
  readonly registry: TunnelRegistry;
  readonly clock: Clock;
  readonly need: TunnelNeed;
}

/** How long a caller on another kas may wait for a tunnel of this one; it asks again if it wants. */
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
  #tunnel: Tunnel | undefined;
  #call: AgentCall | undefined;
  /** Frames that came with StartStreaming while its tunnel was lost; the pause bounds them to one chunk. */
  readonly #early: Uint8Array[] = [];
  #startWanted = false;
  #headerSent = false;
  #halfClosed = false;
  #giveUpWait = (): void => {};
  #cancelTimer = (): void => {};

  private constructor(incoming: IncomingStream, options: GatewayCallOptions) {
    this.#incoming = incoming;
    this.#options = options;
    this.#grpc = new GrpcServerStream(incoming, {
      message: (data) => this.#receive(data),
      halfClose: () => this.#callerHalfClosed(),
      closed: () => this.#callerLeft(),
    });
    this.#grpc.onDrain(() => this.#call?.resume());
  }

  /** Answers a stream whose token was checked. */
  static accept(incoming: IncomingStream, options: GatewayCallOptions): void {
    new GatewayCall(incoming, options).#find(true);
  }

  header(metadata: ReadonlyMap<string, readonly string[]>): void {
    this.#headerSent = true;
    this.#grpc.writeFrame(gatewayMetadataFrame("header", metadata));
  }

  message(data: Uint8Array): void {
    if (!this.#grpc.writeFrame(gatewayMessageFrame(data))) this.#call?.pause();
  }

  end(result: CallResult): void {
    // Trailers are only legal after a header; an agent may fail without one.
    if (this.#headerSent) this.#grpc.writeFrame(gatewayMetadataFrame("trailer", result.trailer));
    if (result.code !== GRPC_CODE.ok || !this.#headerSent) this.#grpc.writeFrame(gatewayErrorFrame(errorOf(result)));
    this.#grpc.end(STATUS_OK);
  }

  /** @param announce false when a tunnel was promised before and got lost: the promise stands */
  #find(announce: boolean): void {
    const { registry, need, clock } = this.#options;
    const tunnel = registry.reserve(need);
    if (tunnel) return this.#reserved(tunnel, announce);
    // Also an agent that has nothing here may be back in a moment: it opens a new tunnel after each call.
    if (announce) {
      this.#grpc.sendHeader(new Map([[HOP_OUTCOME_KEY, [this.#outcome()]]]));
      this.#grpc.writeFrame(gatewaySignalFrame("noTunnel"));
    }
    try {
      this.#giveUpWait = registry.wait(need, (given) => this.#reserved(given, announce));
    } catch (error) {
      return this.#grpc.end(statusOfThrown(error));
    }
    this.#cancelTimer = clock.after(need.context.waitMs, () => {
      this.#giveUpWait();
      this.#none();
    });
  }

  #outcome(): NoTunnelReason {
    const presence = this.#options.registry.presence(this.#options.need);
    return presence === "free" ? "busy" : presence;
  }

  #reserved(tunnel: Tunnel, announce: boolean): void {
    this.#cancelTimer();
    this.#giveUpWait = () => {};
    this.#tunnel = tunnel;
    tunnel.onLost(() => {
      this.#tunnel = undefined;
      this.#cancelTimer();
      this.#find(false);
    });
    if (announce) this.#grpc.writeFrame(gatewaySignalFrame("tunnelReady"));
    if (this.#startWanted) return this.#start(tunnel);
    this.#cancelTimer = this.#options.clock.after(RESERVED_MS, () => {
      this.#giveBack();
      this.#grpc.end(statusOfThrown(new Fault("deadline", `no StartStreaming within ${RESERVED_MS} ms`)));
    });
  }

  #none(): void {
    if (this.#startWanted) this.#grpc.writeFrame(gatewayErrorFrame({ code: GRPC_CODE.unavailable, message: "the tunnel broke" }));
    this.#grpc.end(STATUS_OK, new Map([[HOP_OUTCOME_KEY, [this.#outcome()]]]));
  }

  #receive(data: Uint8Array): void {
    if (this.#call) {
      if (!this.#call.write([data])) this.#grpc.pause();
      return;
    }
    if (this.#startWanted) return void this.#early.push(data);
    if (data.byteLength > 0) throw new Fault("frame_order", "a routing kas must say StartStreaming first");
    this.#startWanted = true;
    if (this.#tunnel) this.#start(this.#tunnel);
    else this.#grpc.pause();
  }

  #start(tunnel: Tunnel): void {
    this.#cancelTimer();
    this.#tunnel = undefined;
    const { method } = this.#options.need;
    const metadata = metadataOfRawHeaders(this.#incoming.rawHeaders);
    this.#call = tunnel.start({ method, metadata, signal: this.#left.signal, hops: 1 }, this);
    this.#call.onDrain(() => this.#grpc.resume());
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
    this.#left.abort();
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
    : { code: result.code, message: result.message };
}
