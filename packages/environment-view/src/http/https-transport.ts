import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

import { systemClock, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { KubeClientError, type RequestStage } from "../base/kube-client.ts";
import { checkRequest, requestHeaders } from "./checked-request.ts";
import type { KubeBody, KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";
import { Upload } from "./upload.ts";

const ANSWER_TIMEOUT_MS = 60_000;

/** Where an API server is and the credentials of the client. PEM texts, not file names. */
export interface HttpsTransportOptions {
  /** `https://10.96.0.1`, or `http://127.0.0.1:8001` of a `kubectl proxy`. */
  readonly baseUrl: string;
  /** Authority that signed the server's certificate; default: those of Node. */
  readonly ca?: string;
  /** Client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** Bearer token; a function is called before each request, because tokens in a cluster are renewed. */
  readonly token?: string | (() => string | Promise<string>);
  /** How long until the first line of an answer, from the end of a streamed body on; default a minute. A body may take any time. */
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
 * than it saves on the way to a server nearby. Node never sends a request again, not even on a kept connection that was closed.
 */
export function createHttpsTransport(options: HttpsTransportOptions): HttpsTransport {
  const { ca, cert, key, answerTimeoutMs = ANSWER_TIMEOUT_MS, clock = systemClock } = options;
  const base = new URL(options.baseUrl);
  const tls = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  const secure = base.protocol === "https:";
  const agent = secure ? new HttpsAgent({ keepAlive: true, ...tls }) : new HttpAgent({ keepAlive: true });
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, "");

  return {
    async request(request, signal) {
      checkRequest(request);
      const token = typeof options.token === "function" ? await options.token() : options.token;
      if (signal.aborted) throw failureOf(signal.reason, "not_started", signal);
      const settings = { agent, method: request.method, headers: headersOf(request, token) };
      const url = new URL(base.origin + prefix + request.path);
      const sent = secure ? httpsRequest(url, settings) : httpRequest(url, settings);
      endWith(sent, signal);
      const stage = stageOf(sent, secure ? "secureConnect" : "connect");
      let cancel = (): void => {};
      const expectAnswer = (): void => {
        cancel = clock.after(answerTimeoutMs, () => sent.destroy(new KubeClientError("connection", words("request/no-answer-in-time"))));
      };
      try {
        return responseOf(await answerTo(sent, request.body, { clock, expectAnswer }));
      } catch (error) {
        throw failureOf(error, stage(), signal);
      } finally {
        cancel();
      }
    },
    close: () => agent.destroy(),
  };
}

function headersOf(request: KubeRequest, token: string | undefined): Record<string, string> {
  const { body } = request;
  return {
    ...requestHeaders(request),
    "accept-encoding": "identity",
    // Node frames no body of a DELETE by itself.
    ...(body === undefined
      ? {}
      : typeof body === "string"
        ? { "content-length": String(Buffer.byteLength(body)) }
        : { "transfer-encoding": "chunked" }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

/**
 * Without an error, unlike Node's own option: where the answer has come as a whole and is not read, Node takes its listener off the connection
 * before the error of the abort arrives there, which ends the process.
 */
function endWith(sent: ClientRequest, signal: AbortSignal): void {
  const abort = (): void => void sent.destroy();
  signal.addEventListener("abort", abort, { once: true });
  sent.once("close", () => signal.removeEventListener("abort", abort));
}

/** How far a request has come: its head is written as soon as there is a connection for it. */
function stageOf(sent: ClientRequest, connected: "connect" | "secureConnect"): () => RequestStage {
  let stage: RequestStage = "not_started";
  sent.once("socket", (socket) => {
    if (sent.reusedSocket) stage = "started";
    else socket.once(connected, () => (stage = "started"));
  });
  return () => stage;
}

interface Waiting {
  readonly clock: Clock;
  /** The request is sent as a whole. */
  readonly expectAnswer: () => void;
}

function answerTo(sent: ClientRequest, body: KubeBody | undefined, { clock, expectAnswer }: Waiting): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Errors after the answer has begun come out of its body.
    sent.on("error", reject);
    if (body === undefined || typeof body === "string") {
      sent.on("response", resolve);
      expectAnswer();
      sent.end(body);
      return;
    }
    const upload = new Upload(body, { clock, stalled: (error) => sent.destroy(error), sent: expectAnswer });
    sent.on("response", (message) => {
      upload.hold();
      resolve(message);
      // A request that was not sent as a whole keeps its connection from the next one.
      message.once("end", () => sent.writableEnded || sent.destroy());
    });
    sent.once("close", () => upload.cut(new Error("the request has ended")));
    send(sent, upload).catch((error: unknown) => sent.destroy(error instanceof Error ? error : new Error("the upload broke off")));
  });
}

async function send(sent: ClientRequest, upload: Upload): Promise<void> {
  for await (const piece of upload) {
    if (sent.destroyed) return;
    if (!sent.write(piece)) await drained(sent);
  }
  sent.end();
}

/** Settles when there is room again, or nothing more to wait for. */
function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sent.off("drain", done).off("close", done);
      resolve();
    };
    sent.on("drain", done).on("close", done);
  });
}

function failureOf(error: unknown, stage: RequestStage, signal: AbortSignal): KubeClientError {
  if (signal.aborted) return new KubeClientError("connection", words("request/aborted"), { cause: error, stage });
  if (error instanceof KubeClientError) return new KubeClientError(error.failure, error.words, { cause: error.cause, stage });
  return new KubeClientError("connection", words("request/api-silent"), { cause: error, stage });
}

function responseOf(message: IncomingMessage): KubeResponse {
  // Without a listener a response that is not read any more would end the process when its connection breaks.
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
