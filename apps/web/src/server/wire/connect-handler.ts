import type { IncomingMessage, ServerResponse } from "node:http";

import { createConnectRouter, createContextValues, type ConnectRouter, type ConnectRouterOptions } from "@connectrpc/connect";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";

import { acceptsGzip } from "../base/accept-encoding.ts";
import { NOTE_BLOCK, OutgoingBlocks, type NoteBlock } from "./outgoing-blocks.ts";
import { sendAnswer, type StreamBytes } from "./send-answer.ts";

/** Which services are served, and how. */
export interface ConnectHandlerOptions extends Pick<ConnectRouterOptions, "interceptors" | "shutdownSignal" | "readMaxBytes"> {
  readonly routes: (router: ConnectRouter) => void;
  /** Path below which procedures are served, "/api/rpc". */
  readonly prefix: string;
  /** What browsers call this server, "host:port": no URL is ever built from what a client calls us. */
  readonly authority: string;
  readonly counted?: StreamBytes;
  /** Services whose answers are not compressed: they hold what strangers may write next to what is not theirs (docs/security.md, T29). */
  readonly uncompressed?: ReadonlySet<string>;
}

/** Answers one request; rejects only when there is a bug. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Connect services straight on Node's requests, of HTTP/1.1 and HTTP/2. It is `connectNodeAdapter`, made of the same parts, but for
 * the end: that one writes by itself, so it neither compresses nor tells anybody what went wrong. Unknown procedures are 404.
 */
export function createConnectHandler(options: ConnectHandlerOptions): NodeHandler {
  const { routes, prefix, authority, counted, uncompressed, ...rest } = options;
  const router = createConnectRouter({ ...rest, grpc: false, grpcWeb: false });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [`${prefix}${handler.requestPath}`, handler]));
  return async (request, response) => {
    const handler = handlers.get((request.url ?? "").split("?", 1)[0] ?? "");
    if (!handler) {
      response.writeHead(404).end();
      return;
    }
    request.headers.host = authority;
    const isCompressed = acceptsGzip(request.headers["accept-encoding"]) && uncompressed?.has(handler.service.typeName) !== true;
    const blocks = isCompressed ? new OutgoingBlocks() : undefined;
    const values = createContextValues().set(NOTE_BLOCK, noteOf(request, blocks));
    const call = universalRequestFromNodeRequest(request, response, undefined, values);
    const answer = await handler(call);
    await sendAnswer(answer, { response, signal: call.signal, counted, blocks });
  };
}

/** Blocks are binary and cannot be part of JSON; a client that does not accept gzip is sent them as any other bytes. */
function noteOf({ headers }: IncomingMessage, blocks: OutgoingBlocks | undefined): NoteBlock | undefined {
  if (headers["content-type"] !== "application/connect+proto") return undefined;
  return (block) => blocks?.note(block);
}
