import { constants, Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";

import { AnswerStream, CONSTANT_AUTHORITY, GRPC_CODE } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";
import { type ConnectRouter, type ContextValues } from "@connectrpc/connect";
import { compressionGzip, connectNodeAdapter, type ConnectNodeAdapterOptions } from "@connectrpc/connect-node";

import type { IncomingStream } from "./http2-listener.ts";
import { isGrpc, refuseStream } from "./refuse-stream.ts";
import type { Refusals } from "./refusals.ts";

/** Answers a typed request, as `connectNodeAdapter` returns it. */
export type TypedHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** A request as Connect's adapter sees it, of HTTP/2 or HTTP/1. */
type AdapterRequest = Parameters<NonNullable<ConnectNodeAdapterOptions["contextValues"]>>[0];
type AdapterResponse = Parameters<NonNullable<ConnectNodeAdapterOptions["fallback"]>>[1];

/** What typed services need around them. */
export interface TypedHandlerOptions {
  readonly routes: (router: ConnectRouter) => void;
  /** Limit of one message of a client, before and after inflating. */
  readonly readMaxBytes: number;
  /** What handlers learn about a request besides its headers. */
  readonly contextValues?: (request: AdapterRequest) => ContextValues;
}

/** Node's types do not say that there is no error after a write that went well. */
type Written = (error: Error) => void;

/** Typed services behind a listener of ours: bounded messages, gzip only, and UNIMPLEMENTED in gRPC's own words. */
export function createTypedHandler(options: TypedHandlerOptions): TypedHandler {
  return connectNodeAdapter({ ...options, acceptCompression: [compressionGzip], fallback: answerUnknownMethod });
}

/** Gives a stream to a handler of Node's request and response API, which has no use for the authority it came with. */
export function handToConnect({ stream, headers, rawHeaders, peer }: IncomingStream, handler: TypedHandler, refusals: Refusals): void {
  // Connect builds a URL from it, and a client may send what no parser takes.
  headers[":authority"] = CONSTANT_AUTHORITY;
  stream.once("close", () => {
    const reason = refusalOf({ ...stream.sentHeaders, ...stream.sentTrailers });
    if (reason) refusals.note({ peer: peer.address, reason });
  });
  handler(new Http2ServerRequest(stream, headers, {}, rawHeaders), new TypedResponse(stream));
  // After the response's own listener, which sends the trailers.
  stream.once("wantTrailers", () => dropRest(stream));
  stream.once("finish", () => stream.endAfterHeaders && dropRest(stream));
}

/** The answer is complete: further bytes of the client are discarded, and a reset makes it stop. Unread bytes would keep the stream open. */
function dropRest(stream: ServerHttp2Stream): void {
  stream.resume();
  setImmediate(() => {
    if (!stream.readableEnded) new AnswerStream(stream).reset(constants.NGHTTP2_NO_ERROR);
  });
}

/** Connect refuses messages that are too large before any code of ours runs; such an answer bears no reason of ours. */
function refusalOf(sent: Readonly<Record<string, unknown>>): "message_too_large" | "not_implemented" | undefined {
  const code = Number(sent["grpc-status"]);
  if (code === GRPC_CODE.resourceExhausted && sent["binnacle-reason"] === undefined) return "message_too_large";
  return code === GRPC_CODE.unimplemented ? "not_implemented" : undefined;
}

/** gRPC clients take a bare 404 for a broken proxy. */
function answerUnknownMethod(request: AdapterRequest, response: AdapterResponse): void {
  if (request instanceof Http2ServerRequest && isGrpc(request.headers)) {
    return refuseStream(request, new Fault("not_implemented", `${request.url.slice(0, 200)} is no method of this server`));
  }
  response.writeHead(404);
  response.end();
}

/**
 * A response for Connect's handlers. A write that is under way when the client cancels fails with ECANCELED, which Connect takes for a bug and
 * prints; here it fails as every other write to a stream that is gone.
 */
class TypedResponse extends Http2ServerResponse {
  override write(chunk: string | Uint8Array, callback?: Written): boolean;
  override write(chunk: string | Uint8Array, encoding: BufferEncoding, callback?: Written): boolean;
  override write(chunk: string | Uint8Array, encoding: BufferEncoding | Written = "binary", callback?: Written): boolean {
    const written = typeof encoding === "function" ? encoding : callback;
    return super.write(chunk, typeof encoding === "function" ? "binary" : encoding, (error) => written?.(goneOf(error)));
  }
}

function goneOf(error: Error): Error {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ECANCELED") return error;
  return Object.assign(new Error("the client cancelled", { cause: error }), { code: "ERR_STREAM_DESTROYED" });
}
