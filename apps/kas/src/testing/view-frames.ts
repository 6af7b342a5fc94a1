import { fromBinary } from "@bufbuild/protobuf";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";

import { ShownEntries } from "./shown-entries.ts";

/** Reads a stream of views as a client does. */
export class ViewFrames {
  readonly updates: ViewUpdate[] = [];
  bytes = 0;
  readonly #views = new Map<bigint, ShownEntries>();
  #rest = Buffer.alloc(0);

  /** What is shown: changes that are whole. */
  get shown(): ShownEntries["shown"] {
    return this.shownOf(0n);
  }

  /** The same of one of several views. */
  shownOf(topic: bigint): ShownEntries["shown"] {
    return this.#of(topic).shown;
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4) {
      const end = 4 + this.#rest.readUInt32BE();
      if (this.#rest.length < end) return;
      this.#take(fromBinary(ViewUpdateSchema, this.#rest.subarray(4, end)));
      this.#rest = this.#rest.subarray(end);
    }
  }

  #take(update: ViewUpdate): void {
    this.updates.push(update);
    this.#of(update.topic).take(update);
  }

  #of(topic: bigint): ShownEntries {
    const known = this.#views.get(topic) ?? new ShownEntries();
    this.#views.set(topic, known);
    return known;
  }
}
