/** A thread that reads files with large documents for `LargeFileReader`: a document cannot be read in turns. */
import { parentPort } from "node:worker_threads";

import { manifestsIn, type ManifestProblem, type ManifestText } from "@binnacle/manifests";

/** So much goes in one message: the other thread takes it in one go. */
const BATCH = { manifests: 200, characters: 256 * 1024 };

/** What was read of a file; the last message of a file says so. */
export interface ReadBatch {
  readonly read: readonly (ManifestText | ManifestProblem)[];
  readonly isLast: boolean;
}

function send(batch: ReadBatch): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(batch);
}

// The parent sends nothing else.
parentPort?.on("message", (data: Uint8Array) => {
  let read: (ManifestText | ManifestProblem)[] = [];
  let characters = 0;
  for (const one of manifestsIn(data)) {
    read.push(one);
    characters += "text" in one ? one.text.length : one.message.length;
    if (read.length < BATCH.manifests && characters < BATCH.characters) continue;
    send({ read, isLast: false });
    [read, characters] = [[], 0];
  }
  send({ read, isLast: true });
});
