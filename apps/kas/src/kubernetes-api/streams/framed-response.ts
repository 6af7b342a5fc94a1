import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

import type { Clock } from "@binnacle/rpc";

import { PATIENT_STALL_MS, STALL_MS } from "../../http-exchange/silence-limits.ts";
import { OWN_STREAM } from "../http/stream-headers.ts";

/** What a stream of frames needs. */
export interface FramedResponseOptions {
  readonly response: ServerResponse;
  /** Value of `Content-Type`. */
  readonly type: string;
  readonly clock: Clock;
  /** Whether others need what this reader holds. */
  readonly isShort: () => boolean;
  /** Bytes have left. */
  readonly onBytes: (bytes: number) => void;
  /** There is room again. */
  readonly onRoom: () => void;
  /** Heartbeat message. */
  readonly heartbeat: () => Uint8Array;
}

const LENGTH_BYTES = 4;
const HEARTBEAT_MS = 10_000;
/** So long the last words may take to get out. */
const LAST_WORDS_MS = 5_000;

/**
 * A stream of our own to one reader: frames of a length (4 bytes, big-endian) and a message, and a heartbeat every 10 s. It
 * is written at the pace of its reader; who reads nothing for ten minutes, or for one while others are short of room, is cut.
 */
export class FramedResponse {
  readonly #options: FramedResponseOptions;
  #isOver = false;
  #stalledMs = 0;
  #cancelHeartbeat = (): void => undefined;
  #cancelStall = (): void => undefined;

  constructor(options: FramedResponseOptions) {
    this.#options = options;
    options.response.on("drain", () => {
      this.#cancelStall();
      options.onRoom();
    });
    options.response.once("close", () => this.#stop());
  }

  /** Whether the next message would be written at once. */
  get hasRoom(): boolean {
    return !this.#isOver && !this.#options.response.writableNeedDrain;
  }

  /** Begins to answer. */
  start(headers: OutgoingHttpHeaders): void {
    const { response, type } = this.#options;
    if (response.destroyed) return;
    response.writeHead(200, { ...headers, "content-type": type, ...OWN_STREAM, "x-content-type-options": "nosniff" });
    response.flushHeaders();
    this.#beat();
  }

  /** @param pieces of a message; they are copied */
  write(...pieces: readonly Uint8Array[]): void {
    if (this.#isOver) return;
    const { response, onBytes } = this.#options;
    const frame = frameOf(pieces);
    onBytes(frame.byteLength);
    if (response.write(frame)) return;
    this.#stalledMs = 0;
    this.#watchReader();
  }

  /** @param last message of the stream */
  end(last: Uint8Array): void {
    const { response, clock, onBytes } = this.#options;
    if (this.#isOver) return;
    this.#stop();
    if (response.destroyed) return;
    const frame = frameOf([last]);
    onBytes(frame.byteLength);
    response.end(frame);
    const cancel = clock.after(LAST_WORDS_MS, () => response.destroy());
    response.once("close", cancel);
  }

  #watchReader(): void {
    const { clock, isShort, response } = this.#options;
    this.#cancelStall();
    this.#cancelStall = clock.after(STALL_MS, () => {
      this.#stalledMs += STALL_MS;
      if (!isShort() && this.#stalledMs < PATIENT_STALL_MS) return this.#watchReader();
      this.#stop();
      response.destroy();
    });
  }

  #beat(): void {
    this.#cancelHeartbeat = this.#options.clock.after(HEARTBEAT_MS, () => {
      if (this.hasRoom) this.write(this.#options.heartbeat());
      this.#beat();
    });
  }

  #stop(): void {
    this.#isOver = true;
    this.#cancelHeartbeat();
    this.#cancelStall();
  }
}

function frameOf(pieces: readonly Uint8Array[]): Buffer {
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + length);
  let offset = frame.writeUInt32BE(length);
  for (const piece of pieces) {
    frame.set(piece, offset);
    offset += piece.byteLength;
  }
  return frame;
}
