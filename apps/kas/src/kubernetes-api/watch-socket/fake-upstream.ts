import { until } from "@binnacle/testing";
import type { WatchRequest, WatchUpstream } from "./watch-upstream.ts";

/** A watch that was requested: the test decides what the cluster answers. */
export interface FakeWatch {
  readonly caller: string;
  readonly request: WatchRequest;
  readonly signal: AbortSignal;
  send(event: unknown): void;
  fail(error: unknown): void;
  end(): void;
}

/** A cluster that answers as the test says. */
export class FakeUpstream {
  readonly #requested: FakeWatch[] = [];

  /** The cluster as a caller sees it. */
  as(caller: string): WatchUpstream {
    return { watch: (request, signal) => this.#watch(caller, request, signal) };
  }

  /** The next watch that was requested. */
  async next(): Promise<FakeWatch> {
    await until(() => this.#requested.length > 0);
    const watch = this.#requested.shift();
    if (watch === undefined) throw new Error("two tests' steps wait for one watch");
    return watch;
  }

  #watch(caller: string, request: WatchRequest, signal: AbortSignal): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({
      start(started) {
        controller = started;
      },
    });
    let over = false;
    const once = (action: () => void): void => {
      if (over) return;
      over = true;
      action();
    };
    signal.addEventListener("abort", () => once(() => controller?.error(signal.reason)), { once: true });
    this.#requested.push({
      caller,
      request,
      signal,
      send: (event) => {
        if (!over) controller?.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      },
      fail: (error) => once(() => controller?.error(error)),
      end: () => once(() => controller?.close()),
    });
    return stream;
  }
}
