import { constants, createGunzip, gunzipSync } from "node:zlib";

import { propertyRuns } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test, vi } from "vitest";

import { gzipMessages } from "./send-answer.ts";
import { OutgoingBlocks } from "./outgoing-blocks.ts";
import { SharedBlock, type DeflateBlock } from "./shared-block.ts";

/** Bytes that compress like names of resources, another for each seed. */
function words(seed: number, length: number): Buffer {
  const text = Buffer.alloc(length);
  let state = seed + 1;
  for (let at = 0; at < length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    text[at] = 97 + ((state >> 16) % 6);
  }
  return text;
}

interface Sent {
  readonly bytes: Uint8Array;
  readonly block?: SharedBlock;
}

/** A message that holds a block between other bytes. */
function around(block: SharedBlock, before: Uint8Array, after: Uint8Array): Sent {
  return { bytes: Buffer.concat([before, block.bytes, after]), block };
}

/** What goes out; `made` is called when a message is requested, which is when those before must have been sent. */
async function* outgoing(sent: readonly Sent[], made: (index: number) => void = () => undefined): AsyncGenerator<Uint8Array> {
  const blocks = new OutgoingBlocks();
  async function* messages(): AsyncGenerator<Uint8Array> {
    for (const [index, { bytes, block }] of sent.entries()) {
      made(index);
      if (block) blocks.note(block);
      yield bytes;
    }
    made(sent.length);
  }
  yield* gzipMessages(messages(), blocks);
  expect(blocks.size).toBe(0);
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** What a reader has of a stream that goes on. */
function readable(chunks: readonly Uint8Array[]): Buffer {
  return gunzipSync(Buffer.concat(chunks), { finishFlush: constants.Z_SYNC_FLUSH });
}

test("W15: a message is flushed before the next one is requested, and all of them are one gzip stream", async () => {
  const sent = ["first", "second", "x".repeat(300_000)].map((text) => ({ bytes: Buffer.from(text) }));
  const chunks: Uint8Array[] = [];
  const made = (index: number): void => {
    const before = readable(chunks).toString();
    expect(before.endsWith(sent[index - 1]?.bytes.toString() ?? "")).toBe(true);
  };
  for await (const chunk of outgoing(sent, made)) chunks.push(chunk);
  expect(gunzipSync(Buffer.concat(chunks)).length).toBe(300_011);
});

test("W15: a message that repeats another costs next to nothing, also behind a block", async () => {
  const [block, message] = [new SharedBlock(words(1, 50_000)), words(2, 10_000)];
  const lengths: number[] = [];
  let length = 0;
  const sent = [around(block, words(3, 10), words(4, 10)), { bytes: message }, { bytes: message }];
  for await (const chunk of outgoing(sent, () => lengths.push(length))) length += chunk.length;
  expect((lengths[3] ?? Number.NaN) - (lengths[2] ?? Number.NaN)).toBeLessThan(400);
});

test("W15: whatever is sent in whichever order, each message is whole for the reader when it was sent, and the end is right", async () => {
  const blocks = [words(1, 20_000), words(2, 100_000), Buffer.alloc(70_000)].map((bytes) => new SharedBlock(bytes));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.tuple(fc.nat(3), fc.nat(60_000)).map(([seed, size]) => words(seed, size)),
  );
  const message: fc.Arbitrary<Sent> = fc.oneof(
    bytes.map((plain) => ({ bytes: plain })),
    fc.tuple(fc.constantFrom(...blocks), bytes, bytes).map((parts) => around(...parts)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (sent) => {
      const chunks: Uint8Array[] = [];
      const whole = Buffer.concat(sent.map((each) => each.bytes));
      let expected = 0;
      const made = (index: number): void => {
        expected += sent[index - 1]?.bytes.length ?? 0;
        expect(readable(chunks).equals(whole.subarray(0, expected))).toBe(true);
      };
      for await (const chunk of outgoing(sent, made)) chunks.push(chunk);
      // Checks the trailer too.
      expect(gunzipSync(Buffer.concat(chunks)).equals(whole)).toBe(true);
    }),
    { numRuns: propertyRuns(60) },
  );
});

test("W15: a stream that was tampered with at its end is refused by the reader", async () => {
  const bytes = await bytesOf(outgoing([around(new SharedBlock(words(1, 30_000)), words(2, 5), words(3, 5))]));
  bytes[bytes.length - 8] = 255 - (bytes.at(-8) ?? 0);
  expect(() => gunzipSync(bytes)).toThrow(/incorrect data check/);
});

test("W15: two hundred streams with one block compress it once, all while it is in the making", async () => {
  const bytes = words(1, 200_000);
  const deflated = await new SharedBlock(bytes).deflated();
  let finish = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (finish = resolve));
  const compress = vi.fn<DeflateBlock>(async () => {
    await waiting;
    return deflated ?? Buffer.alloc(0);
  });
  const block = new SharedBlock(bytes, compress);
  const sent = (index: number): Sent[] => [around(block, words(index, 20), words(index, 30)), { bytes: words(index, 50) }];
  const streams = Array.from({ length: 200 }, (_, index) => bytesOf(outgoing(sent(index))));
  finish();
  for (const [index, stream] of (await Promise.all(streams)).entries()) {
    expect(gunzipSync(stream).equals(Buffer.concat(sent(index).map((each) => each.bytes)))).toBe(true);
  }
  expect(compress).toHaveBeenCalledTimes(1);
});

test("W15: a block that cannot be compressed for all is compressed for each", async () => {
  const compress = vi.fn<DeflateBlock>(() => Promise.reject(new Error("no memory")));
  const sent = [1, 2].map(() => around(new SharedBlock(words(1, 30_000), compress), words(2, 5), words(3, 5)));
  expect(gunzipSync(await bytesOf(outgoing(sent))).equals(Buffer.concat(sent.map(({ bytes }) => bytes)))).toBe(true);
});

test("W15: a block that was noted and never comes harms nothing, and one of few bytes is not looked for", () => {
  const blocks = new OutgoingBlocks();
  blocks.note(new SharedBlock(words(1, 1_000)));
  expect(blocks.size).toBe(0);
  blocks.note(new SharedBlock(words(1, 30_000)));
  expect(blocks.find(words(2, 100_000))).toBeUndefined();
  expect(blocks.find(words(1, 29_999))).toBeUndefined();
  expect(blocks.size).toBe(1);
});

test("W15: two messages with one block each are distinguished, and a sequence that only begins like a block is skipped", () => {
  const blocks = new OutgoingBlocks();
  const block = new SharedBlock(words(1, 30_000));
  blocks.note(block);
  blocks.note(block);
  const message = Buffer.concat([block.bytes.subarray(0, 20_000), Buffer.from("!"), block.bytes]);
  expect(blocks.find(message)).toEqual({ block, start: 20_001, end: 50_001 });
  expect(blocks.find(message)).toEqual({ block, start: 20_001, end: 50_001 });
  expect(blocks.find(message)).toBeUndefined();
});

test("W15: a reader who leaves in the middle of a block ends the stream, and others who have it go on", async () => {
  const block = new SharedBlock(words(1, 500_000));
  const sent = [around(block, words(2, 10), words(3, 10))];
  const leaving = outgoing(sent);
  const other = createGunzip();
  const read: Buffer[] = [];
  other.on("data", (chunk: Buffer) => read.push(chunk));
  // Header, what is before the block, the block.
  for (let turn = 0; turn < 3; turn += 1) await leaving.next();
  await leaving.return(undefined);
  expect(await leaving.next()).toEqual({ done: true, value: undefined });
  for await (const chunk of outgoing(sent)) if (!other.write(chunk)) await new Promise((resolve) => other.once("drain", resolve));
  await new Promise((resolve) => other.once("end", resolve).end());
  expect(Buffer.concat(read).equals(sent[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
});
