import type { LogLevel } from "@binnacle/proto/dashboard-logs";

import type { TimedLine } from "../lines/log-line-splitter.ts";

/** A line that waits to be sent. */
export interface QueuedLine {
  readonly kind: "line";
  readonly line: TimedLine;
  /** How many lines with its time had been read, with it. */
  readonly linesAtTime: number;
  readonly isContext: boolean;
  readonly level: LogLevel;
}

/** Lines are missing before the next line. */
export interface QueuedGap {
  readonly kind: "gap";
  readonly afterNanos: bigint | undefined;
  readonly beforeNanos: bigint | undefined;
}

export type QueueEntry = QueuedLine | QueuedGap;

/** Bytes that wait of one source. */
const MAX_QUEUED_BYTES = 16 * 1024;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 64;

/** What was read of one source and is not sent yet; the reader waits for room, so that a slow consumer slows the source. */
export class LineQueue {
  readonly #entries: QueueEntry[] = [];
  readonly #added: () => void;
  #first = 0;
  #bytes = 0;
  #roomy: (() => void) | undefined;

  /** @param added called after each entry */
  constructor(added: () => void) {
    this.#added = added;
  }

  get head(): QueueEntry | undefined {
    return this.#entries[this.#first];
  }

  get isEmpty(): boolean {
    return this.#first === this.#entries.length;
  }

  get isFull(): boolean {
    return this.#bytes >= MAX_QUEUED_BYTES;
  }

  push(entry: QueueEntry): void {
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry);
    this.#added();
  }

  shift(): QueueEntry | undefined {
    const entry = this.#entries[this.#first];
    if (entry === undefined) return undefined;
    this.#first += 1;
    this.#bytes -= bytesOf(entry);
    if (this.#first === this.#entries.length) {
      this.#entries.length = 0;
      this.#first = 0;
    }
    if (!this.isFull) {
      this.#roomy?.();
      this.#roomy = undefined;
    }
    return entry;
  }

  /** Settles when there is room, or `signal` aborts. */
  async room(signal: AbortSignal): Promise<void> {
    if (!this.isFull || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#roomy = done;
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

/** The time by which an entry is merged. */
export function timeOf(entry: QueueEntry): bigint {
  return entry.kind === "line" ? entry.line.timeNanos : (entry.beforeNanos ?? entry.afterNanos ?? 0n);
}

export function bytesOf(entry: QueueEntry): number {
  return ENTRY_BYTES + (entry.kind === "line" ? entry.line.text.length : 0);
}
