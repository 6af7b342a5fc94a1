import { bytesOf, FRAME_PREFIX_BYTES } from "./frame.ts";

/** Field numbers from a message down to a `bytes` field. All of them are below 16, so that a tag is one byte. */
export type BytesPath = readonly number[];

/** The messages that carry bodies. Nest two by joining: `[...CONNECT_REQUEST_MESSAGE, ...HTTP_RESPONSE_DATA]`. */
export const CONNECT_REQUEST_MESSAGE: BytesPath = [3, 1];
export const CONNECT_RESPONSE_MESSAGE: BytesPath = [2, 1];
export const GATEWAY_MESSAGE: BytesPath = [3, 1];
export const HTTP_REQUEST_DATA: BytesPath = [2, 1];
export const HTTP_RESPONSE_DATA: BytesPath = [2, 1];
/** Bytes of an upgraded connection, from the client and to it. */
export const HTTP_REQUEST_UPGRADE_DATA: BytesPath = [4, 1];
export const HTTP_RESPONSE_UPGRADE_DATA: BytesPath = [4, 1];
/** An HTTP response body inside of a tunnel, in one go. */
export const TUNNELLED_RESPONSE_DATA: BytesPath = [...CONNECT_REQUEST_MESSAGE, ...HTTP_RESPONSE_DATA];
/** The same for bytes of an upgraded connection. */
export const TUNNELLED_RESPONSE_UPGRADE_DATA: BytesPath = [...CONNECT_REQUEST_MESSAGE, ...HTTP_RESPONSE_UPGRADE_DATA];
export const TUNNELLED_REQUEST_UPGRADE_DATA: BytesPath = [...CONNECT_RESPONSE_MESSAGE, ...HTTP_REQUEST_UPGRADE_DATA];
/** An HTTP request body inside of a tunnel, in one go. */
export const TUNNELLED_REQUEST_DATA: BytesPath = [...CONNECT_RESPONSE_MESSAGE, ...HTTP_REQUEST_DATA];

const LENGTH_DELIMITED = 2;

/** The pieces as the `bytes` field at the end of `path`: a small header and then the same pieces, not joined. Equal to what protobuf-es writes. */
export function wrapBytes(path: BytesPath, pieces: readonly Uint8Array[]): Uint8Array[] {
  return [headerOf(path, bytesOf(pieces), false), ...pieces];
}

/** The same with gRPC's prefix in front: ready to be written to a stream. */
export function wrapFrame(path: BytesPath, pieces: readonly Uint8Array[]): Uint8Array[] {
  return [headerOf(path, bytesOf(pieces), true), ...pieces];
}

/**
 * Number of the field that a message consists of, without decoding it.
 *
 * @returns 0 when the message is empty or is not exactly one length-delimited field below 16: then decode it with protobuf-es
 */
export function peekField(message: Uint8Array): number {
  const tag = message[0];
  if (tag === undefined || tag >= 0x80 || (tag & 7) !== LENGTH_DELIMITED) return 0;
  const start = startOfContent(message, 1, message.byteLength);
  return start > 0 ? tag >> 3 : 0;
}

/**
 * The `bytes` field at the end of `path`, as a view.
 *
 * @returns undefined when the message is not exactly that path: then decode it with protobuf-es
 */
export function unwrapBytes(path: BytesPath, message: Uint8Array): Uint8Array | undefined {
  const end = message.byteLength;
  let from = 0;
  for (let depth = 0; depth < path.length; depth += 1) {
    // Proto3 leaves out an empty bytes field.
    if (from === end && depth === path.length - 1) break;
    if (message[from] !== (((path[depth] ?? 0) << 3) | LENGTH_DELIMITED)) return undefined;
    from = startOfContent(message, from + 1, end);
    if (from === 0) return undefined;
  }
  return message.subarray(from, end);
}

/**
 * Where the `bytes` field at the end of `path` begins in a message of which only the beginning is there.
 *
 * @param within where the message begins in `bytes`, and where it will end
 * @returns undefined when it is not exactly that path, or its header is not all there
 */
export function beginOfBytes(
  path: BytesPath,
  bytes: Uint8Array,
  within: { readonly from: number; readonly end: number },
): number | undefined {
  let { from } = within;
  for (const field of path) {
    if (bytes[from] !== ((field << 3) | LENGTH_DELIMITED)) return undefined;
    from = startOfContent(bytes, from + 1, within.end);
    if (from === 0) return undefined;
  }
  return from;
}

function headerOf(path: BytesPath, bodyBytes: number, framed: boolean): Buffer {
  // Proto3 leaves out an empty bytes field.
  const deepest = bodyBytes === 0 ? path.length - 2 : path.length - 1;
  let headerBytes = framed ? FRAME_PREFIX_BYTES : 0;
  let length = bodyBytes;
  for (let depth = deepest; depth >= 0; depth -= 1) {
    const bytes = 1 + varintBytes(length);
    headerBytes += bytes;
    length += bytes;
  }
  const buffer = Buffer.allocUnsafe(headerBytes);
  let at = headerBytes;
  length = bodyBytes;
  for (let depth = deepest; depth >= 0; depth -= 1) {
    at = putLength(buffer, at, length) - 1;
    buffer[at] = ((path[depth] ?? 0) << 3) | LENGTH_DELIMITED;
    length = bodyBytes + headerBytes - at;
  }
  if (framed) {
    buffer[0] = 0;
    buffer.writeUInt32BE(length, 1);
  }
  return buffer;
}

function varintBytes(value: number): number {
  let size = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) size += 1;
  return size;
}

/** Writes a varint that ends before `end`; returns where it begins. */
function putLength(buffer: Buffer, end: number, length: number): number {
  const size = varintBytes(length);
  let rest = length;
  for (let at = end - size; at < end - 1; at += 1) {
    buffer[at] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  buffer[end - 1] = rest;
  return end - size;
}

/** Where the content begins whose length stands at `from`; 0 when the length is not all there, or the content does not end at `end`. */
function startOfContent(message: Uint8Array, from: number, end: number): number {
  let length = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = message[from + index];
    if (byte === undefined) return 0;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return from + index + 1 + length === end ? from + index + 1 : 0;
  }
  return 0;
}
