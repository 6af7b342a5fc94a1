import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { LogLine, LogSource, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { ReadLogsResponseSchema } from "@binnacle/proto/dashboard-logs";
import { ReadRequestSchema } from "@binnacle/proto/kas-logs";
import type { GrpcStatus } from "@binnacle/grpc-wire";

import type { AgentCallHandler, AgentCallReply } from "../../reverse-tunnel/agent-call.ts";

/** For tests: kas' side of a call for logs. */
export class LogsReader {
  readonly responses: ReadLogsResponse[] = [];
  /** Latest state of each source, by number. */
  readonly sources = new Map<number, LogSource>();
  readonly lines: LogLine[] = [];
  largest = 0;
  status: GrpcStatus | undefined;
  /** Nothing is taken any more while true. */
  isFull = false;
  readonly #call: AgentCallHandler;
  #drained: () => void = () => {};

  constructor(open: (reply: AgentCallReply) => AgentCallHandler) {
    this.#call = open({
      header: () => {},
      message: (pieces) => {
        this.#take(Buffer.concat(pieces));
        return !this.isFull;
      },
      onDrain: (resume) => (this.#drained = resume),
      pause: () => {},
      resume: () => {},
      end: (status) => (this.status ??= status),
    });
  }

  /** Asks, once. @throws Fault what ends the call */
  ask(request: MessageInitShape<typeof ReadRequestSchema>): void {
    this.#call.message(toBinary(ReadRequestSchema, create(ReadRequestSchema, request)));
    this.#call.closeSend();
  }

  drain(): void {
    this.isFull = false;
    this.#drained();
  }

  cancel(): void {
    this.#call.cancelled();
  }

  #take(bytes: Uint8Array): void {
    this.largest = Math.max(this.largest, bytes.byteLength);
    const response = fromBinary(ReadLogsResponseSchema, bytes);
    this.responses.push(response);
    if (response.message.case === "sources") for (const source of response.message.value.sources) this.sources.set(source.id, source);
    if (response.message.case === "lines") this.lines.push(...response.message.value.lines);
  }
}
