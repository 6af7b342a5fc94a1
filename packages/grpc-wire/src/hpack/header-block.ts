import { MAX_HEADER_LIST_BYTES } from "../session-options.ts";
import { HpackError } from "./hpack-error.ts";

const FRAME_HEADER_BYTES = 9;
const HEADERS = 0x1;
const CONTINUATION = 0x9;
const FLAG = { endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
const PRIORITY_BYTES = 5;
/** A flood of empty CONTINUATION frames costs time without a byte (CVE-2024-27983). */
const MAX_FRAMES = 64;

/** The headers of one message, out of a HEADERS frame and its CONTINUATION frames (RFC 9113 §6.2, §6.10). */
export class HeaderBlock {
  readonly streamId: number;
  readonly endStream: boolean;
  /** The five bytes of a dependency, or nothing. */
  readonly priority: Uint8Array;
  readonly #fragments: Uint8Array[] = [];
  #bytes = 0;
  #complete: boolean;

  /** @param frame a whole HEADERS frame @throws HpackError when padding or priority do not fit into it */
  constructor(frame: Buffer) {
    const flags = frame[4] ?? 0;
    this.streamId = streamIdOf(frame);
    this.endStream = (flags & FLAG.endStream) !== 0;
    this.#complete = (flags & FLAG.endHeaders) !== 0;
    let begin = FRAME_HEADER_BYTES;
    let end = frame.byteLength;
    if ((flags & FLAG.padded) !== 0) {
      end -= frame[begin] ?? frame.byteLength;
      begin += 1;
    }
    const priorityBytes = (flags & FLAG.priority) === 0 ? 0 : PRIORITY_BYTES;
    if (begin + priorityBytes > end) throw new HpackError("padding or priority larger than the frame");
    this.priority = frame.subarray(begin, begin + priorityBytes);
    this.#add(frame.subarray(begin + priorityBytes, end));
  }

  /** True once END_HEADERS was seen. */
  get complete(): boolean {
    return this.#complete;
  }

  /** @param frame a whole CONTINUATION frame @throws HpackError for another stream, or too many frames or bytes */
  continue(frame: Buffer): void {
    if (streamIdOf(frame) !== this.streamId) throw new HpackError("another stream inside");
    this.#complete = ((frame[4] ?? 0) & FLAG.endHeaders) !== 0;
    this.#add(frame.subarray(FRAME_HEADER_BYTES));
  }

  /** Everything between the frame headers. */
  fragment(): Uint8Array {
    return Buffer.concat(this.#fragments);
  }

  #add(fragment: Uint8Array): void {
    this.#fragments.push(fragment);
    this.#bytes += fragment.byteLength;
    if (this.#fragments.length > MAX_FRAMES) throw new HpackError(`more than ${MAX_FRAMES} frames`);
    if (this.#bytes > MAX_HEADER_LIST_BYTES) throw new HpackError(`more than ${MAX_HEADER_LIST_BYTES} bytes`);
  }
}

/** The block's frames anew, with other contents and without padding. */
export function headerFrames(block: HeaderBlock, fragment: Uint8Array, maxFrameBytes: number): Buffer[] {
  const frames: Buffer[] = [];
  let rest: Uint8Array = fragment;
  do {
    const lead = frames.length === 0 ? block.priority : new Uint8Array();
    const part = rest.subarray(0, maxFrameBytes - lead.byteLength);
    rest = rest.subarray(part.byteLength);
    const header = Buffer.alloc(FRAME_HEADER_BYTES);
    header.writeUIntBE(lead.byteLength + part.byteLength, 0, 3);
    header[3] = frames.length === 0 ? HEADERS : CONTINUATION;
    header[4] = flagsOf(block, frames.length === 0, rest.byteLength === 0);
    header.writeUInt32BE(block.streamId, 5);
    frames.push(Buffer.concat([header, lead, part]));
  } while (rest.byteLength > 0);
  return frames;
}

function flagsOf(block: HeaderBlock, first: boolean, last: boolean): number {
  const ofHeaders = first ? (block.endStream ? FLAG.endStream : 0) | (block.priority.byteLength > 0 ? FLAG.priority : 0) : 0;
  return ofHeaders | (last ? FLAG.endHeaders : 0);
}

/** The highest bit is reserved. */
function streamIdOf(frame: Buffer): number {
  return frame.readUInt32BE(5) & 0x7fff_ffff;
}
