import { expect, test } from "vitest";

import { OutgoingBlocks } from "./outgoing-blocks.ts";
import { SharedBlock } from "./shared-block.ts";

function blockOf(byte: number): SharedBlock {
  return new SharedBlock(Buffer.alloc(20_000, byte));
}

test("blocks of topics that ended before their message was sent are not held for as long as the stream lasts", () => {
  const blocks = new OutgoingBlocks();
  for (let topic = 0; topic < 1_000; topic += 1) blocks.note(blockOf(topic % 200));
  expect(blocks.size).toBe(64);
});

test("of topics that are all ahead by a message each block is found, whatever their order", () => {
  const blocks = new OutgoingBlocks();
  const noted = Array.from({ length: 64 }, (_, topic) => blockOf(topic));
  for (const block of noted) blocks.note(block);
  for (const block of noted.toReversed())
    expect(blocks.find(Buffer.concat([Buffer.from("head"), block.bytes]))).toMatchObject({ block, start: 4 });
  expect(blocks.size).toBe(0);
});
