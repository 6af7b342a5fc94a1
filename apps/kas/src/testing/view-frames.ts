import { fromBinary } from "@bufbuild/protobuf";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";

/** Reads a stream of views as a client does. */
export class ViewFrames {
  readonly updates: ViewUpdate[] = [];
  /** What is shown: changes that are whole. */
  shown: Readonly<Record<string, string>> = {};
  bytes = 0;
  #half: Record<string, string> | undefined;
  #rest = Buffer.alloc(0);

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
    const next: Record<string, string> = update.reset ? {} : (this.#half ?? { ...this.shown });
    for (const key of update.removed) delete next[key];
    for (const { key, value } of update.entries) next[key] = Buffer.from(value).toString();
    this.#half = update.more ? next : undefined;
    if (!update.more) this.shown = next;
  }
}
