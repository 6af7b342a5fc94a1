import type { IncomingMessage } from "node:http";

import { sleep, type Clock } from "@binnacle/rpc";

import { ProxyRefusal } from "./proxy-refusal.ts";

/** Views and logs are described in little: who is slower than this does not mean to send it. */
const WITHIN_MS = 20_000;

/** What is read, and how much of it at most. */
export interface SmallBodyOptions {
  /** In the plural: "views". */
  readonly what: string;
  readonly mostBytes: number;
}

/** What a request says of the views or logs that it asks for, while it comes in. */
export class SmallBody {
  readonly #request: IncomingMessage;
  readonly #options: SmallBodyOptions;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(request: IncomingMessage, options: SmallBodyOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** Bytes that have come and wait for the rest. */
  get held(): number {
    return this.#bytes;
  }

  /** All of it, once. @throws ProxyRefusal 413 for more than `mostBytes`, 408 when it does not come in time */
  async read(clock: Clock, signal: AbortSignal): Promise<Uint8Array> {
    const { what, mostBytes } = this.#options;
    if (Number(this.#request.headers["content-length"] ?? 0) > mostBytes) throw this.#tooLarge();
    const read = new AbortController();
    const late = sleep(clock, WITHIN_MS, AbortSignal.any([read.signal, signal])).then(() => {
      throw new ProxyRefusal(408, `the description of the ${what} did not come in time`);
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
        if (this.#bytes > this.#options.mostBytes) {
          request.pause();
          return reject(this.#tooLarge());
        }
        this.#pieces.push(piece);
      });
      request.once("end", () => resolve(Buffer.concat(this.#pieces)));
      request.once("error", reject);
    });
  }

  #tooLarge(): ProxyRefusal {
    const { what, mostBytes } = this.#options;
    return new ProxyRefusal(413, `${what} are described in ${mostBytes} bytes at most`);
  }
}
