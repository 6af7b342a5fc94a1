import {
  DEFAULT_MAX_MESSAGE_BYTES,
  GRPC_CODE,
  STATUS_OK,
  StreamAutomaton,
  statusOfThrown,
  TUNNELLED_RESPONSE_DATA,
  TUNNELLED_RESPONSE_UPGRADE_DATA,
  type BytesPath,
  type GrpcStatus,
  type Metadata,
  NO_METADATA,
} from "@binnacle/grpc-wire";
import { Fault, type Slot } from "@binnacle/rpc";

import type {
  AgentCall,
  AgentCallListener,
  AnswerField,
  CallResult,
  CallStage,
  SilentParty,
  WatchBudget,
} from "../agent-call/agent-call.ts";
import { metadataForAgent } from "../agent-call/agent-metadata.ts";
import type { LingeringClose } from "./lingering-close.ts";
import { acquireCapabilities, type HeldCapabilities } from "./tunnel-descriptor.ts";
import {
  brokenMessageFrame,
  closeSendFrame,
  CONNECT_REQUEST_ORDER,
  decodeAgentFrame,
  MESSAGE_FIELD,
  messageFrame,
  requestInfoFrame,
} from "./tunnel-frames.ts";

/**
 * - `accepted`: authenticated, its descriptor has not come yet
 * - `ready`: free; the registry owns it
 * - `reserved`: promised to a caller, nothing sent: it can go back to `ready`
 * - `started`: carries a call
 * - `half-closed`: the caller sends no more, the agent still answers
 * - `lingering`: the caller has left, and the agent is not one to be reset: it ends by itself, and its messages until then are discarded
 * - `done`: over; a tunnel carries one call in its life
 */
export type TunnelState = "accepted" | "ready" | "reserved" | "started" | "half-closed" | "lingering" | "done";

/** An ability of the agent of a tunnel. */
export type TunnelAbility = "impersonation" | "reset" | "upgrade";

/** The stream under a tunnel, as `GrpcServerStream` has it. */
export interface TunnelStream {
  /** It was ended for bytes that are no frames; `closed` will follow. */
  readonly ended: boolean;
  writeFrame(pieces: readonly Uint8Array[]): boolean;
  onDrain(resume: () => void): void;
  pause(): void;
  resume(): void;
  /** Bounds the messages that begin from now on, in bytes. */
  limitMessages(maxMessageBytes: number): void;
  /** From now on the field at the end of each path is delivered in pieces where its message comes in several chunks. */
  cutThrough(paths: readonly BytesPath[]): void;
  end(status: GrpcStatus): void;
  reset(): void;
}

/** One for all: thousands of tunnels do nothing most of the time. */
const NOTHING = (): void => {};

/** Whose tunnel it is, and who looks after it. */
export interface TunnelHost {
  readonly agentId: bigint;
  /** Which agentk process it comes from: "i:<instance id>", or "s:<session>" for agents that do not name themselves. */
  readonly replica: string;
  /** What its agent can do as far as is known now: `AgentMeta` may come after the tunnel. */
  can(ability: TunnelAbility): boolean;
  /** How many tunnels its replica opens at most. Absent: an agent without our capabilities, which has ten. */
  readonly poolMaximum?: number | undefined;
  /**
   * Calls `silent` when no answer came within `limitMs`, with the party that is silent. The returned function ends the wait.
   * Absent: calls wait for as long as their caller does.
   */
  awaitAnswer?(limitMs: number, silent: (who: SilentParty) => void): () => void;
  /** Called when a call on the tunnel is cancelled and its agent cannot be reset. Absent: every tunnel is reset. */
  linger?(giveUp: () => void): LingeringClose;
  /** The descriptor has come, the tunnel is `ready`. */
  onReady(tunnel: Tunnel): void;
  /** The tunnel is `done`. */
  onDone(tunnel: Tunnel): void;
  /** The agent broke the order of frames. */
  onViolation?(fault: Fault): void;
}

/** An open tunnel in its registry. */
export interface TunnelRegistration {
  readonly slot: Slot<Tunnel>;
  /** Undefined: it carries no call and is not reserved. */
  call: { leave(): void } | undefined;
}

/** What is passed on as it comes. */
const ANSWER_BYTES = [TUNNELLED_RESPONSE_DATA, TUNNELLED_RESPONSE_UPGRADE_DATA] as const;

/** A tunnel that carries no call has nothing to say but its descriptor. */
const IDLE_MESSAGE_BYTES = 64 * 1024;

/** A call to start on a reserved tunnel. */
export interface TunnelCall {
  readonly method: string;
  readonly metadata: Metadata;
  readonly signal: AbortSignal;
  /** kas instances between the caller and this tunnel. */
  readonly hops: number;
  readonly watchBudget?: WatchBudget | undefined;
  /** `CallContext.answerWithinMs`. */
  readonly answerWithinMs?: number | undefined;
}

/** One `Connect` stream of an agent: waits for a call, carries it, ends. */
export class Tunnel implements AgentCall {
  readonly agentId: bigint;
  readonly replica: string;
  readonly poolMaximum: number | undefined;
  /** Private data of its registry while it is open. */
  registration: TunnelRegistration | undefined;
  readonly #host: TunnelHost;
  readonly #stream: TunnelStream;
  readonly #order = new StreamAutomaton(CONNECT_REQUEST_ORDER);
  /** Of the call it carries. */
  hops = 0;
  watchBudget: WatchBudget | undefined;
  #state: TunnelState = "accepted";
  #capabilities: HeldCapabilities | undefined;
  #listener: AgentCallListener | undefined;
  #stopListening = NOTHING;
  #stopWaiting = NOTHING;
  #onLost = NOTHING;
  #onDrain = NOTHING;
  #lingering: LingeringClose | undefined;
  #trailer: Metadata = NO_METADATA;
  #stage: CallStage = "not_started";
  #error: GrpcStatus | undefined;

  constructor(host: TunnelHost, stream: TunnelStream) {
    this.agentId = host.agentId;
    this.replica = host.replica;
    this.poolMaximum = host.poolMaximum;
    this.#host = host;
    this.#stream = stream;
    stream.limitMessages(IDLE_MESSAGE_BYTES);
  }

  /** Its agent identified itself as an agentk of this project. */
  get agentIsOurs(): boolean {
    return this.poolMaximum !== undefined;
  }

  get state(): TunnelState {
    return this.#state;
  }

  serves(need: { readonly method: string; readonly impersonation?: boolean; readonly upgrade?: boolean }): boolean {
    if (need.impersonation === true && !this.#host.can("impersonation")) return false;
    if (need.upgrade === true && !this.#host.can("upgrade")) return false;
    return this.#capabilities?.methods.has(need.method) === true && !this.#stream.ended;
  }

  /** `ready` → `reserved`; only the registry does that. */
  reserve(): void {
    if (this.#state !== "ready") throw new Error(`a tunnel that is ${this.#state} cannot be reserved`);
    this.#state = "reserved";
  }

  /** `reserved` → `ready`; only the registry does that. False when it is too late. */
  unreserve(): boolean {
    if (this.#state !== "reserved") return false;
    this.#state = "ready";
    this.#onLost = NOTHING;
    return true;
  }

  /** Called when the tunnel is lost while it is reserved: take another one. */
  onLost(lost: () => void): void {
    this.#onLost = lost;
  }

  /** `reserved` → `started`: sends the call to the agent. */
  start(call: TunnelCall, listener: AgentCallListener): AgentCall {
    if (this.#state !== "reserved") throw new Error(`a tunnel that is ${this.#state} cannot carry a call`);
    this.#state = "started";
    this.#onLost = NOTHING;
    this.#listener = listener;
    this.#stream.limitMessages(DEFAULT_MAX_MESSAGE_BYTES);
    // Not before: an idle tunnel holds nothing that it does not need.
    this.#stream.onDrain(() => this.#onDrain());
    if (listener.body) this.#stream.cutThrough(ANSWER_BYTES);
    // A stream that is gone already takes no bytes: the agent will not see the call.
    if (!this.#stream.ended) this.#stage = "started";
    this.#stream.writeFrame(requestInfoFrame(call.method, metadataForAgent(call.metadata)));
    const cancel = (): void => this.cancel();
    call.signal.addEventListener("abort", cancel, { once: true });
    this.#stopListening = () => call.signal.removeEventListener("abort", cancel);
    if (call.answerWithinMs !== undefined && this.#host.awaitAnswer)
      this.#stopWaiting = this.#host.awaitAnswer(call.answerWithinMs, (who) => this.#giveUp(who));
    if (call.signal.aborted) this.cancel();
    this.hops = call.hops;
    this.watchBudget = call.watchBudget;
    return this;
  }

  /** Of the call it carries, like what follows. */
  write(pieces: readonly Uint8Array[]): boolean {
    return this.#state === "started" ? this.#stream.writeFrame(messageFrame(pieces)) : true;
  }

  onDrain(resume: () => void): void {
    this.#onDrain = resume;
  }

  closeSend(): void {
    if (this.#state !== "started") return;
    this.#state = "half-closed";
    this.#stream.writeFrame(closeSendFrame());
  }

  pause(): void {
    if (this.#inCall()) this.#stream.pause();
  }

  resume(): void {
    if (this.#inCall()) this.#stream.resume();
  }

  /** The caller has disconnected: the reset stops the agent and frees its slot. */
  cancel(): void {
    this.#endCall(CALLER_LEFT);
  }

  /** One message of the agent. Never throws: a message that breaks the rules ends this tunnel and nothing else. */
  receive(bytes: Uint8Array): void {
    if (this.#state === "done") return;
    try {
      this.#take(bytes);
    } catch (error) {
      this.#violated(error);
    }
  }

  /** A piece of the body or of an upgraded connection, out of a message that is not all there yet. Never throws either. */
  receiveBody(bytes: Uint8Array, field: AnswerField): void {
    if (this.#state === "done") return;
    try {
      this.#order.check(MESSAGE_FIELD);
      if (this.#lingering) return this.#lingering.discard(bytes.byteLength);
      this.#answered();
      this.#listener?.body?.(bytes, field);
    } catch (error) {
      this.#violated(error);
    }
  }

  /** The agent sends no more. */
  halfClosed(): void {
    if (this.#state === "done") return;
    // An idle agent may retire a tunnel that it does not need.
    if (this.#state === "ready" || this.#state === "reserved") return this.retire();
    if (this.#state === "accepted")
      return this.#finish({ code: GRPC_CODE.unavailable, message: "the tunnel ended before its descriptor" }, BROKEN);
    // Our agents ignore a call on a tunnel that they have retired meanwhile, so that it can be made on another one.
    if (this.agentIsOurs && this.#inCall() && this.#stage === "started") {
      this.#stage = "not_started";
      return this.#finish(STATUS_OK, RETIRED);
    }
    try {
      this.#order.end();
      this.#finish(STATUS_OK, this.#error ?? STATUS_OK);
    } catch (error) {
      this.#violated(error);
    }
  }

  /** The stream is gone: reset by the agent, or its connection died. */
  closed(): void {
    if (this.#state !== "done") this.#finish(STATUS_OK, BROKEN);
  }

  /** Ends a tunnel that carries no call, normally: the agent opens another one at once. Send GOAWAY before, or it comes back here. */
  retire(): void {
    if (this.#state === "accepted" || this.#state === "ready" || this.#state === "reserved") this.#finish(STATUS_OK, BROKEN);
  }

  /** Ends the tunnel, and the call on it, because kas wants so. */
  abort(status: GrpcStatus): void {
    if (this.#state !== "done") this.#finish(status, status);
  }

  #take(bytes: Uint8Array): void {
    const frame = decodeAgentFrame(bytes);
    this.#order.check(frame.field);
    if (frame.kind === "descriptor") {
      this.#capabilities = acquireCapabilities(frame.descriptor);
      this.#state = "ready";
      return this.#host.onReady(this);
    }
    if (this.#lingering) return this.#lingering.discard(bytes.byteLength);
    if (!this.#inCall()) throw new Fault("frame_order", `the agent sent ${frame.kind} without a request`);
    this.#answered();
    switch (frame.kind) {
      case "header":
        return this.#listener?.header(frame.metadata);
      case "message":
        return this.#listener?.message(frame.data);
      case "trailer":
        this.#trailer = frame.metadata;
        return;
      case "error":
        this.#error =
          frame.status.code === GRPC_CODE.ok
            ? { code: GRPC_CODE.unknown, message: "the agent reported an error without a code" }
            : frame.status;
        return;
    }
  }

  #inCall(): boolean {
    return this.#state === "started" || this.#state === "half-closed";
  }

  #answered(): void {
    this.#stage = "answered";
    this.#stopWaiting();
  }

  /** The answer is not needed any more. */
  #endCall(result: CallEnd): void {
    if (!this.#inCall()) return;
    if (this.#host.linger && !this.#stream.ended && !this.#host.can("reset")) return this.#linger(result);
    this.#stream.reset();
    this.#finish(undefined, result);
  }

  /** No answer has begun in the time that the caller gave: for the agent that is a caller who leaves. */
  #giveUp(who: SilentParty): void {
    this.#endCall({ code: GRPC_CODE.unavailable, message: SILENCE[who], silent: who });
  }

  /** Half a body must not pass for a whole one, so an unfinished request is broken; one that is whole ends by itself. */
  #linger(result: CallEnd): void {
    const stream = this.#stream;
    if (this.#state === "started") stream.writeFrame(brokenMessageFrame());
    this.#state = "lingering";
    this.#lingering = this.#host.linger?.(() => {
      stream.reset();
      this.#finish(undefined, CALLER_LEFT);
    });
    stream.resume();
    this.#tell(result);
  }

  #violated(error: unknown): void {
    const status = statusOfThrown(error);
    if (error instanceof Fault) this.#host.onViolation?.(error);
    this.#finish(status, { code: GRPC_CODE.unavailable, message: `the tunnel broke: ${status.message}` });
  }

  /** @param toAgent status the stream ends with; undefined when it was reset already. @param toCaller how the call ended */
  #finish(toAgent: GrpcStatus | undefined, toCaller: CallEnd): void {
    const wasReserved = this.#state === "reserved";
    this.#state = "done";
    this.#lingering?.stop();
    this.#capabilities?.release();
    this.#capabilities = undefined;
    if (toAgent) this.#stream.end(toAgent);
    this.#host.onDone(this);
    this.#tell(toCaller);
    if (wasReserved) this.#onLost();
  }

  /** Reports the end of the call to its listener. */
  #tell(result: CallEnd): void {
    this.#stopListening();
    this.#stopWaiting();
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.end({ ...result, trailer: this.#trailer, stage: this.#stage });
  }
}

/** The end of a call, for its caller. */
type CallEnd = GrpcStatus & Pick<CallResult, "silent">;

const SILENCE: Readonly<Record<SilentParty, string>> = {
  agent: "no answer came in time, nor one to a ping",
  cluster: "no answer came in time, though the agent is connected",
};
const BROKEN: GrpcStatus = { code: GRPC_CODE.unavailable, message: "the tunnel broke" };
const RETIRED: GrpcStatus = { code: GRPC_CODE.unavailable, message: "the agent retired the tunnel" };
const CALLER_LEFT: GrpcStatus = { code: GRPC_CODE.cancelled, message: "the caller left" };
