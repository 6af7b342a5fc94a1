import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import { ViewUpdateSchema } from "@binnacle/proto/kas-views";
import type { Clock } from "@binnacle/rpc";

import type { ViewSubscription } from "../../views/view-subscription.ts";
import { FramedResponse } from "./framed-response.ts";
import type { ProxyRefusal } from "../http/proxy-refusal.ts";

/** What a stream of updates needs. */
export interface ViewsResponseOptions {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** Whether others need what this reader holds. */
  readonly isShort: () => boolean;
  /** Bytes have left. */
  readonly onBytes: (bytes: number) => void;
}

/** Content of the stream: frames of a `kas.v1.ViewUpdate`. */
export const VIEWS_TYPE = "application/vnd.binnacle.views+proto";

/** Writes the updates of a subscription at the rate of its reader: for a reader that stalls at most one piece of a change is buffered. */
export class ViewsResponse {
  readonly #response: ServerResponse;
  readonly #frames: FramedResponse;
  #subscription: Pick<ViewSubscription, "take"> | undefined;
  /** A change has begun and is not whole: nothing that comes in between may end it. */
  #isHalf = false;

  constructor(options: ViewsResponseOptions) {
    this.#response = options.response;
    this.#frames = new FramedResponse({
      ...options,
      type: VIEWS_TYPE,
      onRoom: () => this.pump(),
      heartbeat: () => toBinary(ViewUpdateSchema, create(ViewUpdateSchema, { more: this.#isHalf })),
    });
  }

  /** Begins to answer. */
  start(subscription: Pick<ViewSubscription, "take">, headers: OutgoingHttpHeaders): void {
    if (this.#response.destroyed) return;
    this.#frames.start(headers);
    this.#subscription = subscription;
    this.pump();
  }

  /** Writes what there is, as long as it is read. */
  pump(): void {
    while (this.#subscription !== undefined && this.#frames.hasRoom) {
      const update = this.#subscription.take();
      if (update === undefined) return;
      // Of several views each says by itself when a change is whole.
      if (update.topic === 0n) this.#isHalf = update.more;
      this.#frames.write(toBinary(ViewUpdateSchema, update));
    }
  }

  /** The last thing that the reader hears. */
  end(why: ProxyRefusal): void {
    const end = { topic: 0n, reason: why.reason ?? String(why.code), message: why.message };
    this.#frames.end(toBinary(ViewUpdateSchema, create(ViewUpdateSchema, { end, more: this.#isHalf })));
  }
}
