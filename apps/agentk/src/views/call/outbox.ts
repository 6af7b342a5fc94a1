import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ChangePieces, type TableReader } from "@binnacle/replica";
import { ViewsResponseSchema } from "@binnacle/proto/kas-views";

import type { AgentCallReply } from "../../reverse-tunnel/agent-call.ts";

/** About so large a message becomes: a large view does not hold up the others that share the call. */
const PIECE_BYTES = 128 * 1024;
/** So much is written in one turn of the event loop. */
const TURN_BYTES = 512 * 1024;

type Response = NonNullable<MessageInitShape<typeof ViewsResponseSchema>["response"]>;

/**
 * What goes to kas over one call. Answers go in order; of topics only what holds when there is room, each in turn, so that however slow kas
 * reads, nothing piles up here.
 */
export class Outbox {
  readonly #reply: AgentCallReply;
  readonly #answers: Response[] = [];
  /** Topics that have something to say, in the order in which they began to. */
  readonly #ready = new Map<bigint, TableReader>();
  /** What is left of an update that was begun: nothing else of the topic may come in between. */
  readonly #pieces = new Map<bigint, ChangePieces>();
  #isFull = false;
  #isDue = false;
  #closed = false;

  constructor(reply: AgentCallReply) {
    this.#reply = reply;
    reply.onDrain(() => {
      this.#isFull = false;
      this.#flush();
    });
  }

  /** An answer, or the end of a topic. */
  say(response: Response): void {
    this.#answers.push(response);
    this.#flush();
  }

  /** A topic has something to say. */
  ready(topic: bigint, reader: TableReader): void {
    this.#ready.set(topic, reader);
    this.#flush();
  }

  /** Sends nothing more of a topic. */
  forget(topic: bigint): void {
    this.#ready.delete(topic);
    this.#pieces.delete(topic);
  }

  close(): void {
    this.#closed = true;
    this.#answers.length = 0;
    this.#ready.clear();
    this.#pieces.clear();
  }

  #flush(): void {
    let written = 0;
    while (!this.#closed && !this.#isFull && written < TURN_BYTES) {
      const next = this.#answers.shift() ?? this.#nextPiece();
      if (next === undefined) return;
      const bytes = toBinary(ViewsResponseSchema, create(ViewsResponseSchema, { response: next }));
      written += bytes.byteLength;
      this.#isFull = !this.#reply.message([bytes]);
    }
    if (this.#closed || this.#isFull || this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#flush();
    });
  }

  /** Of the topic whose turn it is; it stands behind the others for what is left. */
  #nextPiece(): Response | undefined {
    for (const [topic, reader] of this.#ready) {
      this.#ready.delete(topic);
      const pieces = this.#pieces.get(topic) ?? begun(reader);
      const piece = pieces?.next();
      if (pieces === undefined || piece === undefined) continue;
      if (piece.more) {
        this.#pieces.set(topic, pieces);
        this.#ready.set(topic, reader);
      } else if (this.#pieces.delete(topic)) {
        // Meanwhile more may have changed, and the reader has already called `ready`.
        this.#ready.set(topic, reader);
      }
      const { reset, entries, removed, more } = piece;
      return { case: "update", value: { topic, reset, entries: [...entries], removed: [...removed], more } };
    }
    return undefined;
  }
}

/** What has changed, in messages within the size limit; the receiver applies them together. */
function begun(reader: TableReader): ChangePieces | undefined {
  const change = reader.take();
  return change && new ChangePieces(change, PIECE_BYTES);
}
