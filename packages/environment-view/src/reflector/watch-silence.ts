import type { WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

/** An API server sends a bookmark about once a minute; a watch that brings nothing for longer is looked into. */
const SILENCE_MS = 90_000;
/** For a server that does not end a watch at the requested time, or whose end is lost on the way. */
const OVERDUE_MS = 30_000;
const DECIMAL = /^\d{1,40}$/;

/** How the history of a kind stands, beside what a watch has brought of it: `back` is older, as after a restore of etcd. */
export type HistoryProgress = "none" | "ahead" | "back";

/** @param ours as of the newest event of the watch @param theirs as of a list that was read later */
export function progressOf(ours: string, theirs: string): HistoryProgress {
  if (ours === theirs) return "none";
  return DECIMAL.test(ours) && DECIMAL.test(theirs) && BigInt(theirs) < BigInt(ours) ? "back" : "ahead";
}

/** What a silence works with. */
export interface WatchSilenceOptions {
  readonly clock: Clock;
  /** How long the watch may last by the request. */
  readonly mostMs: number;
  /** How far the kind has come, read apart from the watch; `undefined` when that is unknown now. Never rejects. */
  readonly look: (signal: AbortSignal) => Promise<HistoryProgress | undefined>;
}

/**
 * Notices that the connection of a watch is half dead: the watch brings nothing, not even bookmarks, while the kind's history goes on, or it
 * outlives the requested time. Silence alone is no error: a server need not send bookmarks.
 */
export class WatchSilence {
  readonly #options: WatchSilenceOptions;
  readonly #over = new AbortController();
  #openedAtMs = 0;
  #heardAtMs = 0;
  #progress: HistoryProgress = "none";
  #cancelLook = (): void => {};
  #cancelOverdue = (): void => {};

  constructor(options: WatchSilenceOptions) {
    this.#options = options;
  }

  /** Aborts when the watch is to be opened anew, or has ended. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** The watch was given up. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** The history has gone back: what the watch would go on from never was. */
  get isBack(): boolean {
    return this.#progress === "back";
  }

  /** The watch has lasted as long as requested: its end is normal. */
  get isTimeUp(): boolean {
    const { clock, mostMs } = this.#options;
    // Servers count from when they have accepted it, by their own clock.
    return clock.now() - this.#openedAtMs >= mostMs * 0.95;
  }

  /** When something came last. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** The watch is open. */
  begin(): void {
    const { clock, mostMs } = this.#options;
    this.#openedAtMs = this.#heardAtMs = clock.now();
    this.#cancelOverdue = clock.after(mostMs + OVERDUE_MS, () => this.#over.abort());
    this.#lookLater();
  }

  /** Something has come. */
  heard(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** The watch has ended. */
  end(): void {
    this.#cancelLook();
    this.#cancelOverdue();
  }

  /** One timer, however many events. */
  #lookLater(sinceMs = this.#heardAtMs): void {
    const { clock } = this.#options;
    this.#cancelLook = clock.after(sinceMs + SILENCE_MS - clock.now(), () => {
      if (clock.now() - this.#heardAtMs < SILENCE_MS) this.#lookLater();
      else void this.#look();
    });
  }

  async #look(): Promise<void> {
    const heardAtMs = this.#heardAtMs;
    const stop = new AbortController();
    this.#cancelLook = () => stop.abort();
    const progress = await this.#options.look(stop.signal);
    if (stop.signal.aborted || this.isOver) return;
    // What has come meanwhile speaks for the watch.
    if (progress === undefined || progress === "none" || this.#heardAtMs !== heardAtMs) return this.#lookLater(this.#options.clock.now());
    this.#progress = progress;
    this.#over.abort();
  }
}

/** A watch that ends sooner than this, whatever it has brought, is not opened again at once, and ever later when that goes on. */
export const SHORT_WATCH_MS = 5_000;

/**
 * How a watch ended.
 * - `left`: it is not wanted any more, or its place is needed elsewhere.
 * - `silent`: it was given up.
 * - `time-up`: it has lasted as long as requested.
 * - `ended`: the server or a proxy ended it.
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
  /** Called when it is over, also when it threw. */
  readonly lasted: (isShort: boolean) => void;
}

/** Takes changes in until the watch ends, falls silent, or is not wanted any more. @throws any error of the watch itself */
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
