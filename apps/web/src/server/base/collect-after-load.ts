import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { Clock } from "@binnacle/rpc";

/**
 * When the garbage of a load that has ended is collected, in milliseconds after its end: first what the streams have left, then what was
 * kept for viewers who might have come back (two minutes).
 */
const DELAYS_MS = [15_000, 150_000] as const;
/** A load of fewer streams leaves nothing worth a pause. */
const MIN_STREAMS = 20;
/** A load has ended when this part of its streams is left: a collection stops those for a moment. */
const LEFT = 1 / 4;

/**
 * Collects garbage once the streams of a load are gone. V8 alone collects when something allocates, and may let the heap grow by
 * half before it does: an unused server would retain all of it.
 */
export class CollectAfterLoad {
  readonly #clock: Clock;
  readonly #collect: () => void;
  #open = 0;
  #peak = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, collect: () => void = collectGarbage) {
    this.#clock = clock;
    this.#collect = collect;
  }

  /** A stream begins. @returns call it at its end; more calls do nothing */
  begin(): () => void {
    this.#open += 1;
    this.#peak = Math.max(this.#peak, this.#open);
    if (!this.#isOver) this.#stop();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      if (this.#peak >= MIN_STREAMS && this.#isOver) this.#cancel ??= this.#schedule(0);
    };
  }

  /** Nothing is collected any more for the load so far. */
  close(): void {
    this.#stop();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get #isOver(): boolean {
    return this.#open <= this.#peak * LEFT;
  }

  #schedule(step: number): () => void {
    const delayMs = (DELAYS_MS[step] ?? 0) - (DELAYS_MS[step - 1] ?? 0);
    return this.#clock.after(delayMs, () => {
      this.#collect();
      const isLast = step === DELAYS_MS.length - 1;
      if (isLast) this.#peak = this.#open;
      this.#cancel = isLast ? undefined : this.#schedule(step + 1);
    });
  }
}

/** A full collection, at once; pages that become empty go back to the system. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  // The flag adds it to contexts that are created from now on.
  const collect = runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
