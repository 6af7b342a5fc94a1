import { createContextKey } from "@connectrpc/connect";

import type { SharedBlock } from "./shared-block.ts";

/** Smaller ones are compressed as fast as they are looked for. */
const LEAST_BYTES = 16 * 1024;
/** As many as a stream has topics, each with one message ahead; what is older was never sent: its topic has ended. */
const MAX_NOTED = 64;
/** So many bytes are looked for; the rest is compared. */
const SEARCHED_BYTES = 64;

/** Says that one of the next messages of a stream holds a block as it is. */
export type NoteBlock = (block: SharedBlock) => void;

/** How a service tells the server of its blocks; `undefined` to a caller who is not sent messages in binary form. */
export const NOTE_BLOCK = createContextKey<NoteBlock | undefined>(undefined, { description: "notes shared blocks of a stream" });

/** The blocks that a stream is about to send. */
export class OutgoingBlocks {
  /** One for each message that was made and has not been sent: a stream makes few ahead. */
  readonly #noted: SharedBlock[] = [];

  /** Number of blocks that were noted and not found yet. */
  get size(): number {
    return this.#noted.length;
  }

  /** Call it before the message that holds the block. */
  note(block: SharedBlock): void {
    if (block.bytes.length < LEAST_BYTES) return;
    this.#noted.push(block);
    if (this.#noted.length > MAX_NOTED) this.#noted.shift();
  }

  /** Takes the block out of the list that the message holds. */
  find(message: Uint8Array): { readonly block: SharedBlock; readonly start: number; readonly end: number } | undefined {
    for (const [index, block] of this.#noted.entries()) {
      const start = indexOf(message, block.bytes);
      if (start === undefined) continue;
      this.#noted.splice(index, 1);
      return { block, start, end: start + block.bytes.length };
    }
    return undefined;
  }
}

/** Node's own search for millions of bytes is slow, its comparison is not. */
function indexOf(message: Uint8Array, block: Uint8Array): number | undefined {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const head = block.subarray(0, SEARCHED_BYTES);
  for (let at = text.indexOf(head); at >= 0 && at + block.length <= text.length; at = text.indexOf(head, at + 1)) {
    if (text.compare(block, 0, block.length, at, at + block.length) === 0) return at;
  }
  return undefined;
}
