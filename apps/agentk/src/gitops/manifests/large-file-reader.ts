import { on } from "node:events";
import { Worker } from "node:worker_threads";

import type { ManifestProblem, ManifestText } from "@binnacle/manifests";

import { documentsOf } from "./documents-of.ts";
import type { ReadBatch } from "./large-file-worker.ts";

/** A document of this size takes some 20 ms to read. */
const LARGE_BYTES = 16 * 1024;

/** The limit of a file is 5 MiB; its nodes take many times that. */
const MAX_HEAP_MIB = 512;

/** Whether a file has a document that takes so long to read that others would notice. */
export function hasLargeDocument(data: Uint8Array): boolean {
  return documentsOf(data).some((document) => document.byteLength > LARGE_BYTES);
}

/** Reads files with large documents in a thread, which begins with the first of them. */
export class LargeFileReader {
  readonly #maxHeapMib: number;
  #worker: Worker | undefined;

  constructor(maxHeapMib = MAX_HEAP_MIB) {
    this.#maxHeapMib = maxHeapMib;
  }

  /** As `manifestsIn`. One file at a time. A file that takes too much memory is a problem. */
  async *read(data: Uint8Array): AsyncGenerator<ManifestText | ManifestProblem, void> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const messages = on(worker, "message", { close: ["exit"] });
    // A copy goes there, for the bytes are read again when there are too many objects.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(data);
    let isWhole = false;
    try {
      for await (const [batch] of messages) {
        // The thread sends nothing else.
        const { read, isLast } = batch as ReadBatch;
        yield* read;
        isWhole = isLast;
        if (isLast) break;
      }
    } catch {
      // The thread is gone.
    }
    if (isWhole) return;
    await this.close();
    yield { line: 1, message: "the file takes too much memory to be read" };
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    return new Worker(new URL("./large-file-worker.ts", import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMib },
    });
  }
}
