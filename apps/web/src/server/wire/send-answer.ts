import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";

import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

import { FlushedDeflate } from "./flushed-deflate.ts";
import type { OutgoingBlocks } from "./outgoing-blocks.ts";

/** Bytes of streams: as messages, and as they are sent. */
export type StreamBytes = (stage: "message" | "sent", bytes: number) => void;

/** Where an answer goes. */
export interface AnswerTarget {
  readonly response: ServerResponse;
  /** Aborted once the client is gone. */
  readonly signal: AbortSignal;
  readonly counted: StreamBytes | undefined;
  /** What a stream sends that others send too; absent: the client does not take gzip. */
  readonly blocks: OutgoingBlocks | undefined;
}

/** Proxies with nginx' defaults would collect some kilobytes of a stream before they pass any on, or compress it anew. */
const STREAM_HEADERS = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } as const;

/** RFC 1952 §2.3: deflate, without file name, time or system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/**
 * Sends what a Connect handler answers. The next message is requested when the one before has been written to the client's connection, so a
 * reader that stalls stops its producer; one that leaves ends it.
 *
 * Streams are compressed as a whole with a flush after each message: browsers undo that by themselves, which they cannot do for
 * Connect's own compression of single messages. They hold no credential of anybody. Single answers are not compressed: the YAML of an
 * object holds what strangers may write next to what is not theirs, and its length would tell of it (docs/security.md, T29).
 *
 * @throws whatever the handler's body throws; a client that leaves is no failure
 */
export async function sendAnswer(answer: UniversalServerResponse, target: AnswerTarget): Promise<void> {
  const { response, counted } = target;
  const streamed = answer.header?.get("content-type")?.startsWith("application/connect+") === true;
  const blocks = streamed ? target.blocks : undefined;
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.header ?? []),
    ...(streamed ? { ...STREAM_HEADERS, vary: "accept-encoding" } : {}),
    ...(blocks ? { "content-encoding": "gzip" } : {}),
  });
  if (!answer.body) return void response.end();
  response.flushHeaders();
  let failure: { readonly error: unknown } | undefined;
  const messages = answer.body;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for await (const message of messages) {
        if (streamed) counted?.("message", message.length);
        if (streamed && !blocks) counted?.("sent", message.length);
        yield message;
      }
    } catch (error) {
      if (!target.signal.aborted) failure = { error };
      throw error;
    }
  }
  async function* zipped(from: AsyncIterable<Uint8Array>, noted: OutgoingBlocks): AsyncGenerator<Uint8Array> {
    for await (const chunk of gzipMessages(from, noted)) {
      counted?.("sent", chunk.length);
      yield chunk;
    }
  }
  try {
    await pipeline(blocks ? zipped(body(), blocks) : body(), sinkOf(response));
  } catch {
    // All else is the connection's: the client has left.
    if (failure) throw failure.error;
  }
}

/** What is written to: an HTTP/2 response only imitates a stream, and has a real one. */
function sinkOf(response: ServerResponse): NodeJS.WritableStream {
  const any: unknown = response;
  return any instanceof Http2ServerResponse ? any.stream : response;
}

/**
 * One gzip stream (RFC 1952) of messages: each is flushed before the next is requested, so no client waits for a message that was sent.
 * Blocks that many streams send are not compressed again but put between what is this stream's own; nothing refers across them.
 */
export async function* gzipMessages(messages: AsyncIterable<Uint8Array>, blocks: OutgoingBlocks): AsyncGenerator<Uint8Array> {
  const deflate = new FlushedDeflate();
  let [checksum, length] = [0, 0];
  try {
    yield HEADER;
    for await (const message of messages) {
      checksum = crc32(message, checksum);
      length += message.length;
      yield* compressed(message, deflate, blocks);
    }
    yield await deflate.end();
    yield trailer(checksum, length);
  } finally {
    deflate.close();
  }
}

async function* compressed(message: Uint8Array, deflate: FlushedDeflate, blocks: OutgoingBlocks): AsyncGenerator<Uint8Array> {
  const found = blocks.find(message);
  const shared = await found?.block.deflated();
  if (!found || !shared) {
    yield await deflate.write(message);
    return;
  }
  yield Buffer.concat([await deflate.write(message.subarray(0, found.start)), await deflate.forget()]);
  yield shared;
  if (found.end < message.length) yield await deflate.write(message.subarray(found.end));
}

/** RFC 1952 §2.3.1: CRC-32 and length of all that was put in, modulo 2^32, least byte first. */
function trailer(checksum: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(checksum, 0);
  bytes.writeUInt32LE(length % 2 ** 32, 4);
  return bytes;
}
