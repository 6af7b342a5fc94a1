import { nanosText } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";

import { countAt, lineText, timeOfLine, type LogProfile } from "./log-lines.ts";
import type { LogInstance, LogQuery } from "./log-query.ts";

/** Where the lines come from while they are followed. */
export interface LogContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads whether the run goes on: when it ended, or `undefined` while it goes on. */
  endedMs(): Promise<number | undefined>;
}

/** Text that is handed on at once. */
const CHUNK_BYTES = 64 * 1024;
/** The pod is read before lines are written, so that none is written behind the end of its run; at the longest and shortest so often. */
const POLL_MS = 250;
const LEAST_POLL_MS = 50;
const LAST_WORDS = "last words of this container";

/**
 * The bytes of a log, in chunks of about 64 KiB; the consumer's pace is the producer's. A chunk may end in the middle of a line.
 * A run that ended has one more line than its time gives.
 */
export async function* logBytes(instance: LogInstance, query: LogQuery, context: LogContext): AsyncGenerator<Buffer> {
  const { profile } = instance;
  let left = query.limitBytes ?? Infinity;
  let endedMs = instance.finishedMs;
  let total = linesUntil(profile, endedMs ?? context.clock.now(), endedMs !== undefined);
  let next = firstLine(profile, total, query.tailLines);
  for (;;) {
    for (const chunk of chunksOf(profile, { from: next, to: total, endedMs }, query)) {
      if (context.signal.aborted) return;
      const bytes = chunk.subarray(0, left);
      left -= bytes.length;
      if (bytes.length > 0) yield bytes;
      if (left <= 0) return;
    }
    next = Math.max(next, total);
    if (!query.follow || query.previous || endedMs !== undefined) return;
    const dueMs = Number(timeOfLine(profile, total) / 1_000_000n) + 1 - context.clock.now();
    await sleep(context.clock, Math.min(Math.max(dueMs, LEAST_POLL_MS), POLL_MS), context.signal);
    if (context.signal.aborted) return;
    endedMs = await context.endedMs();
    total = Math.max(total, linesUntil(profile, endedMs ?? context.clock.now(), endedMs !== undefined));
  }
}

function linesUntil(profile: LogProfile, nowMs: number, isOver: boolean): number {
  return countAt(profile, nowMs) + (isOver ? 1 : 0);
}

/** The first line of the newest file, or of its tail. */
function firstLine({ rotateLines }: LogProfile, total: number, tailLines: number | undefined): number {
  const newestFile = Math.floor(Math.max(0, total - 1) / rotateLines) * rotateLines;
  return Math.max(newestFile, tailLines === undefined ? 0 : total - tailLines);
}

interface LineRange {
  readonly from: number;
  readonly to: number;
  /** When the run ended: the line before `to` is its last one then. */
  readonly endedMs: number | undefined;
}

function* chunksOf(profile: LogProfile, { from, to, endedMs }: LineRange, query: LogQuery): Generator<Buffer> {
  let text = "";
  for (let n = from; n < to; n += 1) {
    const isLast = endedMs !== undefined && n === to - 1;
    const time = isLast ? lastTime(profile, n, endedMs) : timeOfLine(profile, n);
    if (query.sinceNs !== undefined && time < query.sinceNs) continue;
    const line = isLast ? `${profile.container}: ${LAST_WORDS}` : lineText(profile, n);
    text += query.timestamps ? `${nanosText(time)} ${line}\n` : `${line}\n`;
    if (text.length < CHUNK_BYTES) continue;
    const bytes = Buffer.from(text);
    text = "";
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  if (text !== "") yield Buffer.from(text);
}

/** A run may end in the millisecond in which it wrote its last line. */
function lastTime(profile: LogProfile, n: number, endedMs: number): bigint {
  const end = BigInt(Math.round(endedMs)) * 1_000_000n;
  const before = n === 0 ? 0n : timeOfLine(profile, n - 1);
  return end > before ? end : before + 1n;
}
