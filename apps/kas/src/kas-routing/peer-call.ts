import {
  GRPC_CODE,
  GrpcClientStream,
  NO_METADATA,
  STATUS_OK,
  StreamAutomaton,
  statusOfThrown,
  type GrpcStatus,
  type Metadata,
  type ByteAccount,
} from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import type {
  AgentCall,
  AgentCallListener,
  AgentCallRequest,
  AnswerField,
  CallStage,
  SilentParty,
  WatchBudget,
} from "../agent-call/agent-call.ts";
import { agentMetadataOf } from "../agent-call/agent-metadata.ts";
import { encodeCallContext } from "../agent-call/call-context.ts";
import {
  decodeGatewayFrame,
  decodeWatchBudget,
  GATEWAY_BYTES,
  GATEWAY_MESSAGE_FIELD,
  GATEWAY_ORDER,
  HOP_BUDGET_KEY,
  HOP_CONTEXT_KEY,
  HOP_OURS_KEY,
  HOP_OUTCOME_KEY,
  HOP_RETRY_KEY,
  HOP_SILENT_KEY,
  HOP_STAGE_KEY,
  HOP_TICKET_KEY,
  needMetadataOf,
  noTunnelReasonOf,
  type NoTunnelReason,
} from "./gateway-frames.ts";
import type { PeerLease } from "./peer-sessions.ts";
import { refusalFault } from "./wait-frames.ts";

/** Why another kas could not give a tunnel: it has none for this kas now, rejects the call, or could not be reached. */
export type PeerOutcome =
  | { readonly kind: NoTunnelReason }
  | { readonly kind: "refused"; readonly fault: Fault }
  /** For the log: it may name addresses. */
  | { readonly kind: "failed"; readonly message: string };

/** Events of a request to another kas. Either `ready` (then `start` or `cancel` it), or `ended`. */
export interface PeerCallHandlers {
  /** A tunnel is reserved there for a few seconds. */
  ready(): void;
  ended(outcome: PeerOutcome): void;
  /** At any time: the other kas broke the rules of its frames, which ends the call. */
  violated(fault: Fault): void;
  /** The kas, or the way to it, failed during the call; `message` is for the log. */
  broke(message: string): void;
}

/** What a call through another kas is made of. */
export interface PeerCallOptions {
  /** Its place is given back when the call has ended. */
  readonly lease: PeerLease;
  readonly request: AgentCallRequest;
  /** Value of `authorization`, for that kas and that agent only. */
  readonly token: string;
  /** Names a tunnel that is held there for this call. */
  readonly ticket?: string | undefined;
  /** Where bytes that wait for this call are booked; closed with it. */
  readonly account?: ByteAccount | undefined;
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
  #budget: WatchBudget | undefined;
  #agentIsOurs = false;
  #trailer: Metadata = NO_METADATA;
  /** As long as the gateway does not say more, what was sent may have reached the agent. */
  #stage: CallStage = "started";
  #silent: SilentParty | undefined;
  #error: GrpcStatus | undefined;
  #stopListening = (): void => {};

  constructor(options: PeerCallOptions, handlers: PeerCallHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#stream = new GrpcClientStream(
      {
        session: options.lease.session,
        path: options.request.method,
        metadata: hopMetadataOf(options),
        ...(options.account && { account: options.account }),
      },
      {
        header: (metadata) => this.#header(metadata),
        message: (data) => this.#receive(data),
        piece: (bytes, path) => this.#receiveBody(bytes, path === GATEWAY_BYTES.upgradeData ? "upgradeData" : "data"),
        end: (status, trailer) => {
          options.lease.release();
          this.#ended(status, trailer);
        },
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
    if (listener.body) stream.cutThrough(Object.values(GATEWAY_BYTES));
    stream.write([]); // StartStreaming, a message without fields
    signal.addEventListener("abort", cancel, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", cancel);
    if (signal.aborted) cancel();
    return {
      hops: 1,
      agentIsOurs: this.#agentIsOurs,
      ...(this.#budget && { watchBudget: this.#budget }),
      write: (pieces) => stream.write(pieces),
      onDrain: (resume) => stream.onDrain(resume),
      closeSend: () => stream.closeSend(),
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      cancel,
    };
  }

  /** Ends the call because too many of its bytes wait here. */
  cut(fault: Fault): void {
    if (this.#state === "done") return;
    this.#finish(statusOfThrown(fault));
    this.#stream.cancel();
  }

  /** Leaves: the other kas gives the tunnel back, or stops the call. */
  cancel(): void {
    if (this.#state === "done") return;
    this.#finish({ code: GRPC_CODE.cancelled, message: "the caller left" });
    this.#stream.cancel();
  }

  #header(metadata: Metadata): void {
    this.#reason = noTunnelReasonOf(metadata);
    this.#budget = decodeWatchBudget(metadata.get(HOP_BUDGET_KEY)?.[0]);
    this.#agentIsOurs = metadata.get(HOP_OURS_KEY)?.[0] === "1";
  }

  #receive(data: Uint8Array): void {
    if (this.#state === "done") return;
    try {
      const frame = decodeGatewayFrame(data);
      this.#order.check(frame.field);
      switch (frame.kind) {
        case "noTunnel":
          return this.#noTunnel();
        case "tunnelReady":
          this.#state = "ready";
          return this.#handlers.ready();
        case "header":
          this.#stage = "answered";
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
      this.#violated(error);
    }
  }

  #receiveBody(bytes: Uint8Array, field: AnswerField): void {
    if (this.#state === "done") return;
    try {
      this.#order.check(GATEWAY_MESSAGE_FIELD);
      this.#listenerOf("message").body?.(bytes, field);
    } catch (error) {
      this.#violated(error);
    }
  }

  #violated(error: unknown): void {
    if (error instanceof Fault) this.#handlers.violated(error);
    this.#broken(statusOfThrown(error).message);
    this.#stream.cancel();
  }

  /** A kas of another version may keep the stream for a moment: waiting is not what it is for. */
  #noTunnel(): void {
    this.#state = "done";
    this.#stream.cancel();
    this.#handlers.ended({ kind: this.#reason });
  }

  #listenerOf(frame: string): AgentCallListener {
    if (!this.#listener) throw new Fault("frame_order", `${frame} came before the call was started`);
    return this.#listener;
  }

  #ended(status: GrpcStatus, trailer: Metadata): void {
    if (this.#state === "done") return;
    if (this.#state === "started") {
      this.#learn(trailer);
      if (status.code !== GRPC_CODE.ok) return this.#broken(status.message);
      try {
        this.#order.end();
      } catch (error) {
        if (error instanceof Fault) this.#handlers.violated(error);
        return this.#broken(statusOfThrown(error).message);
      }
      return this.#finish(this.#error ?? STATUS_OK);
    }
    this.#state = "done";
    this.#handlers.ended(outcomeOf(status, trailer));
  }

  /** What the other kas knows of the end: an agent may have answered with nothing but an error, which has no header here. */
  #learn(trailer: Metadata): void {
    const stage = trailer.get(HOP_STAGE_KEY)?.[0];
    if (this.#stage !== "answered" && (stage === "not_started" || stage === "answered")) this.#stage = stage;
    const silent = trailer.get(HOP_SILENT_KEY)?.[0];
    if (silent === "agent" || silent === "cluster") this.#silent = silent;
  }

  /** The kas, or the way to it, failed. */
  #broken(reason: string): void {
    if (this.#state === "started") {
      this.#handlers.broke(reason);
      return this.#finish({ code: GRPC_CODE.unavailable, message: "the kas that has the tunnel failed" });
    }
    this.#state = "done";
    this.#handlers.ended({ kind: "failed", message: reason });
  }

  #finish(status: GrpcStatus): void {
    this.#state = "done";
    this.#stopListening();
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.end({ ...status, trailer: this.#trailer, stage: this.#stage, ...(this.#silent && { silent: this.#silent }) });
  }
}

function hopMetadataOf({ request, token, ticket }: PeerCallOptions): Metadata {
  const metadata = new Map([...agentMetadataOf(request.context, request.metadata), ...needMetadataOf(request)]);
  metadata.set("authorization", [token]);
  metadata.set(HOP_CONTEXT_KEY, [encodeCallContext(request.context)]);
  if (ticket !== undefined) metadata.set(HOP_TICKET_KEY, [ticket]);
  return metadata;
}

function outcomeOf(status: GrpcStatus, trailer: Metadata): PeerOutcome {
  if (status.code === GRPC_CODE.ok) return { kind: noTunnelReasonOf(trailer) };
  if (status.code !== GRPC_CODE.resourceExhausted) return { kind: "failed", message: status.message };
  const reason = trailer.get(HOP_OUTCOME_KEY)?.[0];
  // Resets for a flood have the same code: only a status with a reason is a rejection.
  if (reason === undefined) return { kind: "busy" };
  const retryAfterSeconds = Number(trailer.get(HOP_RETRY_KEY)?.[0]);
  const retry = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  return { kind: "refused", fault: refusalFault({ reason, message: status.message, ...retry }) };
}
