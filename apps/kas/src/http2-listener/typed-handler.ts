import { Http2ServerRequest, Http2ServerResponse } from "node:http2";

import type { IncomingStream } from "./http2-listener.ts";

/** Answers a typed request, as `connectNodeAdapter` returns it. */
export type TypedHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Gives a stream to a handler of Node's request and response API. */
export function handToConnect({ stream, headers, rawHeaders }: IncomingStream, handler: TypedHandler): void {
  handler(new Http2ServerRequest(stream, headers, {}, rawHeaders), new Http2ServerResponse(stream));
}
