import type { KubeObject, WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { apiCodeOf, isTooLarge } from "../base/kube-client.ts";
import type { ConnectionMonitor } from "./connection-monitor.ts";
import type { Refilling } from "../objects/kept-objects.ts";
import { KindFilling, type FillingState } from "./kind-filling.ts";

/** Longer than the interval of proofs: a stream that is silent this long while the connection is proven will not continue. */
const PATIENCE_MS = 15_000;

/** Status codes that reject the streamed form of a list, not the list itself: not known there, not acceptable, or no right to watch. */
const STREAM_REJECTIONS: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 415, 422, 501]);

/** What a filling works with. */
export interface StreamFillingOptions {
  readonly open: (signal: AbortSignal) => AsyncIterable<WatchEvent>;
  readonly clock: Clock;
  readonly monitor: Pick<ConnectionMonitor, "answeredAtMs">;
  /** What is collected is charged there; ended by the caller. */
  readonly kept: Refilling;
  readonly maxObjects: number;
  /** What is kept of an object. */
  readonly project: (object: KubeObject) => KubeObject;
  /** All objects there are, and where the watch goes on; called once at most. */
  readonly filled: (objects: readonly KubeObject[], resourceVersion: string) => void;
}

/** Why a stream did not fill; `broken`: it ended before its initial events did. */
export type StreamFailure = Exclude<FillingState, "more" | "complete"> | "broken";

/**
 * Reads a streamed list until its initial events end.
 *
 * @returns what comes after them on the same stream, or why there is nothing to go on with; then the stream is closed
 * @throws whatever the stream throws
 */
export async function fillByStream(
  options: StreamFillingOptions,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<WatchEvent> | StreamFailure> {
  const { filled } = options;
  const attempt = new AbortController();
  const events = iterate(options.open(AbortSignal.any([signal, attempt.signal])));
  const filling = new KindFilling(options);
  const silence = new Silence(options, () => attempt.abort());
  let state: FillingState | "broken" = "more";
  try {
    while (state === "more") {
      const next = await events.next();
      silence.heard();
      state = next.done === true ? "broken" : filling.take(next.value);
    }
  } catch (error) {
    if (!silence.isOfServer) throw error;
  } finally {
    silence.end();
    if (state !== "complete") {
      attempt.abort();
      await events.return?.();
    }
  }
  if (silence.isOfServer) return "not-streamed";
  if (state === "more" || state === "broken") return "broken";
  if (state !== "complete") return state;
  filled(filling.objects, filling.resourceVersion);
  return events;
}

function iterate(events: AsyncIterable<WatchEvent>): AsyncIterableIterator<WatchEvent> {
  const iterator = events[Symbol.asyncIterator]();
  const all: AsyncIterableIterator<WatchEvent> = { next: () => iterator.next(), [Symbol.asyncIterator]: () => all };
  const leave = iterator.return?.bind(iterator);
  if (leave) all.return = () => leave();
  return all;
}

/** Notices when nothing has come for a while. One timer, however many events. */
class Silence {
  readonly #options: StreamFillingOptions;
  readonly #over: () => void;
  #heardAtMs: number;
  #cancel: () => void = () => {};
  /** It went on for too long while the API server answered others: it is not the way that is silent. */
  isOfServer = false;

  constructor(options: StreamFillingOptions, over: () => void) {
    this.#options = options;
    this.#over = over;
    this.#heardAtMs = options.clock.now();
    this.#look();
  }

  heard(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  end(): void {
    this.#cancel();
  }

  #look(): void {
    const { clock, monitor } = this.#options;
    const delayMs = this.#heardAtMs + PATIENCE_MS - clock.now();
    if (delayMs > 0) {
      this.#cancel = clock.after(delayMs, () => this.#look());
      return;
    }
    this.isOfServer = (monitor.answeredAtMs ?? Number.NEGATIVE_INFINITY) > this.#heardAtMs;
    this.#over();
  }
}

/**
 * Which failure of a stream an error is.
 *
 * @returns `undefined` when this identity cannot stream now
 * @throws the error, when it does not reject the streamed form of the list
 */
export function streamFailureOf(error: unknown): StreamFailure | undefined {
  // A list in pages can stop at the limit.
  if (isTooLarge(error)) return "too-many";
  const code = apiCodeOf(error);
  if (code === undefined || !STREAM_REJECTIONS.has(code)) throw error;
  // Rights and definitions come and go; what a server does not support now it does not support later.
  return code === 403 || code === 404 ? undefined : "not-streamed";
}
