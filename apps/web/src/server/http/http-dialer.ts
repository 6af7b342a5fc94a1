import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";

import { KubeClientError, Upload, type KubeBody, type KubeMethod } from "@binnacle/environment-view";
import { AGENT_WAIT_MS, systemClock, type Clock } from "@binnacle/rpc";
import { outgoingDispatcher, ProxyError } from "@binnacle/rpc/outgoing-dispatcher";
import type { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import type { Logger } from "@binnacle/telemetry";
import { words } from "@binnacle/words";
import type { Dispatcher } from "undici";
import { WebSocket } from "ws";

/** kas waits for an agent before it answers, and then a cluster may be slow. */
const ANSWER_TIMEOUT_MS = AGENT_WAIT_MS + 40_000;

/** One request to an upstream; `path` begins with a slash and is appended to the upstream's own path. */
export interface DialRequest {
  readonly method: KubeMethod;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: KubeBody;
  readonly signal: AbortSignal;
  /** Called when the request goes out: from then on its effect is unknown, unless it is answered. */
  readonly started?: () => void;
}

/** A WebSocket to an upstream; `path` as of a request. */
export interface DialSocket {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  /** A longer message ends the connection. */
  readonly mostMessageBytes: number;
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
  /** The way there; default: none, directly. */
  readonly proxy?: OutgoingProxy | undefined;
  /** Hears why the proxy made no tunnel, and (undefined) that a request was answered. */
  readonly proxyFailed?: (reason: string | undefined) => void;
  readonly clock?: Clock;
}

/**
 * HTTP/1.1 to one upstream on connections of its own: dials the internal address and sends the public host, because only
 * browsers resolve `*.localhost` and a production host name may lead out of the building and back.
 */
export class HttpDialer {
  /** What the world calls it. */
  readonly externalUrl: string;
  readonly #expected: Pick<ConnectionOptions, "servername" | "checkServerIdentity">;
  /** Those of before carry what runs on them to its end. */
  readonly #former = new Set<Dispatcher>();
  readonly #options: DialerOptions;
  #agent: Dispatcher;
  #caCertificate: string | undefined;
  readonly #internal: URL;
  readonly #host: string;
  readonly #prefix: string;
  readonly #clock: Clock;

  constructor(options: DialerOptions) {
    this.#options = options;
    this.#internal = new URL(options.internalUrl);
    const external = new URL(options.externalUrl);
    this.externalUrl = external.href;
    this.#host = external.host;
    this.#clock = options.clock ?? systemClock;
    this.#prefix = this.#internal.pathname.replace(/(?<!\/)\/+$/, "");
    this.#expected = expectedIdentity(external.hostname);
    this.#caCertificate = options.caCertificate;
    this.#agent = this.#agentWith(options.caCertificate);
  }

  /** From now on new connections believe this authority, and only it; what runs goes on. @param caCertificate PEM text */
  trust(caCertificate: string): void {
    const former = this.#agent;
    this.#caCertificate = caCertificate;
    this.#agent = this.#agentWith(caCertificate);
    this.#former.add(former);
    void former.close().then(() => this.#former.delete(former)); // settles when the last of what runs has ended
  }

  /**
   * Sends a request, once. Redirects are not followed. Rejects when the upstream cannot be reached, `signal` aborts, or a streamed
   * body stalls or fails.
   */
  async request(request: DialRequest): Promise<DialResponse> {
    const { body, signal } = request;
    if (body === undefined || typeof body === "string") return this.#send(request, { body: body ?? null, signal });
    const stop = new AbortController();
    let cancel = (): void => {};
    const upload = new Upload(body, {
      clock: this.#clock,
      stalled: (error) => stop.abort(error),
      sent: () =>
        (cancel = this.#clock.after(ANSWER_TIMEOUT_MS, () =>
          stop.abort(new KubeClientError("timeout", words("request/no-answer-in-time"))),
        )),
    });
    try {
      // undici sends what can be iterated; its types do not say so.
      const sending = { body: upload as unknown as Readable, signal: AbortSignal.any([signal, stop.signal]), headersTimeout: 0 };
      const response = await this.#send(request, sending);
      upload.hold();
      response.body.once("close", () => upload.cut(new Error("the request has ended")));
      return response;
    } catch (error) {
      upload.cut(error);
      throw error;
    } finally {
      cancel();
    }
  }

  /**
   * Begins a WebSocket (RFC 6455) on a connection of its own, which never goes back to a pool. The caller listens for `open`, `error`, and
   * `unexpected-response` for an answer that is no 101.
   *
   * @throws Error for an upstream behind a proxy
   */
  webSocket({ path, headers, protocols, mostMessageBytes }: DialSocket): WebSocket {
    if (this.#options.proxy !== undefined) throw new Error("WebSockets are not dialled through a proxy");
    const url = `${this.#internal.origin.replace(/^http/, "ws")}${this.#prefix}${path}`;
    return new WebSocket(url, [...protocols], {
      headers: { ...headers, host: this.#host },
      ...this.#expected,
      ...(this.#caCertificate === undefined ? {} : { ca: this.#caCertificate }),
      followRedirects: false,
      handshakeTimeout: ANSWER_TIMEOUT_MS,
      maxPayload: mostMessageBytes,
      perMessageDeflate: false,
    });
  }

  async #send({ method, path, headers, started }: DialRequest, sending: Sending): Promise<DialResponse> {
    const sent = this.#agent.compose(sendOnce({ isSafe: method === "GET" || method === "HEAD", started })).request({
      origin: this.#internal.origin,
      path: `${this.#prefix}${path}`,
      method,
      headers: { "accept-encoding": "identity", ...headers, host: this.#host },
      ...sending,
    });
    try {
      const response = await sent;
      this.#options.proxyFailed?.(undefined);
      return response;
    } catch (error) {
      if (error instanceof ProxyError) this.#options.proxyFailed?.(error.message);
      throw error;
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#agent, ...this.#former].map((agent) => agent.destroy()));
  }

  #agentWith(ca: string | undefined): Dispatcher {
    return outgoingDispatcher({
      proxy: this.#options.proxy,
      connectTimeoutMs: 5_000,
      tls: { ca, ...this.#expected },
      // A quiet watch is well.
      agent: { bodyTimeout: 0, headersTimeout: ANSWER_TIMEOUT_MS, keepAliveTimeout: 10_000 },
    });
  }
}

type Sending = Pick<Dispatcher.RequestOptions, "body" | "signal" | "headersTimeout">;

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
 * Gives up an answer whose body is not read: a short one is read to its end, so that its connection stays, a long one is cut.
 * Never fails and never throws later: undici's body emits an error when it is destroyed.
 */
export function discard(response: DialResponse): void {
  response.body.on("error", () => {});
  response.body.dump({ limit: 64 * 1024 }).catch(() => {});
}

/** One header's value; the first when there are several. */
export function headerOf(response: Pick<DialResponse, "headers">, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/**
 * For one request: says when it goes out, and holds that it goes out once unless it is safe. undici queues a request again that it
 * wrote, but saw no answer to, in some ends of a connection of its own making; the effect is then unknown.
 *
 * @param started called when the head of the request is written
 */
export function sendOnce(options: {
  readonly isSafe: boolean;
  readonly started: (() => void) | undefined;
}): Dispatcher.DispatcherComposeInterceptor {
  let isOut = false;
  return (dispatch) => (request, handler) =>
    dispatch(request, {
      onRequestStart(controller, context) {
        if (isOut && !options.isSafe) return controller.abort(new Error("the connection ended under the request"));
        handler.onRequestStart?.(controller, context);
        // It may have been aborted while it waited for its connection.
        if (controller.aborted) return;
        isOut = true;
        options.started?.();
      },
      onRequestUpgrade: (...parts) => handler.onRequestUpgrade?.(...parts),
      onResponseStart: (...parts) => handler.onResponseStart?.(...parts),
      onResponseData: (...parts) => handler.onResponseData?.(...parts),
      onResponseEnd: (...parts) => handler.onResponseEnd?.(...parts),
      onResponseError: (...parts) => handler.onResponseError?.(...parts),
    });
}

/** Logs why the proxy to the main application makes no tunnels: one line when that begins or changes, one when it has ended. */
export function proxyLog(log: Pick<Logger, "warn" | "info">): (reason: string | undefined) => void {
  let last: string | undefined;
  return (reason) => {
    if (reason === last) return;
    last = reason;
    if (reason === undefined) log.info("the main application is reached through the proxy again");
    else log.warn({ reason }, "the main application cannot be reached");
  };
}
