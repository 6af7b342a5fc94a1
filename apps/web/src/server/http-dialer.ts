import { isIP } from "node:net";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";

import { Agent, type Dispatcher } from "undici";

/** One request to an upstream; `path` begins with a slash and is appended to the upstream's own path. */
export interface DialRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** An upstream's answer; the body must be read to its end or destroyed. */
export type DialResponse = Dispatcher.ResponseData;

/** Where an upstream is. */
export interface DialerOptions {
  /** Where the process connects to. */
  readonly internalUrl: string;
  /** What the world calls it: sent as `Host`, and expected in its certificate. */
  readonly externalUrl: string;
  /** PEM text of the authority that signs its certificate. */
  readonly caCertificate?: string | undefined;
}

/**
 * HTTP/1.1 to one upstream on connections of its own: dials the internal address and sends the public host, because only
 * browsers resolve `*.localhost` and a production host name may lead out of the building and back.
 */
export class HttpDialer {
  readonly #agent: Agent;
  readonly #internal: URL;
  readonly #host: string;
  readonly #prefix: string;

  constructor(options: DialerOptions) {
    this.#internal = new URL(options.internalUrl);
    const external = new URL(options.externalUrl);
    this.#host = external.host;
    this.#prefix = this.#internal.pathname.replace(/\/+$/, "");
    const ca = options.caCertificate === undefined ? {} : { ca: options.caCertificate };
    this.#agent = new Agent({
      // Watches are many and long; HTTP/2 would put them under one connection's window.
      allowH2: false,
      connect: { timeout: 5_000, ...ca, ...expectedIdentity(external.hostname) },
      // A quiet watch is well; kas waits up to 20 s for an agent before it answers.
      bodyTimeout: 0,
      headersTimeout: 60_000,
      keepAliveTimeout: 10_000,
    });
  }

  /** Sends a request. Redirects are not followed. Rejects when the upstream cannot be reached or `signal` aborts. */
  request(request: DialRequest): Promise<DialResponse> {
    return this.#agent.request({
      origin: this.#internal.origin,
      path: `${this.#prefix}${request.path}`,
      method: request.method,
      headers: { "accept-encoding": "identity", ...request.headers, host: this.#host },
      body: request.body ?? null,
      signal: request.signal,
    });
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/**
 * Whose certificate the upstream must show: the public host's, wherever we dial. A name is sent in the handshake too; an IP
 * address must not be (RFC 6066 §3), so it is only compared.
 */
function expectedIdentity(hostname: string): Pick<ConnectionOptions, "servername" | "checkServerIdentity"> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) === 0) return { servername: host };
  return { checkServerIdentity: (_dialled, certificate) => checkServerIdentity(host, certificate) };
}

/**
 * Gives up an answer whose body nobody reads: a short one is read to its end, so that its connection stays, a long one is cut.
 * Never fails and never throws later: undici's body emits an error when it is destroyed.
 */
export function discard(response: DialResponse): void {
  response.body.on("error", () => {});
  response.body.dump({ limit: 64 * 1024 }).catch(() => {});
}

/** One header's value; the first when there are several. */
export function headerOf(response: DialResponse, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === "string" ? value : value?.[0];
}
