import { request as httpRequest, type IncomingMessage } from "node:http";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { LogSource } from "@binnacle/proto/dashboard-logs";
import { LogsFrameSchema, LogsQuerySchema, type LogsEnd } from "@binnacle/proto/kas-logs";

/** Messages about logs that came from the agent through kas. */
export class ReceivedLogs {
  readonly status: number;
  /** Latest state of each source, by number. */
  readonly sources = new Map<number, LogSource>();
  /** Texts by the number of their source. */
  readonly lines = new Map<number, string[]>();
  gaps = 0;
  end: LogsEnd | undefined;
  /** Everything that came. */
  readonly bytes: Buffer[] = [];
  readonly #answer: IncomingMessage;
  #rest = Buffer.alloc(0);

  private constructor(answer: IncomingMessage) {
    this.#answer = answer;
    this.status = answer.statusCode ?? 0;
    answer.on("data", (chunk: Buffer) => this.#take(chunk));
    answer.on("error", () => undefined);
  }

  /** @param kas "host:port" of its Kubernetes proxy */
  static open(kas: string, token: string, query: MessageInitShape<typeof LogsQuerySchema>): Promise<ReceivedLogs> {
    const body = toBinary(LogsQuerySchema, create(LogsQuerySchema, query));
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer pat:7:${token}`, "content-length": body.byteLength };
      const sent = httpRequest(`http://${kas}/binnacle/v1/logs`, { method: "POST", headers }, (answer) =>
        resolve(new ReceivedLogs(answer)),
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#answer.destroy();
  }

  #take(chunk: Buffer): void {
    this.bytes.push(chunk);
    if (this.status !== 200) return;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4 && this.#rest.length >= 4 + this.#rest.readUInt32BE()) {
      const end = 4 + this.#rest.readUInt32BE();
      const { frame } = fromBinary(LogsFrameSchema, this.#rest.subarray(4, end));
      this.#rest = this.#rest.subarray(end);
      if (frame.case === "end") this.end = frame.value;
      if (frame.case !== "response") continue;
      const { message } = frame.value;
      if (message.case === "sources") for (const source of message.value.sources) this.sources.set(source.id, source);
      if (message.case === "gap") this.gaps += 1;
      if (message.case === "lines")
        for (const { source, text } of message.value.lines) this.lines.set(source, [...(this.lines.get(source) ?? []), text]);
    }
  }
}
