/** Heartbeats of a topic come every 10 s; one that is silent for so long is requested again. Longer than a whole stream may be silent. */
const SILENCE_MS = 45_000;
/** A topic that stays silent disturbs the others of its stream no more often. */
const LONGEST_SILENCE_MS = 300_000;

/** Tells when a topic has been silent for too long while its stream goes on; each time it waits twice as long for the next. */
export class SilenceWatch {
  readonly #isSilent: () => void;
  #limitMs = SILENCE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(isSilent: () => void) {
    this.#isSilent = isSilent;
  }

  /** The topic was requested. */
  requested(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#limitMs = Math.min(2 * this.#limitMs, LONGEST_SILENCE_MS);
      this.#isSilent();
    }, this.#limitMs);
  }

  /** A message of the topic arrived. */
  heard(): void {
    this.#limitMs = SILENCE_MS;
    this.requested();
  }

  /** Nothing is expected of it now. */
  rest(): void {
    clearTimeout(this.#timer);
  }
}
