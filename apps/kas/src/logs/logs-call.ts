import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { GRPC_CODE } from "@binnacle/grpc-wire";
import { LogsQuerySchema, ReadRequestSchema, type LogsQuery } from "@binnacle/proto/kas-logs";
import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault, type FaultReason } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, AgentRouter, CallResult } from "../agent-call/agent-call.ts";
import type { Caller } from "../agent-call/call-context.ts";
import { LOGS_CALL } from "../agent-call/routed-methods.ts";
import { canonicalViewer } from "../views/canonical-spec.ts";

const KIB = 1024;

/** Limits of one stream of logs: between an agent, a viewer and this kas. */
export const LOG_BOUNDS = {
  /** Of the query. */
  bodyBytes: 512 * KIB,
  /** One message of an agent: at most two of them wait here for a slow reader. */
  messageBytes: 128 * KIB,
  /** Characters of an agent's text about its end. */
  textLength: 300,
} as const;

/** The agent answers as soon as it has understood the request. */
const FIRST_ANSWER_MS = 15_000;

/** Events of a call, synchronously. */
export interface LogsCallEvents {
  /** One `dashboard.v1.ReadLogsResponse`. A view: copy it to keep it. */
  message(data: Uint8Array): void;
  /** Once, last; not after `cancel`. @param fault absent: all was read */
  ended(fault: Fault | undefined): void;
}

/** A query, and the agent it goes to. */
export interface LogsCallRequest {
  readonly router: AgentRouter;
  readonly agentId: bigint;
  readonly query: LogsQuery;
  /** As whom the agent asks its cluster; absent: as itself. */
  readonly identity: ImpersonationConfig | undefined;
  /** The owner of the share of the agent's tunnels. */
  readonly caller: Caller;
  readonly traceId: string;
  /** How long to wait for a tunnel. */
  readonly waitMs: number;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
  /** Hears of what an agent must not do. */
  readonly onViolation: (fault: Fault) => void;
}

/**
 * One call of `kas.v1.AgentLogs/Read`. Its messages are passed on as they come: kas sees that each is one message of a size that it may have, and
 * does not read the lines in it.
 */
export class LogsCall implements AgentCallListener {
  readonly #request: LogsCallRequest;
  readonly #events: LogsCallEvents;
  #call: AgentCall | undefined;
  #isPaused = false;
  #isOver = false;

  private constructor(request: LogsCallRequest, events: LogsCallEvents) {
    this.#request = request;
    this.#events = events;
  }

  /** Begins it. @throws Fault of the router (`unknown_method` for an agent that does not offer logs), `invalid_request` for an identity without a name */
  static async open(request: LogsCallRequest, events: LogsCallEvents): Promise<LogsCall> {
    const logs = new LogsCall(request, events);
    await logs.#open();
    return logs;
  }

  /** Nothing more is taken from the agent until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#call?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#call?.resume();
  }

  /** Ends the call: its reader has disconnected. */
  cancel(): void {
    this.#isOver = true;
    this.#call?.cancel();
  }

  header(): void {}

  message(data: Uint8Array): void {
    if (this.#isOver) return;
    if (data.byteLength > LOG_BOUNDS.messageBytes) return this.#violated(`a message of ${data.byteLength} bytes`);
    if (!isOneMessage(data)) return this.#violated("a message that is none");
    this.#events.message(data);
  }

  end({ code, message, silent }: CallResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const text = message.slice(0, LOG_BOUNDS.textLength);
    if (code === GRPC_CODE.ok) return this.#events.ended(undefined);
    if (silent)
      return this.#events.ended(new Fault("agent_silent", `the agent has not begun to read logs in ${FIRST_ANSWER_MS / 1_000} s`));
    this.#events.ended(new Fault(REASONS[code] ?? "tunnel_broken", `reading logs has ended: ${text}`));
  }

  async #open(): Promise<void> {
    const { router, agentId, query, identity, caller, traceId, waitMs, signal } = this.#request;
    const context = { caller, traceId, class: "watch", waitMs, answerWithinMs: FIRST_ANSWER_MS } as const;
    const impersonation = identity !== undefined;
    const { viewer } = canonicalViewer(identity);
    const call = await router.open({ agentId, method: LOGS_CALL, impersonation, context, signal }, this);
    // An agent may have sent a violation before the query.
    if (this.#isOver) return call.cancel();
    this.#call = call;
    if (this.#isPaused) call.pause();
    call.write([toBinary(ReadRequestSchema, create(ReadRequestSchema, { query, viewer }))]);
    call.closeSend();
  }

  #violated(what: string): void {
    this.#isOver = true;
    const fault = new Fault("answer_broken", `the agent broke the rules of logs: ${what}`);
    this.#request.onViolation(fault);
    this.#call?.cancel();
    this.#events.ended(fault);
  }
}

/** Codes of an agent that say more than that it has ended. */
const REASONS: Readonly<Record<number, FaultReason>> = {
  [GRPC_CODE.invalidArgument]: "invalid_request",
  [GRPC_CODE.resourceExhausted]: "queue_full",
  [GRPC_CODE.unimplemented]: "unknown_method",
};

/** @throws Fault `invalid_request` */
export function parseLogsQuery(bytes: Uint8Array): LogsQuery {
  let query: LogsQuery;
  try {
    query = fromBinary(LogsQuerySchema, bytes);
  } catch (error) {
    throw new Fault("invalid_request", "the body is no kas.v1.LogsQuery", { cause: error });
  }
  if (query.targets.length === 0) throw new Fault("invalid_request", "no pods are named");
  return query;
}

/** Whether the bytes are empty or one field that holds a message, as in every `ReadLogsResponse`. */
function isOneMessage(data: Uint8Array): boolean {
  if (data.byteLength === 0) return true;
  try {
    const reader = new BinaryReader(data);
    const [, wireType] = reader.tag();
    if (wireType !== WireType.LengthDelimited) return false;
    const length = reader.uint32();
    return reader.pos + length === data.byteLength;
  } catch {
    return false;
  }
}
