import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { LogLine, LogSource, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { ReadLogsResponseSchema } from "@binnacle/proto/dashboard-logs";
import { ReadRequestSchema } from "@binnacle/proto/kas-logs";

import { KasCaller } from "../../reverse-tunnel/testing/kas-caller.ts";
import type { AgentCallHandler, AgentCallReply } from "../../reverse-tunnel/agent-call.ts";

/** For tests: kas' side of a call for logs. */
export class LogsReader extends KasCaller {
  readonly responses: ReadLogsResponse[] = [];
  /** Latest state of each source, by number. */
  readonly sources = new Map<number, LogSource>();
  readonly lines: LogLine[] = [];
  /** Bytes of the largest message. */
  largest = 0;

  constructor(open: (reply: AgentCallReply) => AgentCallHandler) {
    super();
    this.begin(open);
  }

  /** Sends the only request of the call. @throws Fault what ends the call */
  request(request: MessageInitShape<typeof ReadRequestSchema>): void {
    this.send(toBinary(ReadRequestSchema, create(ReadRequestSchema, request)));
    this.closeSend();
  }

  protected override take(bytes: Buffer): void {
    this.largest = Math.max(this.largest, bytes.byteLength);
    const response = fromBinary(ReadLogsResponseSchema, bytes);
    this.responses.push(response);
    if (response.message.case === "sources") for (const source of response.message.value.sources) this.sources.set(source.id, source);
    if (response.message.case === "lines") this.lines.push(...response.message.value.lines);
  }
}
