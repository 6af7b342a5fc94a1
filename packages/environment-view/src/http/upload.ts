import { systemClock, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { KubeClientError } from "../base/kube-client.ts";

/** Bytes that are passed on at a time, so that a slow server is noticed before more is read. */
const PIECE_BYTES = 64 * 1024;
/** As long as kas waits for the rest of a request (docs/design/limits.md "Silence"). */
const STALL_MS = 60_000;

/** What an upload works with. */
export interface UploadOptions {
  readonly clock?: Clock;
  /** Called at most once, when the source has given nothing, or the server has taken nothing, for a minute. */
  readonly stalled: (error: KubeClientError) => void;
  /** Called once, when the last piece was taken. */
  readonly sent?: () => void;
}

/**
 * A body on its way up, for one reader: it reads from the source only when the reader reads, and always closes the source at the end. A
 * source that fails ends it with a KubeClientError whose cause is the source's error.
 */
export class Upload implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #clock: Clock;
  readonly #options: UploadOptions;
  #state: "open" | "held" | "ended" = "open";
  #failure: unknown;
  #reject: ((error: unknown) => void) | undefined;
  #cancel = (): void => {};

  constructor(body: AsyncIterable<Uint8Array>, options: UploadOptions) {
    this.#source = body[Symbol.asyncIterator]();
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
    this.#expectProgress();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (;;) {
        await this.#untilCut();
        const next = await this.#wait(() => this.#source.next());
        if (next.done === true) break;
        for (let from = 0; from < next.value.length; from += PIECE_BYTES) {
          await this.#untilCut();
          this.#expectProgress();
          yield next.value.subarray(from, from + PIECE_BYTES);
        }
        this.#expectProgress();
      }
      this.#settle();
      this.#options.sent?.();
    } finally {
      this.cut(new Error("the upload is not read any more"));
    }
  }

  /** The answer has begun: nothing more is handed out, and nothing is expected of the server. */
  hold(): void {
    if (this.#state !== "open") return;
    this.#state = "held";
    this.#cancel();
  }

  /** Ends it and releases the source; a pending read rejects with the reason. */
  cut(reason: unknown): void {
    if (this.#state === "ended") return;
    this.#settle();
    this.#failure = reason;
    this.#reject?.(reason);
    // There is no caller for an error of closing the source.
    Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  #settle(): void {
    this.#state = "ended";
    this.#cancel();
  }

  /** Nothing while all is well. One that is held or cut must not look like one that has ended. */
  #untilCut(): Promise<unknown> | undefined {
    return this.#state === "open" ? undefined : this.#wait(() => new Promise(() => {}));
  }

  /** What the source says, or the reason of a cut. */
  #wait<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#state === "ended") return Promise.reject(this.#failure);
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      ask().then(resolve, (error: unknown) => reject(new KubeClientError("connection", words("request/upload-broken"), { cause: error })));
    });
  }

  #expectProgress(): void {
    if (this.#state !== "open") return;
    this.#cancel();
    this.#cancel = this.#clock.after(STALL_MS, () =>
      this.#options.stalled(new KubeClientError("timeout", words("request/upload-stalled"))),
    );
  }
}
