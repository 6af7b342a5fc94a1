import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";
import type { Clock } from "@binnacle/rpc";

import { PATIENT_STALL_MS, STALL_MS } from "../http-exchange/silence-limits.ts";
import type { ViewSubscription } from "../views/view-subscription.ts";
import type { ProxyRefusal } from "./proxy-refusal.ts";
import { OWN_STREAM } from "./stream-headers.ts";

/** What a stream of updates needs. */
export interface ViewsResponseOptions {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** Whether others need what this reader holds. */
  readonly isShort: () => boolean;
  /** Bytes have left. */
  readonly onBytes: (bytes: number) => void;
}

/** Content of the stream: frames of a length (4 bytes, big-endian) and a `kas.v1.ViewUpdate`. */
export const VIEWS_TYPE = "application/vnd.binnacle.views+proto";

/** An empty update says that the stream lives. */
const HEARTBEAT_MS = 10_000;
/** So long the last words may take to get out. */
const LAST_WORDS_MS = 5_000;

/** Writes what a subscription has to tell, at the pace of its reader: who does not read has at most one piece of a change waiting for him. */
export class ViewsResponse {
  readonly #options: ViewsResponseOptions;
  #subscription: Pick<ViewSubscription, "take"> | undefined;
  #cancelHeartbeat = (): void => undefined;
  #cancelStall = (): void => undefined;
  #stalledMs = 0;
  /** A change has begun and is not whole: nothing that comes in between may end it. */
  #isHalf = false;
  #over = false;

  constructor(options: ViewsResponseOptions) {
    this.#options = options;
    options.response.on("drain", () => {
      this.#cancelStall();
      this.pump();
    });
    options.response.once("close", () => this.#stop());
  }

  /** Begins to answer. */
  start(subscription: Pick<ViewSubscription, "take">, headers: OutgoingHttpHeaders): void {
    const { response } = this.#options;
    if (response.destroyed) return;
    response.writeHead(200, {
      ...headers,
      "content-type": VIEWS_TYPE,
      ...OWN_STREAM,
      "x-content-type-options": "nosniff",
    });
    response.flushHeaders();
    this.#subscription = subscription;
    this.#beat();
    this.pump();
  }

  /** Writes what there is, as long as it is read. */
  pump(): void {
    const { response } = this.#options;
    while (!this.#over && this.#subscription !== undefined && !response.writableNeedDrain) {
      const update = this.#subscription.take();
      if (update === undefined) return;
      this.#write(update);
    }
  }

  /** The last thing that the reader hears. */
  end(why: ProxyRefusal): void {
    const { response, clock } = this.#options;
    if (this.#over) return;
    this.#stop();
    if (response.destroyed) return;
    const end = { topic: 0n, reason: why.reason ?? String(why.code), message: why.message };
    response.end(frameOf(create(ViewUpdateSchema, { end, more: this.#isHalf })));
    const cancel = clock.after(LAST_WORDS_MS, () => response.destroy());
    response.once("close", cancel);
  }

  #write(update: ViewUpdate): void {
    const { response, onBytes } = this.#options;
    const frame = frameOf(update);
    // Of several views each says by itself when a change is whole.
    if (update.topic === 0n) this.#isHalf = update.more;
    onBytes(frame.byteLength);
    if (response.write(frame)) return;
    this.#stalledMs = 0;
    this.#watchReader();
  }

  #watchReader(): void {
    const { clock, isShort, response } = this.#options;
    this.#cancelStall();
    this.#cancelStall = clock.after(STALL_MS, () => {
      this.#stalledMs += STALL_MS;
      if (!isShort() && this.#stalledMs < PATIENT_STALL_MS) return this.#watchReader();
      this.#stop();
      response.destroy();
    });
  }

  #beat(): void {
    this.#cancelHeartbeat = this.#options.clock.after(HEARTBEAT_MS, () => {
      if (!this.#options.response.writableNeedDrain) this.#write(create(ViewUpdateSchema, { more: this.#isHalf }));
      this.#beat();
    });
  }

  #stop(): void {
    this.#over = true;
    this.#cancelHeartbeat();
    this.#cancelStall();
  }
}

function frameOf(update: ViewUpdate): Buffer {
  const bytes = toBinary(ViewUpdateSchema, update);
  const frame = Buffer.allocUnsafe(4 + bytes.byteLength);
  frame.writeUInt32BE(bytes.byteLength);
  frame.set(bytes, 4);
  return frame;
}
