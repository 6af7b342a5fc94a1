import { promisify } from "node:util";
import { constants, deflateRaw } from "node:zlib";

import type { SentFields, ViewDelta, ViewSnapshot } from "@binnacle/environment-view";
import { SnapshotSchema, type Delta, type Node, type Snapshot } from "@binnacle/proto/dashboard";
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";

import type { NoteBlock } from "./outgoing-blocks.ts";
import { toSource } from "./to-proto.ts";

/** More work than a message is worth, for it is done once for all. */
const LEVEL = 6;

/** Bytes as deflate blocks (RFC 1951) that refer to nothing before them, end at a byte and are not the last. */
export type DeflateBlock = (bytes: Uint8Array) => Promise<Uint8Array>;

const inflatable = promisify(deflateRaw);

/**
 * Bytes that many streams send, and their compressed form, which is made once for all of them when the first one asks.
 */
export class SharedBlock {
  readonly bytes: Uint8Array;
  readonly #compress: DeflateBlock;
  #deflated: Promise<Uint8Array | undefined> | undefined;

  constructor(bytes: Uint8Array, compress: DeflateBlock = deflateBlock) {
    this.bytes = bytes;
    this.#compress = compress;
  }

  /** Deflate blocks that stand anywhere in a deflate stream after a full flush; `undefined` when they could not be made. */
  deflated(): Promise<Uint8Array | undefined> {
    return (this.#deflated ??= this.#compress(this.bytes).catch(() => undefined));
  }
}

function deflateBlock(bytes: Uint8Array): Promise<Uint8Array> {
  return inflatable(bytes, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH });
}

/** By the nodes of a snapshot: subscribers of the same snapshot get the same list. */
const blocks = new WeakMap<readonly Node[], SharedBlock>();

/**
 * Puts into a message what is the same for all who are given this snapshot of a view: nodes, edges and sources. For callers of binary
 * messages they go as bytes into all of their messages.
 *
 * @param note `undefined`: the caller reads the fields of the message
 */
export function putContent(message: Snapshot, snapshot: ViewSnapshot, note: NoteBlock | undefined): Snapshot {
  if (!note) {
    const { nodes, edges, sources } = snapshot;
    return Object.assign(message, { nodes: [...nodes], edges: [...edges], sources: sources.map(toSource) });
  }
  const block = blockOf(snapshot);
  if (block.bytes.length === 0) return message;
  note(block);
  return carry(message, block);
}

/** Puts the nodes and edges of a delta into a message: as bytes for callers of binary messages. */
export function putChange(message: Delta, delta: ViewDelta, note: NoteBlock | undefined): Delta {
  if (note) return carry(message, delta.content);
  return Object.assign(message, { upsertedNodes: [...delta.upsertedNodes], upsertedEdges: [...delta.upsertedEdges] });
}

/** What a reader of messages does not know it keeps and writes as it is: here the first field, and with it all others. */
function carry<T extends Snapshot | Delta>(message: T, { bytes }: SentFields): T {
  if (bytes.length === 0) return message;
  const reader = new BinaryReader(bytes);
  const [no, wireType] = reader.tag();
  message.$unknown = [{ no, wireType, data: bytes.subarray(reader.pos) }];
  return message;
}

function blockOf(snapshot: ViewSnapshot): SharedBlock {
  const known = blocks.get(snapshot.nodes);
  if (known) return known;
  const sources = create(SnapshotSchema, { sources: snapshot.sources.map(toSource) });
  const block = new SharedBlock(Buffer.concat([snapshot.content.bytes, toBinary(SnapshotSchema, sources)]));
  blocks.set(snapshot.nodes, block);
  return block;
}
