import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ReadLogsResponseSchema } from "@binnacle/proto/dashboard-logs";
import { ReadRequestSchema, type ReadRequest } from "@binnacle/proto/kas-logs";

import type { AgentCall, AgentCallListener, AgentCallRequest, AgentRouter } from "../../agent-call/agent-call.ts";

/** A message of the agent, as `create` takes it. */
export type LogsAnswer = NonNullable<MessageInitShape<typeof ReadLogsResponseSchema>["message"]>;

/** One call as the agent sees it. */
export interface LogsConversation {
  readonly request: AgentCallRequest;
  /** The query; undefined until it has come. */
  query: ReadRequest | undefined;
  isPaused: boolean;
  isCancelled: boolean;
  say(answer: LogsAnswer): void;
  /** Any bytes in the place of a message. */
  sayBytes(bytes: Uint8Array): void;
  end(code?: number, message?: string): void;
}

/** A stand-in for the router with an agent that sends what the test scripts. */
export class LogsRouter implements AgentRouter {
  readonly calls: LogsConversation[] = [];
  /** Thrown by the next `open`. */
  failure: Error | undefined;
  /** Runs when the query has come. */
  onCall: (call: LogsConversation) => void = () => undefined;
  /** Runs as soon as the call was opened. */
  onOpen: (call: LogsConversation) => void = () => undefined;

  async open(request: AgentCallRequest, listener: AgentCallListener): Promise<AgentCall> {
    if (this.failure) throw this.failure;
    const call: LogsConversation = {
      request,
      query: undefined,
      isPaused: false,
      isCancelled: false,
      say: (message) => call.sayBytes(toBinary(ReadLogsResponseSchema, create(ReadLogsResponseSchema, { message }))),
      sayBytes: (bytes) => void (call.isCancelled || listener.message(bytes)),
      end: (code = 0, message = "") => listener.end({ code, message, trailer: new Map(), stage: "answered" }),
    };
    this.calls.push(call);
    this.onOpen(call);
    return {
      hops: 0,
      write: (pieces) => {
        call.query = fromBinary(ReadRequestSchema, Buffer.concat(pieces));
        return true;
      },
      onDrain: () => undefined,
      closeSend: () => this.onCall(call),
      pause: () => void (call.isPaused = true),
      resume: () => void (call.isPaused = false),
      cancel: () => void (call.isCancelled = true),
    };
  }
}
