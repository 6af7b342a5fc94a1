import { hashOf, type TimedLine } from "./log-line-splitter.ts";
import { NANOS_PER_SECOND } from "./log-time.ts";

/** A place in the log of one container: behind the last line that was read. */
export interface LinePosition {
  readonly timeNanos: bigint;
  /** Lines with this time that were read, at least 1. */
  readonly linesAtTime: number;
  /** First 8 bytes of the SHA-256 of the last of them. */
  readonly hash: Uint8Array;
}

/**
 * What became of the search for a position.
 * - `searching`: neither is known; lines that may be new are retained.
 * - `found`: the lines that follow are new.
 * - `lost`: the log begins behind the position; the retained lines and those that follow are new.
 */
export type ResumeState = "searching" | "found" | "lost";

/** Streams of a container write to one log with times that are not in order to the last microsecond. */
const DISORDER_NANOS = NANOS_PER_SECOND;
const MAX_RETAINED_LINES = 1000;
const MAX_RETAINED_BYTES = 64 * 1024;

/** From when on a log is requested to find a position in it again. */
export function searchStart(position: LinePosition): bigint {
  return position.timeNanos - DISORDER_NANOS;
}

/** Finds the position in the lines of a log that is read again from a moment before it. */
export class ResumePoint<Line extends TimedLine = TimedLine> {
  readonly #position: LinePosition;
  /** Lines with the position's time that came one after the other. */
  #linesAtTime = 0;
  #retained: Line[] = [];
  #retainedBytes = 0;
  #state: ResumeState = "searching";

  constructor(position: LinePosition) {
    this.#position = position;
  }

  get state(): ResumeState {
    return this.#state;
  }

  get hasRetained(): boolean {
    return this.#retained.length > 0;
  }

  /** Takes a line while the state is `searching`. */
  take(line: Line): ResumeState {
    const { timeNanos, linesAtTime, hash } = this.#position;
    this.#linesAtTime = line.timeNanos === timeNanos ? this.#linesAtTime + 1 : 0;
    // There may be more of them than were read: the first read may have begun at any of them.
    if (this.#linesAtTime >= linesAtTime && Buffer.compare(hashOf(line), hash) === 0) return this.#settle("found");
    if (line.timeNanos <= timeNanos) return this.#state;
    this.#retained.push(line);
    this.#retainedBytes += line.bytes - line.cutBytes;
    const isBehind = line.timeNanos > timeNanos + DISORDER_NANOS;
    if (isBehind || this.#retained.length >= MAX_RETAINED_LINES || this.#retainedBytes >= MAX_RETAINED_BYTES) this.#state = "lost";
    return this.#state;
  }

  /** No further line is waited for. */
  giveUp(): void {
    if (this.#state === "searching") this.#state = "lost";
  }

  /** The retained lines, once, after `lost`. */
  takeRetained(): Line[] {
    const retained = this.#retained;
    this.#retained = [];
    return retained;
  }

  #settle(state: ResumeState): ResumeState {
    this.#retained = [];
    this.#state = state;
    return state;
  }
}

/** Counts lines, so that the position behind the last of them is known. */
export class PositionTracker {
  #line: Pick<TimedLine, "text" | "hash"> | undefined;
  #timeNanos = 0n;
  #linesAtTime = 0;
  #position: LinePosition | undefined;

  constructor(position?: LinePosition) {
    if (position === undefined) return;
    this.#position = position;
    this.#timeNanos = position.timeNanos;
    this.#linesAtTime = position.linesAtTime;
  }

  /** @returns how many lines with its time there were, with this one */
  advance(line: TimedLine): number {
    this.#linesAtTime = line.timeNanos === this.#timeNanos ? this.#linesAtTime + 1 : 1;
    this.#timeNanos = line.timeNanos;
    this.#line = line;
    this.#position = undefined;
    return this.#linesAtTime;
  }

  get timeNanos(): bigint | undefined {
    return this.#linesAtTime === 0 ? undefined : this.#timeNanos;
  }

  /** `undefined` before the first line. */
  get position(): LinePosition | undefined {
    if (this.#position === undefined && this.#line !== undefined) {
      this.#position = { timeNanos: this.#timeNanos, linesAtTime: this.#linesAtTime, hash: hashOf(this.#line) };
    }
    return this.#position;
  }
}
