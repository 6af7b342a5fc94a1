import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";

import { create, toBinary } from "@bufbuild/protobuf";
import { WatchRequestSchema } from "@binnacle/proto/dashboard";

import type { DashboardSession } from "../support/dashboard-client.ts";

const METHOD = "/api/rpc/dashboard.v1.Dashboard/Watch";
/** Of Connect's envelope: one byte of flags, four of length. */
const HEAD_BYTES = 5;
const END_OF_STREAM = 2;
/** No change of a large environment is so long, and no picture of it is shorter. */
const PICTURE_BYTES = 100_000;

/** Pages of one browser that show the same environment, in its one stream. */
export interface PageStream {
  /** How long each page has waited for its first picture, in ms since the stream was requested; settles when all have theirs. */
  readonly pictures: Promise<readonly number[]>;
  /** Bytes that have arrived, as for a browser: compressed, without HTTP's headers. */
  readonly bytes: number;
  close(): void;
}

/** Opens it. Messages are recognized by their length and not read, so that the processors are left to the server. */
export function openPages(
  { origin, cookie }: DashboardSession,
  environment: { readonly projectPath: string; readonly environment: string },
  pages: number,
): PageStream {
  const topics = Array.from({ length: pages }, (_, id) => ({ id, topic: { case: "environment", value: environment } as const }));
  const body = toBinary(WatchRequestSchema, create(WatchRequestSchema, { topics }));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(body.length, 1);
  const accepted = { "accept-encoding": "gzip", "content-type": "application/connect+proto", "connect-protocol-version": "1" };
  const startedAt = performance.now();
  const call = request(`${origin}${METHOD}`, { method: "POST", agent: false, headers: { ...accepted, origin, cookie } });
  call.on("error", () => undefined).end(Buffer.concat([head, body]));
  let bytes = 0;
  const read = async (): Promise<readonly number[]> => {
    // The only argument of "response".
    const [response] = (await once(call, "response")) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`the stream was answered with ${response.statusCode}`);
    response.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("error", () => undefined);
    const plain = createGunzip().on("error", () => undefined);
    const times: number[] = [];
    await new Promise<void>((resolve, reject) => {
      response.once("close", () => reject(new Error("the stream ended")));
      readEnvelopes(response.pipe(plain), (flags, length) => {
        if ((flags & END_OF_STREAM) !== 0) reject(new Error("the stream was ended by the server"));
        if (length < PICTURE_BYTES) return;
        times.push(performance.now() - startedAt);
        if (times.length === pages) resolve();
      });
    });
    return times;
  };
  return {
    pictures: read(),
    get bytes() {
      return bytes;
    },
    close: () => void call.destroy(),
  };
}

/** Tells of each message when its last byte is there. */
function readEnvelopes(stream: NodeJS.ReadableStream, whole: (flags: number, length: number) => void): void {
  let held: Buffer = Buffer.alloc(0);
  let missing = 0;
  let envelope: { readonly flags: number; readonly length: number } | undefined;
  stream.on("data", (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (envelope === undefined) {
        if (held.length < HEAD_BYTES) return;
        envelope = { flags: held.readUInt8(0), length: held.readUInt32BE(1) };
        missing = envelope.length;
        held = held.subarray(HEAD_BYTES);
      }
      const taken = Math.min(missing, held.length);
      missing -= taken;
      held = held.subarray(taken);
      if (missing > 0) return;
      whole(envelope.flags, envelope.length);
      envelope = undefined;
    }
  });
}
