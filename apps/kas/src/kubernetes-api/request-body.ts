import type { IncomingMessage, ServerResponse } from "node:http";

import type { Clock } from "@binnacle/rpc";

import { DroppedRest } from "../http-exchange/dropped-rest.ts";

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

/** The client waits to be told to send its body (RFC 9110 §10.1.1). */
export function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === "100-continue" && bodyOf(request) !== undefined;
}

/** Clients that were told to send their body. */
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
