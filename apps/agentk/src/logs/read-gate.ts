import type { Clock } from "@binnacle/rpc";

/** So long a read may keep its place while others wait: it then goes on from where it was, when its turn comes again. */
const HOLD_MS = 2_000;

/** A place at the gate. */
export interface GatePlace {
  /** Aborts when another is to have the place. */
  readonly cut: AbortSignal;
  /** The read goes on: it keeps its place for longer. Without effect on one that is followed, which would keep it for ever. */
  moved(): void;
  /** Gives it back. More than once has no effect. */
  leave(): void;
}

interface Holder {
  readonly cut: AbortController;
  sinceMs: number;
}

/**
 * Limits how many logs are read at a time over all calls. Later reads wait in a queue; a read that is followed, or that its reader does not
 * take, frees its slot after two seconds when another waits.
 */
export class ReadGate {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #holders = new Set<Holder>();
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #cancelLook = (): void => {};

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Reads that have a place now. */
  get reads(): number {
    return this.#holders.size;
  }

  /** @param isFollowed it has no end of its own. @throws the reason of `signal` */
  async enter(isFollowed: boolean, signal: AbortSignal): Promise<GatePlace> {
    signal.throwIfAborted();
    const isFree = this.#holders.size < this.#most && this.#waiting.size === 0;
    const holder = isFree ? this.#hold() : await this.#turn(signal);
    return {
      cut: holder.cut.signal,
      moved: () => {
        if (!isFollowed) holder.sinceMs = this.#clock.now();
      },
      leave: () => {
        if (this.#holders.delete(holder)) this.#admit();
      },
    };
  }

  #hold(): Holder {
    const holder: Holder = { cut: new AbortController(), sinceMs: this.#clock.now() };
    this.#holders.add(holder);
    this.#look();
    return holder;
  }

  #turn(signal: AbortSignal): Promise<Holder> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve(this.#hold());
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(enter);
      this.#look();
    });
  }

  #admit(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#waiting.delete(first);
    first();
  }

  /** Takes places of those who have had them for long enough: as many as are waited for. */
  #look(): void {
    this.#cancelLook();
    this.#cancelLook = () => {};
    if (this.#waiting.size === 0) return;
    const now = this.#clock.now();
    const held = [...this.#holders].filter(({ cut }) => !cut.signal.aborted).toSorted((a, b) => a.sinceMs - b.sinceMs);
    let wanted = this.#waiting.size - (this.#holders.size - held.length);
    for (const holder of held) {
      if (wanted <= 0) return;
      if (now - holder.sinceMs < HOLD_MS) {
        this.#cancelLook = this.#clock.after(holder.sinceMs + HOLD_MS - now, () => this.#look());
        return;
      }
      holder.cut.abort();
      wanted -= 1;
    }
  }
}
