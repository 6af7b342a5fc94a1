import { fromBinary } from "@bufbuild/protobuf";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { LogsFrameSchema, type LogsEnd } from "@binnacle/proto/kas-logs";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";

import { ShownEntries } from "./shown-entries.ts";

/** Reads frames of a length (4 bytes, big-endian) and a message, as a client of kas does. */
abstract class ResponseFrames {
  bytes = 0;
  #rest = Buffer.alloc(0);

  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4) {
      const end = 4 + this.#rest.readUInt32BE();
      if (this.#rest.length < end) return;
      this.take(this.#rest.subarray(4, end));
      this.#rest = this.#rest.subarray(end);
    }
  }

  protected abstract take(message: Uint8Array): void;
}

/** Reads a stream of views. */
export class ViewFrames extends ResponseFrames {
  readonly updates: ViewUpdate[] = [];
  readonly #views = new Map<bigint, ShownEntries>();

  /** What is shown: changes that are whole. */
  get shown(): ShownEntries["shown"] {
    return this.shownOf(0n);
  }

  /** The same of one of several views. */
  shownOf(topic: bigint): ShownEntries["shown"] {
    return this.#of(topic).shown;
  }

  protected override take(message: Uint8Array): void {
    const update = fromBinary(ViewUpdateSchema, message);
    this.updates.push(update);
    this.#of(update.topic).take(update);
  }

  #of(topic: bigint): ShownEntries {
    const known = this.#views.get(topic) ?? new ShownEntries();
    this.#views.set(topic, known);
    return known;
  }
}

/** Reads a stream of logs. */
export class LogFrames extends ResponseFrames {
  readonly responses: ReadLogsResponse[] = [];
  end: LogsEnd | undefined;

  /** Text of all lines so far. */
  get lines(): readonly string[] {
    return this.responses.flatMap(({ message }) => (message.case === "lines" ? message.value.lines.map(({ text }) => text) : []));
  }

  protected override take(message: Uint8Array): void {
    const { frame } = fromBinary(LogsFrameSchema, message);
    if (frame.case === "response") this.responses.push(frame.value);
    else if (frame.case === "end") this.end = frame.value;
  }
}
