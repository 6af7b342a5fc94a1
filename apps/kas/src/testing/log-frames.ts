import { fromBinary } from "@bufbuild/protobuf";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { LogsFrameSchema, type LogsEnd } from "@binnacle/proto/kas-logs";

/** Reads a stream of logs as a client does. */
export class LogFrames {
  readonly responses: ReadLogsResponse[] = [];
  end: LogsEnd | undefined;
  bytes = 0;
  #rest = Buffer.alloc(0);

  /** Text of all lines so far. */
  get lines(): readonly string[] {
    return this.responses.flatMap(({ message }) => (message.case === "lines" ? message.value.lines.map(({ text }) => text) : []));
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4) {
      const end = 4 + this.#rest.readUInt32BE();
      if (this.#rest.length < end) return;
      const { frame } = fromBinary(LogsFrameSchema, this.#rest.subarray(4, end));
      if (frame.case === "response") this.responses.push(frame.value);
      else if (frame.case === "end") this.end = frame.value;
      this.#rest = this.#rest.subarray(end);
    }
  }
}
