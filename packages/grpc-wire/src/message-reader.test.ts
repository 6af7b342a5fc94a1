import { gzipSync } from "node:zlib";

import type { Fault } from "@binnacle/rpc";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ByteLedger } from "./byte-ledger.ts";
import { encodeFrame } from "./frame.ts";
import { MessageReader, type MessageReaderOptions } from "./message-reader.ts";

const MIB = 1024 * 1024;
const agent = { kind: "agent", id: "1" } as const;

function gzipFrame(message: Uint8Array): Buffer {
  const frame = Buffer.concat(encodeFrame([gzipSync(message)]));
  frame[0] = 1;
  return frame;
}

/** A reader, and what it delivered. */
function readerOf(options: MessageReaderOptions = { encoding: "gzip" }) {
  const delivered = { messages: [] as Buffer[], pieces: [] as Buffer[], faults: [] as Fault[], holds: 0, held: false, ended: false };
  const reader = new MessageReader(options, {
    message: (data) => delivered.messages.push(Buffer.from(data)),
    piece: (bytes) => delivered.pieces.push(Buffer.from(bytes)),
    failed: (fault) => delivered.faults.push(fault),
    hold: () => {
      delivered.holds += 1;
      delivered.held = true;
    },
    proceed: () => (delivered.held = false),
  });
  return { reader, delivered };
}

test("a small gzip message is there at once", () => {
  const { reader, delivered } = readerOf();
  reader.push(gzipFrame(Buffer.from("packed")));
  expect(delivered.messages.map(String)).toEqual(["packed"]);
  expect(delivered.holds).toBe(0);
});

test("KB6: a message that unpacks to more than 64 KiB is unpacked elsewhere, and those behind it wait for it", async () => {
  const { reader, delivered } = readerOf();
  const large = Buffer.alloc(MIB, 7);
  reader.push(Buffer.concat([gzipFrame(large), ...encodeFrame([Buffer.from("next")])]));
  reader.push(gzipFrame(Buffer.from("last")));
  expect(delivered.messages).toEqual([]);
  expect(delivered.held).toBe(true);
  await expect.poll(() => delivered.messages.length).toBe(3);
  expect(delivered.messages[0]?.equals(large)).toBe(true);
  expect(delivered.messages.slice(1).map(String)).toEqual(["next", "last"]);
  expect(delivered.held).toBe(false);
});

test("KB6, T15: a bomb is refused without being unpacked, and what follows it is not read", async () => {
  const { reader, delivered } = readerOf({ encoding: "gzip", maxMessageBytes: MIB });
  reader.push(Buffer.concat([gzipFrame(Buffer.alloc(64 * MIB)), ...encodeFrame([Buffer.from("next")])]));
  await expect.poll(() => delivered.faults).toMatchObject([{ reason: "message_too_large" }]);
  expect(delivered.messages).toEqual([]);
});

test("a first message bounded to 64 KiB is refused at once, also when it is small on the wire", () => {
  const { reader } = readerOf({ encoding: "gzip", maxMessageBytes: 64 * 1024 });
  expect(() => reader.push(gzipFrame(Buffer.alloc(64 * 1024 + 1)))).toThrow(expect.objectContaining({ reason: "message_too_large" }));
});

test("the end comes after a message that is still being unpacked", async () => {
  const { reader, delivered } = readerOf();
  reader.push(gzipFrame(Buffer.alloc(MIB)));
  reader.end(() => (delivered.ended = delivered.messages.length === 1));
  expect(delivered.ended).toBe(false);
  await expect.poll(() => delivered.ended).toBe(true);
});

test("a closed reader delivers nothing more", async () => {
  const ledger = new ByteLedger({ processBytes: 100 * MIB, agentBytes: 64 * MIB, userBytes: MIB });
  const { reader, delivered } = readerOf();
  reader.book(ledger.open(agent, () => undefined));
  reader.push(gzipFrame(Buffer.alloc(MIB)));
  reader.close();
  await expect.poll(() => ledger.held()).toBe(0);
  expect(delivered.messages).toEqual([]);
});

test("XS3: half a message is booked until the rest is there", () => {
  const ledger = new ByteLedger({ processBytes: 10 * MIB, agentBytes: 4 * MIB, userBytes: MIB });
  const { reader, delivered } = readerOf({});
  reader.book(ledger.open(agent, () => undefined));
  const frame = Buffer.concat(encodeFrame([Buffer.alloc(MIB)]));
  reader.push(frame.subarray(0, 1_000));
  expect(ledger.held(agent)).toBe(1_000);
  reader.push(frame.subarray(1_000, 5_000));
  expect(ledger.held(agent)).toBe(5_000);
  reader.push(frame.subarray(5_000));
  expect(ledger.held(agent)).toBe(0);
  expect(delivered.messages).toHaveLength(1);
});

test("KB6: a stream that begins a message while its agent holds too much is not read until there is room", () => {
  const ledger = new ByteLedger({ processBytes: 10 * MIB, agentBytes: 4 * MIB, userBytes: MIB });
  const other = ledger.open(agent, () => undefined);
  other.charge(3 * MIB);
  const { reader, delivered } = readerOf({});
  reader.book(ledger.open(agent, () => undefined));
  reader.push(Buffer.concat(encodeFrame([Buffer.alloc(MIB)])).subarray(0, 1_000));
  expect(delivered.held).toBe(true);
  other.release(3 * MIB);
  expect(delivered.held).toBe(false);
});

test.each([
  ["compression that was not announced", gzipFrame(Buffer.from("x")), undefined],
  ["broken gzip", Buffer.from([1, 0, 0, 0, 2, 1, 2]), "gzip"],
])("refuses %s", (_name, bytes, encoding) => {
  expect(() => readerOf({ encoding }).reader.push(bytes)).toThrow(expect.objectContaining({ reason: "invalid_request" }));
});

test("messages arrive whole and in order, however they are packed and cut", async () => {
  const messages = fc.array(fc.record({ packed: fc.boolean(), bytes: fc.constantFrom(0, 1, 300, 65_536, 65_537, 200_000) }), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(messages, fc.integer({ min: 1, max: 50_000 }), async (wanted, cut) => {
      const bodies = wanted.map(({ bytes }, at) => Buffer.alloc(bytes, at));
      const stream = Buffer.concat(
        wanted.flatMap(({ packed }, at) => (packed ? [gzipFrame(bodies[at] ?? Buffer.of())] : encodeFrame([bodies[at] ?? Buffer.of()]))),
      );
      const { reader, delivered } = readerOf();
      for (let at = 0; at < stream.length; at += cut) reader.push(stream.subarray(at, at + cut));
      await new Promise<void>((resolve) => reader.end(resolve));
      expect(delivered.messages.map((message) => message.length)).toEqual(bodies.map((body) => body.length));
      expect(delivered.messages.every((message, at) => message.equals(bodies[at] ?? Buffer.of()))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
