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

/** Throws away what is left of the body, so that the client reads its answer; too much of it ends the connection behind the answer. */
export function dropRestOf(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  if (request.complete || request.destroyed || bodyOf(request) === undefined) return;
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
