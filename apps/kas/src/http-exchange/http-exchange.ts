import type { Readable } from "node:stream";

import type { ValuesMap } from "@binnacle/grpc-wire";
import type { Fault, Clock, FaultReason } from "@binnacle/rpc";

import type { AgentCall, AgentRouter, CallStage, WatchBudget } from "../agent-call/agent-call.ts";
import type { CallContext, Caller } from "../agent-call/call-context.ts";
import type { AnswerHeader } from "./body-length.ts";
import type { RequestHead } from "./request-header.ts";

/** Shared by all exchanges of all callers. */
export interface HttpExchangeVia {
  readonly router: AgentRouter;
  readonly clock: Clock;
  /** Whether the agent or the caller is short of bytes or tunnels, so that a reader that stalls must go sooner. Default: never. */
  readonly isShort?: (agentId: bigint, caller: Caller) => boolean;
  /** The agent broke the rules of its answer; the exchange was cut. */
  readonly onViolation?: (agentId: bigint, fault: Fault) => void;
  /** A party did not respond in time: `agent_silent`, `cluster_silent`, `reader_stalled`, `upload_stalled`. */
  readonly onSilence?: (reason: FaultReason) => void;
}

/** One HTTP request to the Kubernetes API of an agent's cluster, or to a service of it. */
export interface HttpExchangeRequest extends RequestHead {
  readonly agentId: bigint;
  /** A particular replica, by the id of its configuration stream. Absent: any. */
  readonly connectionId?: bigint;
  readonly context: CallContext;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
  /** Absent: there is none. */
  readonly body?: Readable | undefined;
  /** The client sends its body only after a 100 (`Expect: 100-continue`). Default: no. */
  readonly awaitsContinue?: boolean;
  /** The trailers behind a body in chunks, once it is whole. Absent: the client has announced none. */
  readonly trailers?: () => ValuesMap | undefined;
  /** It asks to change to this protocol, has no body, and its sink has `switched`. Absent: it asks for nothing of the kind. */
  readonly upgrade?: string;
}

/** One end of an upgraded connection. */
export interface UpgradedEnd {
  /** A view: copy it to keep it. @returns false to be sent nothing more until `HttpExchange.resume` */
  data(bytes: Uint8Array): boolean;
  /** The agent sends no more. @param fault why; absent: the cluster has ended its side. Nothing follows. */
  end(fault?: Fault): void;
}

/** Start of an answer. */
export interface AnswerHead {
  /** 200 to 599. */
  readonly status: number;
  readonly header: AnswerHeader;
  /** Length the body will have; more or less than that never comes: the exchange fails instead. */
  readonly contentLength: number | undefined;
  /** kas instances between the caller and the tunnel. */
  readonly hops: number;
  /** Calls that were made: more than one when a call broke before the agent saw it. */
  readonly attempts: number;
  /** Of the agent, as the kas with the tunnel counts it; absent: it does not say. */
  readonly watchBudget?: WatchBudget;
}

/** Receives the answer: `header`, any number of `data`, then `end`; or `fail` at any time. Nothing follows those two. */
export interface HttpExchangeSink {
  /** The client shall send its body now; once, for a request that `awaitsContinue`. */
  continue?(): void;
  /** Before the header, at most 8 times: 102 to 199. Absent: they are not requested. */
  informational?(status: number, header: AnswerHeader): void;
  header(head: AnswerHead): void;
  /** Instead of `header`, for a request with `upgrade`: the cluster has changed to the protocol. Nothing else follows here. */
  switched?(header: AnswerHeader, call: AgentCall): UpgradedEnd;
  /** A view: copy it to keep it. @returns false to be sent nothing more until `HttpExchange.resume` */
  data(body: Uint8Array): boolean;
  /** Fields behind the body, right before `end`. */
  trailers?(trailers: ValuesMap): void;
  /** The answer is whole. */
  end(): void;
  /** The answer will not come, or not be whole: what was begun must not look as if it were. */
  fail(failure: ExchangeFailure): void;
  /**
   * After any of them: the request has its answer, and the client goes on sending more than is thrown away for it. Its connection should be
   * closed when the answer is out. Absent: requests of this sink have no body.
   */
  endConnection?(): void;
}

/** Why an answer is not whole. */
export interface ExchangeFailure {
  readonly fault: Fault;
  /** How far the last call came. */
  readonly stage: CallStage;
  readonly attempts: number;
}

/** A running exchange. Every method is safe after its end. */
export interface HttpExchange {
  /** Bytes of the request's body that were taken so far. */
  readonly bytesIn: number;
  /** Bytes of the answer's body that the sink has got so far. */
  readonly bytesOut: number;
  /** The sink has room again. */
  resume(): void;
  /** The caller has disconnected. The sink gets nothing more. */
  cancel(): void;
}
