import type { Clock } from "@binnacle/rpc";

import type { SourceEntry } from "./sources/log-source.ts";
import { bytesOf, timeOf, type QueueEntry } from "./reading/line-queue.ts";

/** So long a source that has not caught up is waited for, so that its lines come in their place; shorter beside one that is live. */
const HISTORY_HOLD_MS = 500;
const LIVE_HOLD_MS = 100;

/** An entry of a source, in the order of sending. */
export interface MergedEntry {
  readonly source: SourceEntry;
  readonly entry: QueueEntry;
}

/**
 * Merges what was read of several sources by time, as far as it is known together: a source that reads what there is already is waited
 * for until it has a line, at most half a second; live lines are not held back for each other.
 */
export class LineMerger {
  readonly #clock: Clock;
  readonly #sources: () => Iterable<SourceEntry>;
  #stalledAtMs: number | undefined;
  #dueMs: number | undefined;

  constructor(clock: Clock, sources: () => Iterable<SourceEntry>) {
    this.#clock = clock;
    this.#sources = sources;
  }

  /** When `take` may give more although nothing has come; `undefined`: not by time. */
  get dueMs(): number | undefined {
    return this.#dueMs;
  }

  /** The next entries of at most about so many bytes; none when one is waited for. */
  take(maxBytes: number): MergedEntry[] {
    const ready: SourceEntry[] = [];
    const missing: SourceEntry[] = [];
    let isLive = false;
    for (const source of this.#sources()) {
      if (!source.queue.isEmpty) {
        source.isLate = false;
        ready.push(source);
        isLive ||= source.reader?.isCaughtUp === true;
      } else if (isExpected(source)) missing.push(source);
    }
    this.#dueMs = undefined;
    if (ready.length === 0) return [];
    if (missing.length > 0 && this.#isHeld(isLive ? LIVE_HOLD_MS : HISTORY_HOLD_MS)) return [];
    for (const source of missing) source.isLate = true;
    this.#stalledAtMs = undefined;
    return merge(ready, maxBytes);
  }

  #isHeld(holdMs: number): boolean {
    const now = this.#clock.now();
    this.#stalledAtMs ??= now;
    this.#dueMs = this.#stalledAtMs + holdMs;
    return now < this.#dueMs;
  }
}

function isExpected({ isRunning, reader, isLate, queue }: SourceEntry): boolean {
  return isRunning && !isLate && reader?.isCaughtUp !== true && queue.isEmpty;
}

function merge(ready: SourceEntry[], maxBytes: number): MergedEntry[] {
  const merged: MergedEntry[] = [];
  let bytes = 0;
  while (bytes < maxBytes) {
    let first: SourceEntry | undefined;
    let firstTime = 0n;
    for (const source of ready) {
      const { head } = source.queue;
      if (head === undefined) continue;
      const time = timeOf(head);
      if (first !== undefined && time >= firstTime) continue;
      first = source;
      firstTime = time;
    }
    const entry = first?.queue.shift();
    if (first === undefined || entry === undefined) break;
    merged.push({ source: first, entry });
    bytes += bytesOf(entry);
    // Its next line may be earlier than those of the others.
    if (ready.length > 1 && isExpected(first)) break;
  }
  return merged;
}
