import type { WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { WatchSilence } from "./watch-silence.ts";

/** A watch that ends sooner than this, whatever it has brought, is not opened again at once, and ever later when that goes on. */
export const SHORT_WATCH_MS = 5_000;

/**
 * How a watch ended.
 * - `left`: nobody wants it any more, or its place is needed elsewhere.
 * - `silent`: it was given up.
 * - `time-up`: it has lasted as long as the server was asked for.
 * - `ended`: the server, or somebody between, ended it.
 */
export type WatchEnd = "left" | "silent" | "time-up" | "ended";

/** What following works with. */
export interface WatchFollowingOptions {
  readonly clock: Clock;
  /** Aborts when the watch is needed elsewhere. */
  readonly place: AbortSignal;
  readonly silence: WatchSilence;
  /** When the watch was answered; now, while it is not. */
  readonly openedAtMs: () => number;
  /** Takes an event in. @returns false when the watch cannot go on from here */
  readonly take: (event: WatchEvent) => boolean;
  /** Told when it is over, also when it threw. */
  readonly lasted: (isShort: boolean) => void;
}

/** Takes changes in until the watch ends, falls silent, or nobody wants it any more. @throws whatever the watch throws by itself */
export async function followWatch(
  changes: AsyncIterable<WatchEvent>,
  { clock, place, silence, openedAtMs, take, lasted }: WatchFollowingOptions,
  signal: AbortSignal,
): Promise<WatchEnd> {
  silence.begin();
  try {
    for await (const event of changes) {
      if (signal.aborted || place.aborted || silence.isOver) break;
      silence.heard();
      if (!take(event)) break;
    }
  } catch (error) {
    if (signal.aborted || !(place.aborted || silence.isOver)) throw error;
  } finally {
    silence.end();
    // What it brought says nothing: a server could end every watch after one event.
    lasted(clock.now() - openedAtMs() < SHORT_WATCH_MS);
  }
  if (signal.aborted || place.aborted) return "left";
  if (silence.isOver) return "silent";
  return silence.isTimeUp ? "time-up" : "ended";
}
