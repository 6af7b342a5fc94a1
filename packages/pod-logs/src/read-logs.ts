import {
  LogGapSchema,
  LogLineSchema,
  LogLinesSchema,
  LogProgressesSchema,
  LogProgressSchema,
  LogSourcesSchema,
  ReadLogsResponseSchema,
  type LogLine,
  type LogPosition,
  type LogProgress,
  type ReadLogsResponse,
} from "@binnacle/proto/dashboard-logs";
import { toNanosTimestamp } from "@binnacle/proto/wire-values";
import type { Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { openFilter } from "./filter/filter.ts";
import { LineMerger, type MergedEntry } from "./line-merger.ts";
import { hashOf } from "./lines/log-line-splitter.ts";
import type { LinePosition } from "./lines/resume-point.ts";
import type { LogsQuery, LogsReader } from "./logs-query.ts";
import type { QueuedGap, QueuedLine } from "./reading/line-queue.ts";
import type { SourceEntry } from "./sources/log-source.ts";
import { SourceTable } from "./sources/source-table.ts";

const PROGRESS_MS = 1_000;
/** A stream that has sent nothing for so long sends an empty message. */
const ALIVE_MS = 15_000;
/** The first message waits so long for the list of pods. */
const FIRST_LIST_MS = 2_000;

/**
 * Reads logs as messages of dashboard.v1.ReadLogsResponse, in order. It reads only as fast as it is read itself. Ends when all has been read,
 * unless it follows, and when `signal` aborts.
 *
 * @throws LogFilterError for a filter that cannot be used; of an expression it may also come later, with its first lines or with one that takes
 *   too long
 * @throws KubeClientError `unauthorized`: the credential is not accepted
 */
export async function* readLogs(query: LogsQuery, reader: LogsReader, signal: AbortSignal): AsyncGenerator<ReadLogsResponse, void, void> {
  const { clock, limits } = reader;
  const filter = openFilter(query.filter, reader.expressions);
  const stop = new AbortController();
  const inner = AbortSignal.any([signal, stop.signal]);
  const bell = new Bell(clock, inner);
  const table = new SourceTable({ query, reader, filter, signal: inner, wake: () => bell.ring() });
  const merger = new LineMerger(clock, () => table.entries);
  const isReadByAgent = reader.isReadByAgent ?? false;
  try {
    const firstByMs = clock.now() + FIRST_LIST_MS;
    table.start();
    while (!inner.aborted && !table.isListed && clock.now() < firstByMs && !table.isDone) await bell.wait(firstByMs);
    let [isFirst, progressAtMs, sentAtMs] = [true, clock.now() + PROGRESS_MS, clock.now()];
    while (!inner.aborted) {
      const messages: ReadLogsResponse[] = [];
      const isDone = table.isDone;
      const changed = table.takeChanged();
      if (changed.length > 0 || isFirst) messages.push(sourcesMessage(changed, isReadByAgent), ...endMessages(changed));
      isFirst = false;
      for (const entry of changed) if (entry.isOver) messages.push(...progressMessages([entry]));
      const merged = isDone ? [] : merger.take(limits.batchBytes);
      messages.push(...lineMessages(merged));
      if (clock.now() >= progressAtMs || isDone) {
        messages.push(...progressMessages(table.entries));
        progressAtMs = clock.now() + PROGRESS_MS;
      }
      if (messages.length === 0 && clock.now() >= sentAtMs + ALIVE_MS) messages.push(create(ReadLogsResponseSchema));
      if (messages.length > 0) sentAtMs = clock.now();
      yield* messages;
      for (const entry of changed) table.forget(entry);
      if (isDone) return;
      if (merged.length === 0) await bell.wait(Math.min(progressAtMs, sentAtMs + ALIVE_MS, merger.dueMs ?? Infinity));
    }
  } finally {
    stop.abort();
  }
}

function sourcesMessage(entries: readonly SourceEntry[], isReadByAgent: boolean): ReadLogsResponse {
  const sources = create(LogSourcesSchema, { sources: entries.map((entry) => entry.toMessage()), isReadByAgent });
  return create(ReadLogsResponseSchema, { message: { case: "sources", value: sources } });
}

/** Positions of sources that were read to their end. */
function endMessages(entries: readonly SourceEntry[]): ReadLogsResponse[] {
  const positions = entries.flatMap((entry) => (entry.isOver && entry.position ? [entry.toPosition(entry.position)] : []));
  return positions.length === 0 ? [] : [linesMessage([], positions)];
}

function linesMessage(lines: LogLine[], positions: LogPosition[]): ReadLogsResponse {
  return create(ReadLogsResponseSchema, { message: { case: "lines", value: create(LogLinesSchema, { lines, positions }) } });
}

function lineMessages(merged: readonly MergedEntry[]): ReadLogsResponse[] {
  const messages: ReadLogsResponse[] = [];
  const last = new Map<SourceEntry, QueuedLine | undefined>();
  let lines: LogLine[] = [];
  for (const { source, entry } of merged) {
    if (entry.kind === "line") {
      last.set(source, entry);
      lines.push(lineMessage(source.id, entry));
      continue;
    }
    if (lines.length > 0) messages.push(linesMessage(lines, []));
    lines = [];
    messages.push(gapMessage(source.id, entry));
  }
  const positions = [...last].flatMap(([source, line]) => source.advancedTo(positionAfter(source, line)));
  if (lines.length > 0 || positions.length > 0) messages.push(linesMessage(lines, positions));
  return messages;
}

/** Behind the lines that are sent, and those after them that are not selected. */
function positionAfter({ queue, position }: SourceEntry, last: QueuedLine | undefined): LinePosition | undefined {
  if (queue.isEmpty || last === undefined) return queue.isEmpty ? position : undefined;
  return { timeNanos: last.line.timeNanos, linesAtTime: last.linesAtTime, hash: hashOf(last.line) };
}

function lineMessage(source: number, { line, level, isContext }: QueuedLine): LogLine {
  return create(LogLineSchema, {
    source,
    timeNanos: line.timeNanos,
    text: line.text,
    cutBytes: BigInt(line.cutBytes),
    level,
    isContext,
  });
}

function gapMessage(source: number, { afterNanos, beforeNanos }: QueuedGap): ReadLogsResponse {
  const after = afterNanos === undefined || afterNanos === 0n ? {} : { after: toNanosTimestamp(afterNanos) };
  const before = beforeNanos === undefined ? {} : { before: toNanosTimestamp(beforeNanos) };
  return create(ReadLogsResponseSchema, { message: { case: "gap", value: create(LogGapSchema, { source, ...after, ...before }) } });
}

/** Counts that have changed, and positions behind lines that were not selected. */
function progressMessages(entries: Iterable<SourceEntry>): ReadLogsResponse[] {
  const progresses: LogProgress[] = [];
  const positions: LogPosition[] = [];
  for (const entry of entries) {
    if (entry.reader === undefined) continue;
    if (entry.queue.isEmpty) positions.push(...entry.advancedTo(entry.position));
    const { lines, bytes, matches } = entry.reader.counts;
    const reachedEnd = entry.reader.isCaughtUp && entry.queue.isEmpty;
    if (!entry.hasCountedTo(lines, reachedEnd)) continue;
    progresses.push(
      create(LogProgressSchema, { source: entry.id, lines: BigInt(lines), bytes: BigInt(bytes), matches: BigInt(matches), reachedEnd }),
    );
  }
  const messages = positions.length === 0 ? [] : [linesMessage([], positions)];
  if (progresses.length > 0) {
    const value = create(LogProgressesSchema, { progresses });
    messages.push(create(ReadLogsResponseSchema, { message: { case: "progress", value } }));
  }
  return messages;
}

/** Waits until something has happened or a time has come. */
class Bell {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #hasRung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.ring(), { once: true });
  }

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** @param untilMs milliseconds since the epoch */
  async wait(untilMs: number): Promise<void> {
    if (!this.#hasRung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(Math.max(0, untilMs - this.#clock.now()), () => this.#wake?.());
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#hasRung = false;
  }
}
