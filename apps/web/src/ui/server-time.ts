import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { millisOf } from "./format-time.ts";

/** So many messages are remembered: one that was held up is outvoted by the next ones. */
const MAX_SAMPLES = 9;
/** What differs by so much is no way that was long: a clock was set, or the machine has slept. */
const JUMP_MS = 20_000;

/** The two clocks of a browser. */
interface BrowserClocks {
  /** The clock on the wall, which may be wrong and may be set; milliseconds since the epoch. */
  readonly wallMs: () => number;
  /** A monotonic clock, which may stand still while the machine sleeps; milliseconds since an arbitrary time. */
  readonly steadyMs: () => number;
}

const BROWSER: BrowserClocks = { wallMs: () => Date.now(), steadyMs: () => performance.now() };

/**
 * What time it is by the server's clock, which all times on a page are of: learnt from when messages were sent and when they came, and kept by
 * the monotonic clock, so that a browser whose clock is wrong, or is set meanwhile, shows the right ages. The way here is
 * part of it: some milliseconds, where people read seconds.
 */
export class ServerTime {
  readonly #clocks: BrowserClocks;
  /** By how much the server's clock is ahead of the steady one. */
  readonly #samples: number[] = [];
  #aheadMs: number | undefined;
  /** By how much the clock on the wall was ahead of the steady one when that was learnt. */
  #wallAheadMs = 0;

  constructor(clocks = BROWSER) {
    this.#clocks = clocks;
  }

  /** Milliseconds since the epoch; by the browser's clock while nothing has been heard. */
  now(): number {
    const { wallMs, steadyMs } = this.#clocks;
    if (this.#aheadMs === undefined) return wallMs();
    // Whether the machine has slept or its clock was set on, the next message tells; until then nothing is called newer than it may be.
    const sleptMs = this.#wallNowAheadMs() - this.#wallAheadMs;
    return steadyMs() + this.#aheadMs + (sleptMs > JUMP_MS ? sleptMs : 0);
  }

  /** It is that late at least: the page was made then. Counts until a message comes. */
  atLeast(madeAtMs: number): void {
    if (this.#aheadMs === undefined) this.#set(madeAtMs - this.#clocks.steadyMs());
  }

  /**
   * A message is here.
   *
   * @param sentAtMs by the server's clock; absent when it does not say
   * @param cameAtMs by the browser's clock on the wall, not long ago: another thread may have got it
   * @returns when it came, by the server's clock
   */
  heard(sentAtMs: number | undefined, cameAtMs: number): number {
    const { wallMs, steadyMs } = this.#clocks;
    const agoMs = Math.max(0, wallMs() - cameAtMs);
    if (sentAtMs !== undefined) this.#learn(sentAtMs - (steadyMs() - agoMs));
    return this.now() - agoMs;
  }

  #learn(sampleMs: number): void {
    if (this.#aheadMs !== undefined && Math.abs(sampleMs - this.#aheadMs) > JUMP_MS) this.#samples.length = 0;
    this.#samples.push(sampleMs);
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    const sorted = this.#samples.toSorted((left, right) => left - right);
    this.#set(sorted[Math.floor(sorted.length / 2)] ?? sampleMs);
  }

  #set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
    this.#wallAheadMs = this.#wallNowAheadMs();
  }

  #wallNowAheadMs(): number {
    return this.#clocks.wallMs() - this.#clocks.steadyMs();
  }
}

/** Of this page. */
export const serverTime = new ServerTime();

/** A page begins to live: that late it is at least. The server that makes pages has the right time, and learns nothing. */
export function pageBegins(madeAt: Timestamp | undefined): void {
  if (typeof document !== "undefined" && madeAt !== undefined) serverTime.atLeast(millisOf(madeAt));
}
