import type { LogPosition, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { nanosOf } from "@binnacle/proto/wire-values";
import { bytesOfRow, mergeRows, type LogRow } from "./log-row.ts";
import { LogSources, type ShownSource } from "./log-sources.ts";

/** How reading goes. */
export type Reading =
  | { readonly kind: "loading" }
  | { readonly kind: "reading" }
  /** All has been read, and nothing more comes. */
  | { readonly kind: "ended" }
  /** The stream broke, and is opened again with the positions. */
  | { readonly kind: "lost"; readonly reason: string; readonly sinceMs: number }
  /** It is paused, and there is no room for more: reading continues with the page. */
  | { readonly kind: "full" }
  /** The server rejects the request: trying again does not help. */
  | { readonly kind: "rejected"; readonly reason: string; readonly isDenied: boolean }
  | { readonly kind: "session-ended" };

/** What a page shows of a log. `rows` is changed in place: `version` is another number then. */
export interface LogSnapshot {
  readonly version: number;
  readonly rows: readonly LogRow[];
  /** Ids of rows before which lines were left out between matches with their context; changed in place, too. */
  readonly groupStarts: ReadonlySet<number>;
  readonly sources: readonly ShownSource[];
  /** Lines that were read of sources that are over and not listed any more. */
  readonly unlistedLines: number;
  /** Read by the agent where the logs are; `undefined` before the first message. */
  readonly isReadByAgent: boolean | undefined;
  readonly reading: Reading;
  /** Older lines that fell off, and the time of the last of them. */
  readonly dropped: { readonly lines: number; readonly untilNanos: bigint };
  /** The rows stay as they are. */
  readonly isPaused: boolean;
  /** Lines that came since it was paused. */
  readonly waiting: number;
}

/** Bounds of what is retained. */
export interface LogLimits {
  readonly lines: number;
  /** As `bytesOfRow` counts. */
  readonly bytes: number;
}

/** What is retained of a log, and how it is read. */
interface LogStoreOptions {
  readonly limits?: LogLimits | undefined;
  readonly contextLines?: number;
}

/** What a browser retains of a log. */
const LOG_LIMITS: LogLimits = { lines: 100_000, bytes: 20_000_000 };

/** Share of the limits that paused rows may take: the rest is for lines that come meanwhile. */
const PAUSED_SHARE = 0.8;

/**
 * Lines of several containers by time. What it retains is bounded: older lines fall off, unless it is paused; then it takes no more
 * (`isFull`) and its stream has to end, to be continued from `positions`.
 */
export class LogStore {
  readonly #limits: LogLimits;
  readonly #requestFlush: () => void;
  readonly #listeners = new Set<() => void>();
  readonly #sources = new LogSources();
  readonly #rows: LogRow[] = [];
  readonly #groups: ContextGroups;
  /** Rows that the next flush takes, or those that came since it was paused. */
  #incoming: LogRow[] = [];
  #bytes = 0;
  #nextRow = 1;
  /** Time of the last line of each source. */
  readonly #lastNanos = new Map<number, bigint>();
  #snapshot: LogSnapshot;

  /**
   * @param requestFlush requests a call of `flush` soon: a browser does that once for a frame
   * @param contextLines that are read before and after each match; 0: none
   */
  constructor(requestFlush: () => void, { limits = LOG_LIMITS, contextLines = 0 }: LogStoreOptions = {}) {
    this.#limits = limits;
    this.#groups = new ContextGroups(contextLines);
    this.#requestFlush = requestFlush;
    this.#snapshot = {
      version: 0,
      rows: this.#rows,
      groupStarts: this.#groups.starts,
      sources: [],
      unlistedLines: 0,
      isReadByAgent: undefined,
      reading: { kind: "loading" },
      dropped: { lines: 0, untilNanos: 0n },
      isPaused: false,
      waiting: 0,
    };
  }

  /** What there is to show now. */
  readonly snapshot = (): LogSnapshot => this.#snapshot;

  /** @returns ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Where to continue. */
  positions(): LogPosition[] {
    return this.#sources.positions();
  }

  /** It is paused and has no room for more. */
  get isFull(): boolean {
    const { lines, bytes } = this.#limits;
    return this.#snapshot.isPaused && (this.#rows.length + this.#incoming.length >= lines || this.#bytes >= bytes);
  }

  /** A stream begins, the first one or one after a break. */
  beginStream(): void {
    this.#sources.beginStream();
    this.#groups.beginStream();
  }

  /** Takes a message of the stream; the page shows it with the next flush. */
  take({ message }: ReadLogsResponse): void {
    switch (message.case) {
      case "sources":
        for (const dropped of this.#sources.take(message.value.sources)) this.#lastNanos.delete(dropped);
        this.#change({ isReadByAgent: message.value.isReadByAgent, ...this.#listed() });
        break;
      case "lines":
        for (const line of message.value.lines) {
          const source = this.#sources.idOf(line.source);
          // A server that names no source for a line has a bug; without its name the line would say something wrong.
          if (source === undefined) continue;
          const { timeNanos, text, level, isContext } = line;
          const atNanos = this.#orderOf(source, timeNanos);
          this.#add({
            type: "line",
            id: this.#nextRow++,
            source,
            atNanos,
            timeNanos,
            text,
            cutBytes: Number(line.cutBytes),
            level,
            isContext,
          });
        }
        this.#sources.advance(message.value.positions);
        break;
      case "gap": {
        const source = this.#sources.idOf(message.value.source);
        if (source === undefined) break;
        const { after, before } = message.value;
        const [afterNanos, beforeNanos] = [after && nanosOf(after), before && nanosOf(before)];
        const atNanos = this.#orderOf(source, afterNanos ?? beforeNanos ?? 0n);
        this.#add({ type: "gap", id: this.#nextRow++, source, atNanos, afterNanos, beforeNanos });
        break;
      }
      case "progress":
        this.#sources.progress(message.value.progresses);
        this.#change(this.#listed());
        break;
      default:
        break;
    }
    if (this.#snapshot.reading.kind !== "reading") this.#change({ reading: { kind: "reading" } });
  }

  #listed(): Pick<LogSnapshot, "sources" | "unlistedLines"> {
    return { sources: this.#sources.list(), unlistedLines: this.#sources.droppedLines };
  }

  /** Sets how reading goes. */
  setReading(reading: Reading): void {
    this.#change({ reading });
  }

  /** Keeps the rows as they are; the oldest make room for what comes meanwhile. */
  pause(): void {
    if (this.#snapshot.isPaused) return;
    const { lines, bytes } = this.#limits;
    this.#merge({ lines: Math.floor(lines * PAUSED_SHARE), bytes: Math.floor(bytes * PAUSED_SHARE) });
    this.#snapshot = { ...this.#snapshot, isPaused: true };
    this.#publish();
  }

  /** Shows what came meanwhile; older lines fall off again. */
  resume(): void {
    this.#snapshot = { ...this.#snapshot, isPaused: false };
    this.flush();
  }

  /** Shows what has come since the last time. @returns how many rows these are */
  flush(): number {
    const shown = this.#snapshot.isPaused ? 0 : this.#incoming.length;
    if (!this.#snapshot.isPaused) this.#merge(this.#limits);
    this.#publish();
    return shown;
  }

  #merge(limits: LogLimits): void {
    mergeRows(this.#rows, this.#incoming);
    this.#incoming = [];
    this.#trim(limits);
  }

  #publish(): void {
    const waiting = this.#snapshot.isPaused ? this.#incoming.length : 0;
    this.#snapshot = { ...this.#snapshot, waiting, version: this.#snapshot.version + 1 };
    for (const listener of this.#listeners) listener();
  }

  #add(row: LogRow): void {
    this.#incoming.push(row);
    this.#groups.add(row);
    this.#sources.addRow(row.source);
    this.#bytes += bytesOfRow(row);
    this.#requestFlush();
  }

  /** Lines of a source stay in their order also when the clock of its node was set back. */
  #orderOf(source: number, timeNanos: bigint): bigint {
    const last = this.#lastNanos.get(source) ?? 0n;
    const at = timeNanos > last ? timeNanos : last;
    this.#lastNanos.set(source, at);
    return at;
  }

  #trim(limits: LogLimits): void {
    const rows = this.#rows;
    let dropped = 0;
    let lines = 0;
    while (rows.length - dropped > limits.lines || this.#bytes > limits.bytes) {
      const row = rows[dropped];
      if (row === undefined) break;
      this.#bytes -= bytesOfRow(row);
      this.#groups.forget(row);
      this.#sources.dropRow(row.source);
      if (row.type === "line") lines += 1;
      dropped += 1;
    }
    const last = rows[dropped - 1];
    if (last === undefined) return;
    rows.splice(0, dropped);
    this.#snapshot = {
      ...this.#snapshot,
      dropped: { lines: this.#snapshot.dropped.lines + lines, untilNanos: last.atNanos },
    };
  }

  #change(change: Partial<LogSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#requestFlush();
  }
}

/**
 * Finds where lines were left out between matches with their context, as `grep -C` separates groups. Lines have no numbers in the stream, so groups
 * are recognized by their length: two matches of a container with fewer than twice the context between them are in one group. With exactly twice the
 * context, none or many lines may have been left out; that counts as another group.
 */
export class ContextGroups {
  /** Ids of the rows before which lines of their container were left out. */
  readonly starts = new Set<number>();
  readonly #contextLines: number;
  /** Ids of the context rows since the last match, by source. */
  readonly #sinceMatch = new Map<number, number[]>();

  /** @param contextLines before and after each match; 0: lines are no groups */
  constructor(contextLines: number) {
    this.#contextLines = contextLines;
  }

  /** Takes the rows of each source in their order. */
  add(row: LogRow): void {
    if (this.#contextLines === 0) return;
    const since = this.#sinceMatch.get(row.source);
    // Missing lines have a row of their own.
    if (row.type === "gap") this.#sinceMatch.delete(row.source);
    else if (row.isContext) since?.push(row.id);
    else {
      const first = since !== undefined && since.length >= 2 * this.#contextLines ? since[this.#contextLines] : undefined;
      if (first !== undefined) this.starts.add(first);
      this.#sinceMatch.set(row.source, []);
    }
  }

  /** A stream begins: what the one before left out is not known. */
  beginStream(): void {
    this.#sinceMatch.clear();
  }

  /** Rows that have fallen off. */
  forget(row: LogRow): void {
    this.starts.delete(row.id);
  }
}
