import type { IncomingMessage, ServerResponse } from "node:http";

import { allowedTrailers, fieldsOfLines, isTrailerName, type ValuesMap } from "@binnacle/grpc-wire";
import type { Clock } from "@binnacle/rpc";

import { DroppedRest } from "../../http-exchange/dropped-rest.ts";

/** Length the client announced; undefined when it did not. */
export function contentLengthOf(request: IncomingMessage): bigint | undefined {
  const text = request.headers["content-length"];
  return text === undefined ? undefined : BigInt(text);
}

/** The body; undefined when none follows (RFC 9112 §6.3). */
export function bodyOf(request: IncomingMessage): IncomingMessage | undefined {
  const follows = request.headers["transfer-encoding"] !== undefined || (request.headers["content-length"] ?? "0") !== "0";
  return follows ? request : undefined;
}

/** The trailers of a body in chunks that the client has announced (RFC 9110 §6.6.2): `undefined` without any that may be passed on. */
export function trailersOf(request: IncomingMessage): (() => ValuesMap | undefined) | undefined {
  const inChunks = request.headers["transfer-encoding"] !== undefined && request.httpVersionMajor === 1;
  return inChunks && trailerNamesOf(request).length > 0 ? () => allowedTrailers(fieldsOfLines(request.rawTrailers)) : undefined;
}

/** Names of the trailers that the client has announced, and that may be passed on. */
export function trailerNamesOf({ headers }: IncomingMessage): string[] {
  const names = (headers.trailer ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => isTrailerName(name)).slice(0, 32);
}

/** The client reads trailers (RFC 9110 §10.1.4). */
export function takesTrailers({ headersDistinct }: IncomingMessage): boolean {
  const lines = headersDistinct["te"];
  return lines !== undefined && lines.some((line) => line.split(",").some((each) => each.trim().toLowerCase() === "trailers"));
}

/** The client waits for 100 Continue before it sends its body (RFC 9110 §10.1.1). */
export function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === "100-continue" && bodyOf(request) !== undefined;
}

/** Responses for which 100 Continue was sent. */
const continued = new WeakSet<ServerResponse>();

/** Tells a client that waits for it to send its body. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (!expectsContinue(request) || continued.has(response) || response.headersSent || response.destroyed) return;
  continued.add(response);
  response.writeContinue();
}

/** The client waits still: it may send its body or not, so its connection cannot carry another request. */
export function isLeftWaiting(request: IncomingMessage, response: ServerResponse): boolean {
  return expectsContinue(request) && !continued.has(response);
}

/** Throws away what is left of the body, so that the client reads its answer; too much of it ends the connection behind the answer. */
export function dropRestOf(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  if (request.complete || request.destroyed || bodyOf(request) === undefined || isLeftWaiting(request, response)) return;
  const { socket } = request;
  const rest = new DroppedRest(clock, () => {
    request.pause();
    if (response.writableFinished) socket.destroy();
    else response.once("finish", () => socket.destroy());
  });
  const stop = (): void => rest.stop();
  request.once("end", stop).once("close", stop);
  request.on("data", (chunk: Buffer) => void rest.add(chunk.byteLength));
}
