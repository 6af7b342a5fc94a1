import type { Readable, Writable } from "node:stream";

/** Bytes one copy may move before others get a turn. */
export const TURN_BYTES = 128 * 1024;

/** Where bytes go. */
export interface ByteSink {
  /** False: stop until `onDrain` fires. */
  write(chunk: Uint8Array): boolean;
  /** Called each time there is room again, until the returned function is called. */
  onDrain(resume: () => void): () => void;
}

/** A Writable as a sink. */
export function sinkOf(writable: Writable): ByteSink {
  return {
    write: (chunk) => writable.write(chunk),
    onDrain(resume) {
      writable.on("drain", resume);
      return () => void writable.off("drain", resume);
    },
  };
}

/**
 * Moves everything from `source` into `sink`: at most 128 KiB per turn of the event loop, and nothing while the sink is full. Ends neither of them.
 *
 * @throws what the source fails with; an Error when it closes before its end; the signal's reason when that aborts
 */
export function copyWithBudget(source: Readable, sink: ByteSink, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let spent = 0;
    let full = false;
    let settled = false;
    let stopDraining = (): void => undefined;
    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      source.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      signal?.removeEventListener("abort", onAbort);
      stopDraining();
      source.pause();
      act();
    };
    const go = (): void => {
      spent = 0;
      if (!settled && !full) source.resume();
    };
    const onData = (chunk: Buffer): void => {
      spent += chunk.byteLength;
      full = !sink.write(chunk);
      if (full) return void source.pause();
      if (spent < TURN_BYTES) return;
      source.pause();
      setImmediate(go);
    };
    const onEnd = (): void => settle(resolve);
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void => settle(() => reject(new Error("the source closed before its end")));
    const onAbort = (): void => settle(() => reject(signal?.reason instanceof Error ? signal.reason : new Error("given up")));
    // A source that has ended emits nothing more.
    if (source.readableEnded) return resolve();
    if (source.destroyed) return reject(source.errored ?? new Error("the source closed before its end"));
    stopDraining = sink.onDrain(() => {
      full = false;
      go();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    source.on("end", onEnd).on("error", onError).on("close", onClose).on("data", onData);
    if (signal?.aborted === true) onAbort();
  });
}
