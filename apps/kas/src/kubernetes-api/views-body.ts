import type { IncomingMessage } from "node:http";

import { sleep, type Clock } from "@binnacle/rpc";

import { VIEW_BOUNDS } from "../views/view-bounds.ts";
import { ProxyRefusal } from "./proxy-refusal.ts";

/** Views are described in little: who is slower than this does not mean to send it. */
const WITHIN_MS = 20_000;

/** What a request says of the views that it asks for, while it comes in. */
export class ViewsBody {
  readonly #request: IncomingMessage;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** Bytes that have come and wait for the rest. */
  get held(): number {
    return this.#bytes;
  }

  /** All of it, once. @throws ProxyRefusal 413 for more than `VIEW_BOUNDS.bodyBytes`, 408 when it does not come in time */
  async read(clock: Clock, signal: AbortSignal): Promise<Uint8Array> {
    if (Number(this.#request.headers["content-length"] ?? 0) > VIEW_BOUNDS.bodyBytes) throw tooLarge();
    const read = new AbortController();
    const late = sleep(clock, WITHIN_MS, AbortSignal.any([read.signal, signal])).then(() => {
      throw new ProxyRefusal(408, "the description of the view did not come in time");
    });
    try {
      return await Promise.race([this.#whole(), late]);
    } finally {
      late.catch(() => undefined);
      read.abort();
      this.#pieces = [];
      this.#bytes = 0;
    }
  }

  #whole(): Promise<Uint8Array> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      request.on("data", (piece: Buffer) => {
        this.#bytes += piece.byteLength;
        if (this.#bytes > VIEW_BOUNDS.bodyBytes) {
          request.pause();
          return reject(tooLarge());
        }
        this.#pieces.push(piece);
      });
      request.once("end", () => resolve(Buffer.concat(this.#pieces)));
      request.once("error", reject);
    });
  }
}

function tooLarge(): ProxyRefusal {
  return new ProxyRefusal(413, `views are described in ${VIEW_BOUNDS.bodyBytes} bytes at most`);
}
