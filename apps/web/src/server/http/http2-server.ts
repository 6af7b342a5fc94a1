import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import {
  constants,
  createSecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";

import type { Clock } from "@binnacle/rpc";

/** What a server over TLS works with. */
export interface Http2ServerOptions {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** For clients that speak HTTP/1.1. */
  readonly http1: ServerOptions;
  readonly clock: Clock;
}

/** Answers a request of either protocol. */
type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

const HANDSHAKE_MS = 10_000;
/** A connection brings its first request within this time. */
const FIRST_REQUEST_MS = 10_000;
/** An idle session gets a GOAWAY after this; browsers open another when they need it. */
const IDLE_MS = 60_000;
/** A whole request is there after this, as over HTTP/1.1. */
const REQUEST_MS = 30_000;
/** Streams of one browser at once: its live views, and the files and calls of its tabs. */
const MAX_STREAMS = 128;
/** Node's own bound for HTTP/1.1. */
const MAX_HEADER_BYTES = 16 * 1024;
/** What waits for one slow reader, in MB: Node refuses new streams of the connection beyond. */
const SESSION_MEMORY_MB = 64;

/**
 * An https server for HTTP/2 and HTTP/1.1, whose listener sees the same kind of request from both. Connections and requests that stay
 * away, floods of resets and of broken frames are cut.
 */
export function createHttp2Server(options: Http2ServerOptions, listener: RequestListener): Http2SecureServer {
  const { cert, key, http1, clock } = options;
  const server = createSecureServer({
    cert,
    key,
    allowHTTP1: true,
    http1Options: http1,
    handshakeTimeout: HANDSHAKE_MS,
    unknownProtocolTimeout: HANDSHAKE_MS,
    ...CLASSES,
    settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_BYTES, enablePush: false },
    maxSessionMemory: SESSION_MEMORY_MB,
    maxSessionInvalidFrames: 100,
    // A page that is left cancels all it has, not a thousand streams in a second.
    streamResetBurst: 500,
    streamResetRate: 33,
  });
  // True of all that anybody here or in Next uses of them: `PlainRequest` and `PlainResponse` add what Node's compatible classes lack.
  const answer = (request: unknown, response: unknown): void => listener(request as IncomingMessage, response as ServerResponse);
  server.on("request", answer).on("checkExpectation", answer);
  server.on("session", (session) => limitSession(session, clock));
  return server;
}

/** Cuts a session that stays silent, lets one go that has nothing to do, and cuts its requests that do not end. */
function limitSession(session: ServerHttp2Session, clock: Clock): void {
  let streams = 0;
  let cancelIdle = clock.after(FIRST_REQUEST_MS, () => session.destroy());
  session.once("close", () => cancelIdle());
  session.on("stream", (stream: ServerHttp2Stream, _headers: IncomingHttpHeaders, flags: number) => {
    streams += 1;
    cancelIdle();
    const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    const cancelRequest = isWhole ? () => undefined : clock.after(REQUEST_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    stream.once("end", cancelRequest);
    // What was not read of a request when it is answered is not wanted: the stream ends, the connection is for the others.
    if (!isWhole) stream.once("finish", () => stream.close());
    stream.once("close", () => {
      cancelRequest();
      streams -= 1;
      if (streams === 0 && !session.destroyed) cancelIdle = clock.after(IDLE_MS, () => session.destroy());
    });
  });
}

/** A request over HTTP/2 as one over HTTP/1.1 would look: a host, and no header that `fetch` does not know. */
class PlainRequest extends Http2ServerRequest {
  override readonly headers: IncomingHttpHeaders;

  constructor(...given: ConstructorParameters<typeof Http2ServerRequest>) {
    super(...given);
    const [, headers] = given;
    const plain = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
    const host = headers[":authority"] ?? headers.host;
    this.headers = { ...Object.fromEntries(plain), ...(host === undefined ? {} : { host }) };
    // Who changes the host changes this too.
    Object.defineProperty(this, "authority", { get: () => this.headers.host });
  }
}

/** Knows what middleware for HTTP/1.1 calls, Next's compression among it. */
class PlainResponse extends Http2ServerResponse<PlainRequest> {
  /** HTTP/2 has no reason phrases (RFC 9113 §8.3.2), and Node warns when one is set: they are dropped here. */
  override statusMessage = "" as const;

  _implicitHeader(): void {
    this.writeHead(this.statusCode);
  }
}

// They are what they replace; TypeScript cannot see it, because the type of a response names the class of its request.
const CLASSES = { Http2ServerRequest: PlainRequest, Http2ServerResponse: PlainResponse } as unknown as {
  readonly Http2ServerRequest: typeof Http2ServerRequest;
  readonly Http2ServerResponse: typeof Http2ServerResponse;
};
