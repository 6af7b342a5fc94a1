import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

import { systemClock, type Clock } from "@binnacle/rpc";

import type { KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";

const ANSWER_TIMEOUT_MS = 60_000;

/** Where an API server is and how to prove who asks. PEM texts, not file names. */
export interface HttpsTransportOptions {
  /** `https://10.96.0.1`, or `http://127.0.0.1:8001` of a `kubectl proxy`. */
  readonly baseUrl: string;
  /** Authority that signed the server's certificate; default: those of Node. */
  readonly ca?: string;
  /** Client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** Bearer token; a function is asked before each request, because tokens in a cluster are renewed. */
  readonly token?: string | (() => string | Promise<string>);
  /** How long until the first line of an answer; default a minute. A body may take any time. */
  readonly answerTimeoutMs?: number;
  readonly clock?: Clock;
}

/** A transport with connections of its own. */
export interface HttpsTransport extends KubeTransport {
  /** Ends all connections. */
  close(): void;
}

/**
 * HTTP/1.1 to an API server, one connection per watch, kept alive between requests. Asks for plain text: compressing costs more
 * than it saves on the way to a server nearby.
 */
export function createHttpsTransport(options: HttpsTransportOptions): HttpsTransport {
  const { ca, cert, key, answerTimeoutMs = ANSWER_TIMEOUT_MS, clock = systemClock } = options;
  const base = new URL(options.baseUrl);
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  const secure = base.protocol === "https:";
  const agent = secure ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/+$/, "");

  return {
    async request(request, signal) {
      const token = typeof options.token === "function" ? await options.token() : options.token;
      const settings = { agent, method: request.method, headers: headersOf(request, token), signal };
      const url = new URL(base.origin + prefix + request.path);
      const sent = secure ? httpsRequest(url, settings) : httpRequest(url, settings);
      const cancel = clock.after(answerTimeoutMs, () => sent.destroy(new Error("no answer in time")));
      try {
        return responseOf(await answerTo(sent, request.body));
      } finally {
        cancel();
      }
    },
    close: () => agent.destroy(),
  };
}

function headersOf(request: KubeRequest, token: string | undefined): Record<string, string> {
  return {
    accept: request.accept,
    "accept-encoding": "identity",
    ...(request.ifNoneMatch === undefined ? {} : { "if-none-match": request.ifNoneMatch }),
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

function answerTo(sent: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on("response", resolve);
    // Errors after the answer has begun come out of its body.
    sent.on("error", reject);
    sent.end(body);
  });
}

function responseOf(message: IncomingMessage): KubeResponse {
  // Without a listener an answer that nobody reads any more would end the process when its connection breaks.
  message.on("error", () => {});
  return {
    status: message.statusCode ?? 0,
    header(name) {
      const value = message.headers[name.toLowerCase()];
      return typeof value === "string" ? value : value?.[0];
    },
    // No encoding is set, so the chunks are Buffers.
    body: message,
    close: () => void message.destroy(),
  };
}
