import { readFileSync } from "node:fs";
import { constants } from "node:http2";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { HeaderDecoder, type DecodedField } from "@binnacle/grpc-wire";

/** Who sent the bytes. */
type Side = "agentk" | "kas";

/** What one side sent on one stream. */
export interface RecordedStream {
  readonly id: number;
  readonly from: Side;
  /** The first header block. */
  readonly headers: ReadonlyMap<string, string>;
  /** gRPC messages, inflated. */
  readonly messages: readonly Uint8Array[];
  /** Whether each message was compressed. */
  readonly compressed: readonly boolean[];
  /** The last header block, when there is more than one. */
  readonly trailers: ReadonlyMap<string, string> | undefined;
  /** How the sender ended its side. */
  readonly end: "ended" | "reset" | "open";
}

const FIXTURES = join(import.meta.dirname, "../../fixtures/go-agents");
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME = { data: 0, headers: 1, reset: 3 } as const;
const END_STREAM = constants.NGHTTP2_FLAG_END_STREAM;
const GRPC_PREFIX = 5;

interface Sent {
  readonly blocks: ReadonlyMap<string, string>[];
  readonly data: Buffer[];
  end: RecordedStream["end"];
}

/** Reads a recording: the streams of both sides, in the order in which they were opened. */
export function readRecording(file: string): RecordedStream[] {
  const sides = new Map<string, SideReader>();
  for (const line of readFileSync(join(FIXTURES, file), "utf8").trim().split("\n")) {
    const { connection, from, hex } = JSON.parse(line) as { connection: number; from: Side; hex?: string };
    const key = `${connection} ${from}`;
    const side = sides.get(key) ?? new SideReader(from);
    sides.set(key, side);
    if (hex !== undefined) side.push(Buffer.from(hex, "hex"));
  }
  return [...sides.values()].flatMap((side) => side.streams());
}

/** Frames of one direction of a connection. */
class SideReader {
  readonly #from: Side;
  readonly #decoder = new HeaderDecoder({ tableBytes: 4096, listBytes: 64 * 1024 });
  readonly #streams = new Map<number, Sent>();
  #rest: Buffer = Buffer.alloc(0);
  #preface: boolean;

  constructor(from: Side) {
    this.#from = from;
    this.#preface = from === "agentk";
  }

  push(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (this.#preface) {
      if (this.#rest.length < PREFACE.length) return;
      if (this.#rest.toString("latin1", 0, PREFACE.length) !== PREFACE) throw new Error("the recording has no HTTP/2 preface");
      this.#rest = this.#rest.subarray(PREFACE.length);
      this.#preface = false;
    }
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + length) return;
      const id = this.#rest.readUInt32BE(5) & 0x7fff_ffff;
      this.#frame({ type: this.#rest.readUInt8(3), flags: this.#rest.readUInt8(4), id, payload: this.#rest.subarray(9, 9 + length) });
      this.#rest = this.#rest.subarray(9 + length);
    }
  }

  streams(): RecordedStream[] {
    return [...this.#streams].map(([id, { blocks, data, end }]) => {
      const frames = messagesOf(Buffer.concat(data));
      return {
        id,
        from: this.#from,
        headers: blocks[0] ?? new Map<string, string>(),
        messages: frames.map(({ message }) => message),
        compressed: frames.map(({ compressed }) => compressed),
        trailers: blocks.length > 1 ? blocks.at(-1) : undefined,
        end,
      };
    });
  }

  #frame({ type, flags, id, payload }: { type: number; flags: number; id: number; payload: Buffer }): void {
    if (type !== FRAME.data && type !== FRAME.headers && type !== FRAME.reset) return;
    const sent = this.#streams.get(id) ?? { blocks: [], data: [], end: "open" };
    this.#streams.set(id, sent);
    // Neither side pads, sets priorities or splits header blocks in these recordings.
    if (type === FRAME.headers) sent.blocks.push(new Map(this.#decoder.decode(payload).map(({ field }: DecodedField) => field)));
    if (type === FRAME.data) sent.data.push(payload);
    if (type === FRAME.reset) sent.end = "reset";
    else if ((flags & END_STREAM) !== 0) sent.end = "ended";
  }
}

function messagesOf(bytes: Buffer): { readonly message: Uint8Array; readonly compressed: boolean }[] {
  const messages = [];
  for (let at = 0; at + GRPC_PREFIX <= bytes.length;) {
    const end = at + GRPC_PREFIX + bytes.readUInt32BE(at + 1);
    const compressed = bytes.readUInt8(at) === 1;
    const body = bytes.subarray(at + GRPC_PREFIX, end);
    messages.push({ message: compressed ? gunzipSync(body) : body, compressed });
    at = end;
  }
  return messages;
}
