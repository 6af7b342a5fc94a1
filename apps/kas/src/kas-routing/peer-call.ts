import type { ClientHttp2Session } from "node:http2";

import {
  GRPC_CODE,
  GrpcClientStream,
  NO_METADATA,
  STATUS_OK,
  StreamAutomaton,
  statusOfThrown,
  type GrpcStatus,
  type Metadata,
} from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, AgentCallRequest } from "../agent-call/agent-call.ts";
import { metadataForAgent } from "../agent-call/agent-metadata.ts";
import { encodeCallContext } from "../agent-call/call-context.ts";
import {
  decodeGatewayFrame,
  GATEWAY_ORDER,
  HOP_AGENT_KEY,
  HOP_CONNECTION_KEY,
  HOP_CONTEXT_KEY,
  HOP_IMPERSONATION_KEY,
  noTunnelReasonOf,
  type NoTunnelReason,
} from "./gateway-frames.ts";

/** Why another kas could not give a tunnel. */
export type PeerOutcome = { readonly kind: "absent" | "outdated" | "busy" } | { readonly kind: "failed"; readonly message: string };

/** What the search is told while it asks another kas. Either `ready` (then `start` or `cancel` it), or `ended`. */
export interface PeerCallHandlers {
  /** The kas lives, but has no tunnel free just now; it lets us wait for a moment. */
  noTunnel(reason: NoTunnelReason): void;
  /** A tunnel is reserved there for a few seconds. */
  ready(): void;
  ended(outcome: PeerOutcome): void;
}

/** What a call through another kas is made of. */
export interface PeerCallOptions {
  readonly session: ClientHttp2Session;
  readonly request: AgentCallRequest;
  /** Value of `authorization`, for that kas and that agent only. */
  readonly token: string;
  /** How the other kas is called in errors: its address. */
  readonly peer: string;
}

/** The routing side of a call through another kas: asks for a tunnel there and, if it is wanted, carries the call. */
export class PeerCall {
  readonly #options: PeerCallOptions;
  readonly #handlers: PeerCallHandlers;
  readonly #order = new StreamAutomaton(GATEWAY_ORDER);
  readonly #stream: GrpcClientStream;
  #state: "asking" | "ready" | "started" | "done" = "asking";
  #listener: AgentCallListener | undefined;
  #reason: NoTunnelReason = "absent";
  #trailer: Metadata = NO_METADATA;
  #answered = false;
  #error: GrpcStatus | undefined;
  #stopListening = (): void => {};

  constructor(options: PeerCallOptions, handlers: PeerCallHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#stream = new GrpcClientStream(
      { session: options.session, path: options.request.method, metadata: hopMetadataOf(options) },
      {
        header: (metadata) => (this.#reason = noTunnelReasonOf(metadata)),
        message: (data) => this.#receive(data),
        end: (status, trailer) => this.#ended(status, trailer),
      },
    );
  }

  /** Takes the tunnel that is ready. */
  start(listener: AgentCallListener): AgentCall {
    if (this.#state !== "ready") throw new Error(`a call that is ${this.#state} cannot be started`);
    const { signal } = this.#options.request;
    const stream = this.#stream;
    const cancel = (): void => this.cancel();
    this.#state = "started";
    this.#listener = listener;
    stream.write([]); // StartStreaming, a message without fields
    signal.addEventListener("abort", cancel, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", cancel);
    if (signal.aborted) cancel();
    return {
      hops: 1,
      write: (pieces) => stream.write(pieces),
      onDrain: (resume) => stream.onDrain(resume),
      closeSend: () => stream.closeSend(),
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      cancel,
    };
  }

  /** Leaves: the other kas gives the tunnel back, or stops the call. */
  cancel(): void {
    if (this.#state === "done") return;
    this.#finish({ code: GRPC_CODE.cancelled, message: "the caller left" });
    this.#stream.cancel();
  }

  #receive(data: Uint8Array): void {
    if (this.#state === "done") return;
    try {
      const frame = decodeGatewayFrame(data);
      this.#order.check(frame.field);
      switch (frame.kind) {
        case "noTunnel":
          return this.#handlers.noTunnel(this.#reason);
        case "tunnelReady":
          this.#state = "ready";
          return this.#handlers.ready();
        case "header":
          this.#answered = true;
          return this.#listenerOf(frame.kind).header(frame.metadata);
        case "message":
          return this.#listenerOf(frame.kind).message(frame.data);
        case "trailer":
          this.#trailer = frame.metadata;
          return;
        case "error":
          this.#error = frame.status;
          return;
      }
    } catch (error) {
      this.#broken(statusOfThrown(error).message);
      this.#stream.cancel();
    }
  }

  #listenerOf(frame: string): AgentCallListener {
    if (!this.#listener) throw new Fault("frame_order", `${frame} came before the call was started`);
    return this.#listener;
  }

  #ended(status: GrpcStatus, trailer: Metadata): void {
    if (this.#state === "done") return;
    if (this.#state === "started") {
      if (status.code !== GRPC_CODE.ok) return this.#broken(status.message);
      try {
        this.#order.end();
      } catch (error) {
        return this.#broken(statusOfThrown(error).message);
      }
      return this.#finish(this.#error ?? STATUS_OK);
    }
    this.#state = "done";
    this.#handlers.ended(outcomeOf(status, trailer));
  }

  /** The kas, or the way to it, failed. */
  #broken(reason: string): void {
    const message = `kas ${this.#options.peer}: ${reason}`;
    if (this.#state === "started") return this.#finish({ code: GRPC_CODE.unavailable, message });
    this.#state = "done";
    this.#handlers.ended({ kind: "failed", message: reason });
  }

  #finish(status: GrpcStatus): void {
    this.#state = "done";
    this.#stopListening();
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.end({ ...status, trailer: this.#trailer, stage: this.#answered ? "answered" : "started" });
  }
}

function hopMetadataOf({ request, token }: PeerCallOptions): Metadata {
  const metadata = new Map(metadataForAgent(request.metadata));
  metadata.set("authorization", [token]);
  metadata.set(HOP_AGENT_KEY, [String(request.agentId)]);
  metadata.set(HOP_CONTEXT_KEY, [encodeCallContext(request.context)]);
  if (request.connectionId !== undefined) metadata.set(HOP_CONNECTION_KEY, [String(request.connectionId)]);
  if (request.impersonation === true) metadata.set(HOP_IMPERSONATION_KEY, ["1"]);
  return metadata;
}

function outcomeOf(status: GrpcStatus, trailer: Metadata): PeerOutcome {
  if (status.code === GRPC_CODE.resourceExhausted) return { kind: "busy" };
  if (status.code !== GRPC_CODE.ok) return { kind: "failed", message: status.message };
  return { kind: noTunnelReasonOf(trailer) };
}
