import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { LogsFrameSchema } from "@binnacle/proto/kas-logs";
import type { Clock, Fault } from "@binnacle/rpc";

import { LogsCall, type LogsCallEvents, type LogsCallRequest } from "../../logs/logs-call.ts";
import type { LogsMetrics } from "../../logs/logs-metrics.ts";
import { FramedResponse } from "./framed-response.ts";
import { refusalOf, type ProxyRefusal } from "../http/proxy-refusal.ts";

/** What a stream of logs needs. */
export interface LogsStreamOptions {
  readonly response: ServerResponse;
  /** Of ours, for the answer. */
  readonly headers: OutgoingHttpHeaders;
  readonly clock: Clock;
  readonly metrics: Pick<LogsMetrics, "bytes">;
  /** Whether others need what this reader holds. */
  readonly isShort: () => boolean;
  /** Bytes have left. */
  readonly onBytes: (bytes: number) => void;
}

/** Content of the stream: frames of a `kas.v1.LogsFrame`. */
export const LOGS_TYPE = "application/vnd.binnacle.logs+proto";

/** Field 1 of `LogsFrame`. */
const RESPONSE_FIELD = 1;

/** Passes messages of an agent's log call to its reader at the reader's pace: at most two of them wait here. */
export class LogsStream implements LogsCallEvents {
  readonly #options: LogsStreamOptions;
  readonly #frames: FramedResponse;
  readonly #begun = Promise.withResolvers<void>();
  #state: "requested" | "begun" | "over" = "requested";
  #call: LogsCall | undefined;

  constructor(options: LogsStreamOptions) {
    const { response, clock, isShort, metrics, onBytes } = options;
    this.#options = options;
    this.#frames = new FramedResponse({
      response,
      type: LOGS_TYPE,
      clock,
      isShort,
      onBytes: (sent) => {
        onBytes(sent);
        metrics.bytes("out", sent);
      },
      onRoom: () => this.#call?.resume(),
      heartbeat: () => headOfResponse(0),
    });
    // The caller gets it when it awaits the beginning.
    this.#begun.promise.catch(() => undefined);
    response.once("close", () => this.#close());
  }

  /** Asks the agent. Resolves once the answer has begun, or the reader has left. @throws ProxyRefusal, Fault why it does not begin */
  async open(request: LogsCallRequest): Promise<void> {
    const call = await LogsCall.open(request, this);
    this.#call = call;
    if (this.#state === "over") call.cancel();
    else if (this.#state === "begun" && !this.#frames.hasRoom) call.pause();
    await this.#begun.promise;
  }

  message(data: Uint8Array): void {
    if (!this.#begin()) return;
    this.#options.metrics.bytes("in", data.byteLength);
    this.#frames.write(headOfResponse(data.byteLength), data);
    if (!this.#frames.hasRoom) this.#call?.pause();
  }

  ended(fault: Fault | undefined): void {
    if (fault !== undefined) return this.end(refusalOf(fault));
    if (!this.#begin()) return;
    this.#state = "over";
    this.#frames.end(endOf("", ""));
  }

  /** The last message of the stream. */
  end(why: ProxyRefusal): void {
    if (this.#state === "begun") this.#frames.end(endOf(why.reason ?? String(why.code), why.message));
    else this.#begun.reject(why);
    this.#close();
  }

  /** @returns false when it is over */
  #begin(): boolean {
    if (this.#state === "requested") {
      this.#state = "begun";
      this.#frames.start(this.#options.headers);
      this.#begun.resolve();
    }
    return this.#state === "begun";
  }

  #close(): void {
    this.#state = "over";
    this.#call?.cancel();
    this.#begun.resolve();
  }
}

/** What stands before a `ReadLogsResponse` of so many bytes to make a `LogsFrame` of it. */
function headOfResponse(bytes: number): Uint8Array {
  return new BinaryWriter().tag(RESPONSE_FIELD, WireType.LengthDelimited).uint32(bytes).finish();
}

function endOf(reason: string, message: string): Uint8Array {
  return toBinary(LogsFrameSchema, create(LogsFrameSchema, { frame: { case: "end", value: { reason, message } } }));
}
