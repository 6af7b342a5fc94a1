import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";

import { WatchEnvironmentRequestSchema, WatchEnvironmentResponseSchema, type WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";

import type { DashboardSession } from "../support/dashboard-client.ts";

const METHOD = "/api/rpc/dashboard.v1.Dashboard/WatchEnvironment";
/** Of Connect's envelope: one byte of flags, four of length. */
const HEAD_BYTES = 5;
const END_OF_STREAM = 2;

/** One viewer's stream of an environment, as it comes over the wire. */
export interface RawViewer {
  /** Bytes that have arrived, compressed as for a browser; without HTTP's headers. */
  readonly bytes: number;
  /** Messages, once each; ends with the stream. */
  messages(): AsyncGenerator<WatchEnvironmentResponse>;
  /** Reads and discards, as cheaply as possible, so that many viewers leave the processors to the server. */
  drain(): void;
  close(): void;
}

/** Opens one, compressed with gzip. @throws when it is not answered with 200 */
export async function openViewer(
  { origin, cookie }: DashboardSession,
  ask: MessageInitShape<typeof WatchEnvironmentRequestSchema>,
): Promise<RawViewer> {
  const body = toBinary(WatchEnvironmentRequestSchema, create(WatchEnvironmentRequestSchema, ask));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length, 1);
  const call: ClientRequest = request(`${origin}${METHOD}`, {
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/connect+proto",
      "connect-protocol-version": "1",
      "accept-encoding": "gzip",
      origin,
      cookie,
    },
  });
  call.end(Buffer.concat([head, body]));
  // The only argument of "response".
  const [response] = (await once(call, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream was answered with ${response.statusCode}`);
  let bytes = 0;
  response.on("error", () => undefined);
  async function* messages(): AsyncGenerator<WatchEnvironmentResponse> {
    const plain = createGunzip();
    response.on("data", (chunk: Buffer) => (bytes += chunk.length));
    response.on("close", () => plain.end());
    response.pipe(plain, { end: false });
    let held = Buffer.alloc(0);
    for await (const chunk of plain) {
      // Without an encoding it gives buffers.
      held = Buffer.concat([held, chunk as Buffer]);
      for (;;) {
        const length = held.length < HEAD_BYTES ? Number.POSITIVE_INFINITY : held.readUInt32BE(1);
        if (held.length < HEAD_BYTES + length) break;
        const [flags, message] = [held[0] ?? 0, held.subarray(HEAD_BYTES, HEAD_BYTES + length)];
        held = held.subarray(HEAD_BYTES + length);
        if ((flags & END_OF_STREAM) !== 0) throw new Error(`the stream ended: ${message.toString()}`);
        yield fromBinary(WatchEnvironmentResponseSchema, message);
      }
    }
  }
  return {
    get bytes() {
      return bytes;
    },
    messages,
    drain: () => void response.on("data", (chunk: Buffer) => (bytes += chunk.length)),
    close: () => call.destroy(),
  };
}
