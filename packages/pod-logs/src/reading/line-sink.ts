import { ContextWindow } from "../filter/context-window.ts";
import type { LineFilter } from "../filter/filter.ts";
import { levelOf } from "../filter/level.ts";
import type { TimedLine } from "../lines/log-line-splitter.ts";
import { NANOS_PER_SECOND } from "../lines/log-time.ts";
import { PositionTracker, type LinePosition } from "../lines/resume-point.ts";
import type { LineQueue } from "./line-queue.ts";

/** Which lines of a source are sent. */
export interface LineSelection {
  readonly filter: LineFilter;
  readonly sinceNanos?: bigint | undefined;
  readonly untilNanos?: bigint | undefined;
}

/** How much was read of a source. */
export interface ReadCounts {
  readonly lines: number;
  readonly bytes: number;
  readonly matches: number;
}

/** A line, and whether the filter selects it. */
export interface FilteredLine extends TimedLine {
  readonly isMatch: boolean;
}

interface CountedLine {
  readonly text: string;
  readonly line: TimedLine;
  readonly linesAtTime: number;
}

/** Takes every new line of one source in: counts it, and puts it into the queue when it is selected. */
export class LineSink {
  readonly #queue: LineQueue;
  readonly #selection: LineSelection;
  readonly #window: ContextWindow<CountedLine> | undefined;
  readonly #tracker: PositionTracker;
  #counts = { lines: 0, bytes: 0, matches: 0 };
  #gap: { readonly afterNanos: bigint | undefined } | undefined;
  /** Lines are only counted, not sent. */
  isSilent = false;

  constructor(queue: LineQueue, selection: LineSelection, position: LinePosition | undefined) {
    this.#queue = queue;
    this.#selection = selection;
    this.#tracker = new PositionTracker(position);
    const { contextLines } = selection.filter;
    this.#window = contextLines > 0 ? new ContextWindow(contextLines) : undefined;
  }

  get counts(): ReadCounts {
    return this.#counts;
  }

  /** Behind the last line that was taken in. */
  get position(): LinePosition | undefined {
    return this.#tracker.position;
  }

  get lastNanos(): bigint | undefined {
    return this.#tracker.timeNanos;
  }

  /** Lines are missing before the next one. */
  expectGap(afterNanos: bigint | undefined): void {
    this.#gap ??= { afterNanos };
  }

  /** There is no next line: a gap that was expected is sent without its end. */
  end(): void {
    if (this.#gap === undefined) return;
    this.#queue.push({ kind: "gap", afterNanos: this.#gap.afterNanos, beforeNanos: undefined });
    this.#gap = undefined;
  }

  /** @returns false when the line is so far behind `untilNanos` that none before it follows */
  take(line: FilteredLine): boolean {
    const { sinceNanos, untilNanos } = this.#selection;
    const linesAtTime = this.#tracker.advance(line);
    this.#counts.lines += 1;
    this.#counts.bytes += line.bytes;
    if (this.isSilent || (sinceNanos !== undefined && line.timeNanos < sinceNanos)) return true;
    if (untilNanos !== undefined && line.timeNanos >= untilNanos) return line.timeNanos < untilNanos + NANOS_PER_SECOND;
    if (this.#gap !== undefined) {
      this.#queue.push({ kind: "gap", afterNanos: this.#gap.afterNanos, beforeNanos: line.timeNanos });
      this.#gap = undefined;
    }
    const { isMatch } = line;
    if (isMatch) this.#counts.matches += 1;
    if (this.#window === undefined) {
      if (isMatch) this.#push({ text: line.text, line, linesAtTime }, false);
      return true;
    }
    for (const shown of this.#window.push({ text: line.text, line, linesAtTime }, isMatch)) this.#push(shown.line, shown.isContext);
    return true;
  }

  #push({ line, linesAtTime }: CountedLine, isContext: boolean): void {
    this.#queue.push({ kind: "line", line, linesAtTime, isContext, level: levelOf(line.text) });
  }
}
