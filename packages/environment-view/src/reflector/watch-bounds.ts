import type { ObjectList } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { apiCodeOf, wordsOfFailure } from "../base/kube-client.ts";
import type { KindReflectorOptions } from "./kind-reflector-options.ts";
import type { SourceStanding } from "./source-standing.ts";
import { progressOf, WatchSilence, type HistoryProgress } from "./watch-silence.ts";

/** A watch lasts so long at least, and twice as long at most: none is trusted for ever, and no two end together. */
const LEAST_WATCH_SECONDS = 300;
/** A watch that is opened in the place of a silent one within this time leaves no doubt. */
const REOPEN_MS = 3_000;
const SILENT = words("source/watch-silent");
/** Answers to a list that the watch would have had, too, if it were opened now. */
const REFUSALS: ReadonlySet<number> = new Set([403, 404, 405]);
const TOO_MANY_REQUESTS = 429;

/** What the bounds of a kind's watches work with. */
export interface WatchBoundsOptions extends Pick<KindReflectorOptions, "clock" | "monitor" | "random"> {
  readonly standing: SourceStanding;
  /** Where the watch is. */
  readonly position: () => string | undefined;
  /** Metadata of one object: the cheapest question that tells how far the kind is. */
  readonly one: (signal: AbortSignal) => Promise<ObjectList>;
  /** The API server has confirmed that the kind can be read. */
  readonly well: () => void;
}

/** How long the watches of a kind last, and what becomes of one whose connection is half dead. */
export class WatchBounds {
  readonly #options: WatchBoundsOptions;
  /** When the watch was heard last that was given up for its silence, until another is open. */
  #silentSinceMs: number | undefined;

  constructor(options: WatchBoundsOptions) {
    this.#options = options;
  }

  /** For the next watch: after how long the server is requested to end it, and what notices its silence. */
  next(): { readonly timeoutSeconds: number; readonly silence: WatchSilence } {
    const { clock, random = Math.random } = this.#options;
    const timeoutSeconds = Math.floor(LEAST_WATCH_SECONDS * (1 + random()));
    return { timeoutSeconds, silence: new WatchSilence({ clock, mostMs: timeoutSeconds * 1_000, look: (signal) => this.#look(signal) }) };
  }

  /** A watch is being opened; when that takes long in the place of a silent one, the kind has an age. @returns it is open, or has failed */
  opening(): () => void {
    if (this.#silentSinceMs === undefined) return () => {};
    return this.#options.clock.after(REOPEN_MS, () => this.doubt());
  }

  /** Another watch is open, or everything was read: nothing is missing. */
  proved(): void {
    this.#silentSinceMs = undefined;
  }

  /** The watch was given up. @returns whether another may go on from where it was */
  gaveUp({ heardAtMs, isBack }: WatchSilence): boolean {
    this.#silentSinceMs ??= heardAtMs;
    if (!isBack) return true;
    this.doubt();
    this.#silentSinceMs = undefined;
    return false;
  }

  /** It is unknown what has happened since the last event of the silent watch. */
  doubt(): void {
    if (this.#silentSinceMs !== undefined) this.#options.standing.doubt("way", SILENT, { sinceMs: this.#silentSinceMs });
  }

  async #look(signal: AbortSignal): Promise<HistoryProgress | undefined> {
    const { one, position, standing, well } = this.#options;
    const ours = position() ?? "";
    try {
      const { resourceVersion } = await one(signal);
      if (standing.state.stale?.cause === "error") well();
      return progressOf(ours, resourceVersion);
    } catch (error) {
      return signal.aborted ? undefined : this.#unknown(error);
    }
  }

  /** A kind that is silent, and of which nothing can be found out, has an age. */
  #unknown(error: unknown): HistoryProgress | undefined {
    const { clock, monitor, standing } = this.#options;
    const code = apiCodeOf(error);
    if (code === undefined) monitor.suspect();
    else if (REFUSALS.has(code)) return "ahead";
    else if (code !== TOO_MANY_REQUESTS) standing.doubt("error", wordsOfFailure(error), { sinceMs: clock.now() });
    return undefined;
  }
}
