import { GrpcServerStream, STATUS_OK } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { decodeCallContext } from "../agent-call/call-context.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import type { IncomingStream } from "../http2-listener/http2-listener.ts";
import type { TunnelNeed } from "../reverse-tunnel/agent-tunnels.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import type { Tunnel } from "../reverse-tunnel/tunnel.ts";
import type { HeldTunnels } from "./held-tunnels.ts";
import { reportPeerViolation } from "./peer-violation.ts";
import { decodeWaitRequest, encodeWait, MAX_WAIT_MESSAGE_BYTES, type WaitAnswer } from "./wait-frames.ts";

/** What the gateway side of waiting needs. */
export interface GatewayWaitsOptions {
  readonly registry: TunnelRegistry;
  readonly held: HeldTunnels;
  /** What all waits of the stream are for; the context of each comes with it. */
  readonly need: Omit<TunnelNeed, "context">;
  readonly log: Logger;
  readonly metrics: RoutingMetrics;
}

/**
 * The gateway side of the one stream over which another kas announces the waits of its callers. They are in the same queue as the callers
 * of this kas; when it is the turn of one, a tunnel is reserved and only that caller is notified.
 */
export class GatewayWaits {
  readonly #options: GatewayWaitsOptions;
  readonly #grpc: GrpcServerStream;
  readonly #waits = new Map<number, () => void>();
  readonly #tickets = new Set<string>();

  private constructor(incoming: IncomingStream, options: GatewayWaitsOptions) {
    this.#options = options;
    this.#grpc = new GrpcServerStream(
      { stream: incoming.stream, headers: incoming.headers, maxMessageBytes: MAX_WAIT_MESSAGE_BYTES },
      {
        message: (data) => this.#take(data),
        halfClose: () => this.#grpc.end(STATUS_OK),
        closed: () => this.#closed(),
      },
    );
    this.#grpc.onDrain(() => this.#grpc.resume());
    this.#grpc.sendHeader();
  }

  /** Answers a stream whose token was checked. */
  static accept(incoming: IncomingStream, options: GatewayWaitsOptions): void {
    // The stream calls it from now on.
    void new GatewayWaits(incoming, options);
  }

  #take(data: Uint8Array): void {
    try {
      this.#receive(data);
    } catch (error) {
      if (error instanceof Fault) reportPeerViolation({ ...this.#options, agentId: this.#options.need.agentId }, error);
      throw error;
    }
  }

  #receive(data: Uint8Array): void {
    const request = decodeWaitRequest(data);
    switch (request.kind) {
      case "wait":
        return this.#wait(request.id, request.context);
      case "leave":
        return this.#leave(request.id);
      case "return":
        if (this.#tickets.has(request.ticket)) this.#options.held.giveBack(request.ticket);
        return undefined;
    }
  }

  #wait(id: number, context: string): void {
    const { registry, need } = this.#options;
    if (this.#waits.has(id)) throw new Fault("frame_order", "a kas named two waits alike");
    const whole: TunnelNeed = { ...need, context: decodeCallContext(context, 0) };
    try {
      const tunnel = registry.reserve(whole);
      if (tunnel) return this.#ready(id, tunnel);
      const stop = registry.wait(
        whole,
        (given) => this.#ready(id, given),
        (fault) => this.#refused(id, fault),
      );
      this.#waits.set(id, stop);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#refused(id, error);
    }
  }

  #leave(id: number): void {
    this.#waits.get(id)?.();
    this.#waits.delete(id);
  }

  #ready(id: number, tunnel: Tunnel): void {
    this.#waits.delete(id);
    this.#send({ kind: "ready", id, ticket: this.#options.held.hold(tunnel, this.#tickets) });
  }

  #refused(id: number, { reason, message, retryAfterSeconds }: Fault): void {
    this.#waits.delete(id);
    this.#send({ kind: "refused", id, reason, message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  }

  #send(answer: WaitAnswer): void {
    // A kas that does not read our answers is not heard either: it cannot make us keep more of them.
    if (!this.#grpc.write([encodeWait(answer)])) this.#grpc.pause();
  }

  #closed(): void {
    for (const stop of this.#waits.values()) stop();
    this.#waits.clear();
    for (const ticket of this.#tickets) this.#options.held.giveBack(ticket);
  }
}
