import type { SentFields, ViewDelta, ViewSnapshot } from "@binnacle/environment-view";
import { SnapshotSchema, type Delta, type Node, type Snapshot } from "@binnacle/proto/dashboard";
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";

import type { NoteBlock } from "./outgoing-blocks.ts";
import { SharedBlock } from "./shared-block.ts";
import { toSource } from "./to-proto.ts";

/** By the nodes of a snapshot: whoever is given the same snapshot is given the same list. */
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
