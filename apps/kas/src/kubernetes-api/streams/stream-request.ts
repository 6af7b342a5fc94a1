import type { IncomingMessage } from "node:http";

import { sleep, type Clock } from "@binnacle/rpc";

import type { AuditedAction } from "@binnacle/telemetry/audit";
import type { CallerAccess } from "../access/caller-access.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ProxyAccess } from "../access/proxy-access.ts";
import type { ProxyCredential } from "../access/proxy-credential.ts";
import { ProxyRefusal } from "../http/proxy-refusal.ts";
import { parseTarget } from "../access/proxy-target.ts";
import { sendContinue } from "../http/request-body.ts";
import { headersForAgent } from "../http/request-headers.ts";

/** A request for views or logs has a small body: a slower client is rejected. */
const WITHIN_MS = 20_000;

/** What is read, and its maximum size. */
interface SmallBodyOptions {
  /** In the plural: "views". */
  readonly what: string;
  readonly maxBytes: number;
}

/** An endpoint of kas itself whose answer is a stream. */
interface StreamEndpoint extends SmallBodyOptions {
  readonly callers: CallerAccess;
  readonly clock: Clock;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** For the audit. */
  readonly action: AuditedAction;
}

/** A request that may be answered with a stream. */
interface StreamRequest {
  readonly credential: ProxyCredential;
  readonly access: ProxyAccess;
  readonly body: Uint8Array;
}

/**
 * Authorizes a POST for a stream, and reads its body on the caller's account. The stream is always read as the caller: headers that name another
 * identity are rejected.
 *
 * @throws ProxyRefusal
 */
export async function readStreamRequest(exchange: Exchange, endpoint: StreamEndpoint): Promise<StreamRequest> {
  const { request, response, signal } = exchange;
  const { callers, clock, pathPrefix, action, what, maxBytes } = endpoint;
  if (request.method !== "POST") throw new ProxyRefusal(405, `${what} are requested with POST`, { headers: { Allow: "POST, OPTIONS" } });
  const { credential, access } = await callers.liveAccess(exchange, parseTarget(request.url ?? "", pathPrefix), action);
  headersForAgent(request, false);
  const body = new SmallBody(request, { what, maxBytes });
  callers.book(response, access.caller, () => body.held);
  sendContinue(request, response);
  return { credential, access, body: await body.read(clock, signal) };
}

/** The body of such a request while it arrives. */
class SmallBody {
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

  /** All of it, once. @throws ProxyRefusal 413 for more than `maxBytes`, 408 when it does not come in time */
  async read(clock: Clock, signal: AbortSignal): Promise<Uint8Array> {
    const { what, maxBytes } = this.#options;
    if (Number(this.#request.headers["content-length"] ?? 0) > maxBytes) throw this.#tooLarge();
    const read = new AbortController();
    const late = sleep(clock, WITHIN_MS, AbortSignal.any([read.signal, signal])).then(() => {
      throw new ProxyRefusal(408, `the description of the ${what} did not come in time`);
    });
    try {
      return await Promise.race([this.#all(), late]);
    } finally {
      late.catch(() => undefined);
      read.abort();
      this.#pieces = [];
      this.#bytes = 0;
    }
  }

  #all(): Promise<Uint8Array> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      request.on("data", (piece: Buffer) => {
        this.#bytes += piece.byteLength;
        if (this.#bytes > this.#options.maxBytes) {
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
    const { what, maxBytes } = this.#options;
    return new ProxyRefusal(413, `${what} are described in ${maxBytes} bytes at most`);
  }
}
