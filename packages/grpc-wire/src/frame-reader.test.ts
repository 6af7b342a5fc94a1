import { gzipSync } from "node:zlib";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { encodeFrame } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";

const messagesArbitrary = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });

function gzipFrame(message: Uint8Array): Buffer {
  const packed = gzipSync(message);
  const frame = Buffer.concat(encodeFrame([packed]));
  frame[0] = 1;
  return frame;
}

describe("FrameReader", () => {
  test("gives back the messages of any stream, however it is cut", () => {
    fc.assert(
      fc.property(messagesArbitrary, fc.array(fc.nat(40), { maxLength: 60 }), (messages, cuts) => {
        const stream = Buffer.concat(messages.flatMap((message) => encodeFrame([message])));
        const reader = new FrameReader();
        const read: Uint8Array[] = [];
        let at = 0;
        for (const cut of [...cuts, stream.length]) {
          read.push(...reader.push(stream.subarray(at, at + cut)));
          at = Math.min(stream.length, at + cut);
        }
        reader.end();
        expect(read.map((message) => Buffer.from(message).toString("hex"))).toEqual(
          messages.map((message) => Buffer.from(message).toString("hex")),
        );
      }),
    );
  });

  test("a message in one chunk is a view of it", () => {
    const chunk = Buffer.concat(encodeFrame([Buffer.from("hello")]));
    const [message] = new FrameReader().push(chunk);
    chunk[5] = 0x6a;
    expect(Buffer.from(message ?? []).toString()).toBe("jello");
  });

  test("refuses a message above the limit as soon as its prefix is read", () => {
    const reader = new FrameReader({ maxMessageBytes: 10 });
    expect(reader.push(Buffer.from([0, 0, 0, 0, 10]))).toEqual([]);
    expect(() => new FrameReader({ maxMessageBytes: 10 }).push(Buffer.from([0, 0, 0, 0, 11]))).toThrow(
      expect.objectContaining({ reason: "message_too_large" }),
    );
  });

  test("inflates gzip", () => {
    const [message] = new FrameReader({ encoding: "gzip" }).push(gzipFrame(Buffer.from("packed")));
    expect(Buffer.from(message ?? []).toString()).toBe("packed");
  });

  test("refuses a gzip bomb without unpacking it (T15)", () => {
    const bomb = gzipFrame(Buffer.alloc(1024 * 1024));
    expect(bomb.length).toBeLessThan(2_000);
    expect(() => new FrameReader({ encoding: "gzip", maxMessageBytes: 64 * 1024 }).push(bomb)).toThrow(
      expect.objectContaining({ reason: "message_too_large" }),
    );
  });

  test.each([
    ["an unknown flag", Buffer.from([2, 0, 0, 0, 0]), "gzip"],
    ["compression nobody announced", gzipFrame(Buffer.from("x")), undefined],
    ["broken gzip", Buffer.from([1, 0, 0, 0, 2, 1, 2]), "gzip"],
  ])("refuses %s", (_name, bytes, encoding) => {
    expect(() => new FrameReader({ encoding }).push(bytes)).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });

  test("an end in the middle of a message is a fault", () => {
    const reader = new FrameReader();
    reader.push(Buffer.from([0, 0, 0, 0, 3, 1]));
    expect(() => reader.end()).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });
});
