import type { Clock } from "@binnacle/rpc";

/** What a client may still send of a request that has its answer. */
export const MAX_DROPPED_BYTES = 1024 * 1024;
/** How long it may take for that. */
export const MAX_DROP_MS = 30_000;

/**
 * The rest of a request that was answered before it was read. It is read and thrown away, because a connection that is closed on unread bytes
 * is reset, and the client loses the answer. A client that goes on for too long, in bytes or time, is given up.
 */
export class DroppedRest {
  readonly #giveUp: () => void;
  #stop: () => void;
  #bytes = 0;
  #over = false;

  /** @param giveUp called at most once */
  constructor(clock: Clock, giveUp: () => void) {
    this.#giveUp = giveUp;
    this.#stop = clock.after(MAX_DROP_MS, () => this.#end("given up"));
  }

  /** Counts discarded bytes of the request. @returns false when there were too many: no more should be read */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes > MAX_DROPPED_BYTES) this.#end("given up");
    return !this.#over;
  }

  /** The request has ended, or its client has left. */
  stop(): void {
    this.#end("complete");
  }

  #end(how: "complete" | "given up"): void {
    if (this.#over) return;
    this.#over = true;
    this.#stop();
    if (how === "given up") this.#giveUp();
  }
}
