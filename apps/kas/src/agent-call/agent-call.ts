import type { Metadata } from "@binnacle/grpc-wire";

import type { CallContext } from "./call-context.ts";

/** A call to make to an agent. */
export interface AgentCallRequest {
  readonly agentId: bigint;
  /** A particular replica: the id of its configuration stream. Absent: any. */
  readonly connectionId?: bigint;
  /** Full gRPC method, "/service/Method". */
  readonly method: string;
  /** The agent must be able to act as the identity in the request; others are not considered. */
  readonly impersonation?: boolean;
  /** The agent must be able to upgrade connections to its Kubernetes API; others are not considered. */
  readonly upgrade?: boolean;
  /** Further metadata for the agent; it gets the part that it may see. */
  readonly metadata?: Metadata;
  /** Who asks, for how long, how urgent. */
  readonly context: CallContext;
  /** Aborted when the caller has left, before or during the call. */
  readonly signal: AbortSignal;
}

/**
 * How far a call came: `not_started` when the agent never saw it (it can be made again), `started` when it was sent and nothing came
 * back (only a safe one can), `answered` when the answer had begun.
 */
export type CallStage = "not_started" | "started" | "answered";

/** Whose silence it is: the agent's, which does not even answer a ping, or that of the cluster behind an agent that lives. */
export type SilentParty = "agent" | "cluster";

/** How a call ended; code 0 is success. */
export interface CallResult {
  readonly code: number;
  readonly message: string;
  readonly trailer: Metadata;
  readonly stage: CallStage;
  /** kas ended the call because no answer came in the time that its caller gives (`CallContext.answerWithinMs`): who kept silent. */
  readonly silent?: SilentParty;
  /** The bytes of a google.rpc.Status with details, as the agent sent them. */
  readonly details?: Uint8Array;
}

/** How many watches an agent carries on purpose; who would need more should sample. */
export interface WatchBudget {
  readonly limit: number;
  /** How many more the caller may begin. */
  readonly free: number;
}

/** Which field of an HTTP answer bytes are of: its body, or an upgraded connection. */
export type AnswerField = "data" | "upgradeData";

/** Receives what the agent answers. Called synchronously, never after `end`. */
export interface AgentCallListener {
  header(metadata: Metadata): void;
  /** One raw gRPC message, without the five-byte prefix. A view: copy it to keep it. */
  message(data: Uint8Array): void;
  /**
   * For calls of `MakeRequest` alone: bytes of the answer's body, or of the upgraded connection, out of a message that is passed on before
   * it is complete. A view: copy it to retain it. A listener without this method gets complete messages.
   */
  body?: ((bytes: Uint8Array, field: AnswerField) => void) | undefined;
  /** Exactly once, last. */
  end(result: CallResult): void;
}

/** A running call. Every method is safe after the end (and then does nothing). */
export interface AgentCall {
  /** kas instances between the caller and the tunnel: 0 when the tunnel is ours, else 1. */
  readonly hops: number;
  /** The agent identified itself as an agentk of this project. Absent: unknown, so expect the least. */
  readonly agentIsOurs?: boolean;
  /** Of the agent, on the kas that has the tunnel. Absent: that kas does not say. */
  readonly watchBudget?: WatchBudget | undefined;
  /** Sends one message given in pieces (they are not joined). False: stop until `onDrain` fires. */
  write(pieces: readonly Uint8Array[]): boolean;
  /** Called each time there is room again after `write` returned false. */
  onDrain(resume: () => void): void;
  /** No more messages. */
  closeSend(): void;
  /** Stops and restarts the flow of `message`; what the agent sends meanwhile waits in the HTTP/2 window. */
  pause(): void;
  resume(): void;
  /** The caller has left: a normal end, never an error of the agent. */
  cancel(): void;
}

/** Finds a tunnel of an agent, here or on another kas, and opens a call on it. */
export interface AgentRouter {
  /**
   * The call on a tunnel that is free here, at once; else resolves once one is reserved and the call has been started on it. Refusals that
   * waiting cannot fix come at once, or within a second; the others after `waitMs`, and those have no `retryAfterSeconds`, because the caller
   * has waited already.
   *
   * @throws Fault after the wait `agent_not_connected`, `tunnels_busy`, `peer_unreachable`, `store_unavailable`; at once `queue_full`,
   *   `watch_limit`, `share_exceeded`, `cancelled`; within a second `agent_outdated`, `cannot_impersonate`, `unknown_method`,
   *   `replica_not_addressable`
   */
  open(request: AgentCallRequest, listener: AgentCallListener): AgentCall | Promise<AgentCall>;
}
