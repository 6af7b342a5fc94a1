import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { encodeFrame } from "./frame.ts";
import { FrameReader, type FrameReaderOptions } from "./frame-reader.ts";
import { TUNNELLED_RESPONSE_DATA, TUNNELLED_RESPONSE_UPGRADE_DATA, unwrapBytes, wrapBytes, type BytesPath } from "./hot-messages.ts";

/** A reader, and what it delivered in order: full messages as frames, pieces as bytes. */
function readerOf(options: FrameReaderOptions = {}) {
  const delivered: ({ readonly data: Uint8Array; readonly maxBytes?: number } | Uint8Array)[] = [];
  const reader = new FrameReader(options, {
    message: (data) => delivered.push({ data }),
    packed: (message) => delivered.push(message),
    piece: (bytes) => delivered.push(bytes),
  });
  return { reader, delivered };
}

/** Pushes the stream in chunks of these sizes, the rest as one. */
function pushIn(reader: FrameReader, stream: Uint8Array, sizes: readonly number[]): void {
  let at = 0;
  for (const size of [...sizes, stream.length]) {
    reader.push(stream.subarray(at, at + size));
    at = Math.min(stream.length, at + size);
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const messagesArbitrary = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });
const sizesArbitrary = fc.array(fc.nat(40), { maxLength: 60 });

describe("FrameReader", () => {
  test("gives back the messages of any stream, however it is cut", () => {
    fc.assert(
      fc.property(messagesArbitrary, sizesArbitrary, (messages, sizes) => {
        const { reader, delivered } = readerOf();
        pushIn(reader, Buffer.concat(messages.flatMap((message) => encodeFrame([message]))), sizes);
        reader.end();
        expect(delivered.map((item) => ("data" in item ? hex(item.data) : "a piece"))).toEqual(messages.map(hex));
      }),
    );
  });

  test("a message in one chunk is a view of it", () => {
    const chunk = Buffer.concat(encodeFrame([Buffer.from("hello")]));
    const { reader, delivered } = readerOf();
    reader.push(chunk);
    chunk[5] = 0x6a;
    const [frame] = delivered;
    expect(frame && "data" in frame ? Buffer.from(frame.data).toString() : frame).toBe("jello");
  });

  test("refuses a message above the limit as soon as its prefix is read", () => {
    const { reader, delivered } = readerOf({ maxMessageBytes: 10 });
    reader.push(Buffer.from([0, 0, 0, 0, 10]));
    expect(delivered).toEqual([]);
    expect(() => readerOf({ maxMessageBytes: 10 }).reader.push(Buffer.from([0, 0, 0, 0, 11]))).toThrow(
      expect.objectContaining({ reason: "message_too_large" }),
    );
    expect(() => readerOf().reader.push(Buffer.from([0, 0xff, 0xff, 0xff, 0xff]))).toThrow(/4294967295 bytes/);
  });

  test("refuses an unknown flag", () => {
    expect(() => readerOf().reader.push(Buffer.from([2, 0, 0, 0, 0]))).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });

  test("an end in the middle of a message is a fault", () => {
    const { reader } = readerOf();
    reader.push(Buffer.from([0, 0, 0, 0, 3, 1]));
    expect(() => reader.end()).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });
});

describe("a field that is cut through", () => {
  /** The bytes of all bodies, however they were delivered, and of everything else. */
  const readBodies = (delivered: readonly ({ readonly data: Uint8Array } | Uint8Array)[]): { bodies: string; others: string[] } => {
    const others: string[] = [];
    const bodies: Uint8Array[] = [];
    for (const item of delivered) {
      const body = "data" in item ? unwrapBytes(TUNNELLED_RESPONSE_DATA, item.data) : item;
      if (body === undefined && "data" in item) others.push(hex(item.data));
      else if (body !== undefined) bodies.push(body);
    }
    return { bodies: hex(Buffer.concat(bodies)), others };
  };

  test("arrives whole and in order, however the stream is cut, and other messages stay whole", () => {
    const item = fc.record({ isBody: fc.boolean(), data: fc.uint8Array({ minLength: 1, maxLength: 300 }) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), sizesArbitrary, (items, sizes) => {
        // A tag that begins no ConnectRequest.message.
        const other = (data: Uint8Array): Uint8Array => Buffer.concat([Buffer.from([0x12]), data]);
        const { reader, delivered } = readerOf();
        reader.cutThrough([TUNNELLED_RESPONSE_DATA]);
        const frames = items.flatMap(({ isBody, data }) =>
          encodeFrame(isBody ? wrapBytes(TUNNELLED_RESPONSE_DATA, [data]) : [other(data)]),
        );
        pushIn(reader, Buffer.concat(frames), sizes);
        reader.end();
        expect(readBodies(delivered)).toEqual({
          bodies: items.map(({ isBody, data }) => (isBody ? hex(data) : "")).join(""),
          others: items.flatMap(({ isBody, data }) => (isBody ? [] : [hex(other(data))])),
        });
      }),
    );
  });

  test("is delivered as it comes: nothing of it is buffered", () => {
    const frame = Buffer.concat(encodeFrame(wrapBytes(TUNNELLED_RESPONSE_DATA, [Buffer.alloc(100_000, 7)])));
    const { reader, delivered } = readerOf();
    reader.cutThrough([TUNNELLED_RESPONSE_DATA]);
    reader.push(frame.subarray(0, 16_384));
    expect(delivered).toHaveLength(1);
    expect(reader.pendingBytes).toBe(0);
    expect(() => reader.end()).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });

  test("is delivered with its path, when there are several", () => {
    const delivered: (readonly [number, BytesPath])[] = [];
    const reader = new FrameReader(
      {},
      {
        message: ({ byteLength }) => expect.unreachable(`a full message of ${byteLength} bytes`),
        packed: () => expect.unreachable("nothing is packed"),
        piece: ({ byteLength }, path) => delivered.push([byteLength, path]),
      },
    );
    const paths = [TUNNELLED_RESPONSE_DATA, TUNNELLED_RESPONSE_UPGRADE_DATA];
    reader.cutThrough(paths);
    for (const path of [...paths, TUNNELLED_RESPONSE_DATA]) {
      const frame = Buffer.concat(encodeFrame(wrapBytes(path, [Buffer.alloc(5_000)])));
      reader.push(frame.subarray(0, -1_000));
      reader.push(frame.subarray(-1_000));
    }
    expect(delivered).toEqual([...paths, TUNNELLED_RESPONSE_DATA].flatMap((path) => [4_000, 1_000].map((bytes) => [bytes, path])));
  });

  test("is rejected above the limit like any other, before a byte of it is delivered", () => {
    const frame = Buffer.concat(encodeFrame(wrapBytes(TUNNELLED_RESPONSE_DATA, [Buffer.alloc(5_000)])));
    const { reader, delivered } = readerOf({ maxMessageBytes: 4_999 });
    reader.cutThrough([TUNNELLED_RESPONSE_DATA]);
    expect(() => reader.push(frame.subarray(0, 100))).toThrow(expect.objectContaining({ reason: "message_too_large" }));
    expect(delivered).toEqual([]);
  });

  test("T15: lengths that do not agree are not cut through, and neither is a compressed message", () => {
    const honest = Buffer.concat(encodeFrame(wrapBytes(TUNNELLED_RESPONSE_DATA, [Buffer.alloc(5_000)])));
    // Bytes of the frame, of ConnectRequest.message, of its data, of HttpResponse.data and of its data: one byte more or less in each.
    for (const at of [4, 7, 10, 13, 16]) {
      const lying = Buffer.from(honest);
      lying.writeUInt8((lying.readUInt8(at) ^ 1) & 0xff, at);
      const { reader, delivered } = readerOf();
      reader.cutThrough([TUNNELLED_RESPONSE_DATA]);
      reader.push(lying.subarray(0, 4_000));
      expect(delivered, `byte ${at}`).toEqual([]);
    }
    const packed = Buffer.from(honest);
    packed[0] = 1;
    const { reader, delivered } = readerOf();
    reader.cutThrough([TUNNELLED_RESPONSE_DATA]);
    reader.push(packed.subarray(0, 4_000));
    expect(delivered).toEqual([]);
  });
});
