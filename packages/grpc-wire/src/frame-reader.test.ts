import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { encodeFrame } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";

const messagesArbitrary = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });

describe("FrameReader", () => {
  test("gives back the messages of any stream, however it is cut", () => {
    fc.assert(
      fc.property(messagesArbitrary, fc.array(fc.nat(40), { maxLength: 60 }), (messages, cuts) => {
        const stream = Buffer.concat(messages.flatMap((message) => encodeFrame([message])));
        const reader = new FrameReader();
        const read: Uint8Array[] = [];
        let at = 0;
        for (const cut of [...cuts, stream.length]) {
          read.push(...reader.push(stream.subarray(at, at + cut)).map(({ data }) => data));
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
    const [frame] = new FrameReader().push(chunk);
    chunk[5] = 0x6a;
    expect(Buffer.from(frame?.data ?? []).toString()).toBe("jello");
  });

  test("refuses a message above the limit as soon as its prefix is read", () => {
    const reader = new FrameReader({ maxMessageBytes: 10 });
    expect(reader.push(Buffer.from([0, 0, 0, 0, 10]))).toEqual([]);
    expect(() => new FrameReader({ maxMessageBytes: 10 }).push(Buffer.from([0, 0, 0, 0, 11]))).toThrow(
      expect.objectContaining({ reason: "message_too_large" }),
    );
  });

  test("refuses an unknown flag", () => {
    expect(() => new FrameReader().push(Buffer.from([2, 0, 0, 0, 0]))).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });

  test("an end in the middle of a message is a fault", () => {
    const reader = new FrameReader();
    reader.push(Buffer.from([0, 0, 0, 0, 3, 1]));
    expect(() => reader.end()).toThrow(expect.objectContaining({ reason: "invalid_request" }));
  });
});
