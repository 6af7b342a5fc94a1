import { constants, createDeflateRaw } from "node:zlib";

/** The least work: what a view sends repeats itself so much that more of it saves little. */
const LEVEL = 1;

/** A deflate stream (RFC 1951) of which everything comes out that was put in. The work is done beside the event loop. */
export class FlushedDeflate {
  readonly #deflate = createDeflateRaw({ level: LEVEL, flush: constants.Z_SYNC_FLUSH });
  #out: Uint8Array[] = [];

  constructor() {
    this.#deflate.on("data", (chunk: Buffer) => this.#out.push(chunk));
    // Reported to the waiting caller; other callers must not be affected.
    this.#deflate.on("error", () => undefined);
  }

  /** Takes one after the other. */
  write(bytes: Uint8Array): Promise<Uint8Array> {
    return this.#done((done) => this.#deflate.write(bytes, done));
  }

  /** From here on nothing refers to what was before, so anything may stand between. */
  forget(): Promise<Uint8Array> {
    return this.#done((done) => this.#deflate.flush(constants.Z_FULL_FLUSH, done));
  }

  /** The last block. */
  end(): Promise<Uint8Array> {
    return this.#done((done) => this.#deflate.once("end", done).end());
  }

  /** Frees it at once; call it always. */
  close(): void {
    this.#deflate.destroy();
  }

  async #done(begin: (done: (error?: Error | null) => void) => void): Promise<Uint8Array> {
    const deflate = this.#deflate;
    await new Promise<void>((resolve, reject) => {
      deflate.once("error", reject);
      begin((error) => {
        deflate.off("error", reject);
        if (error) reject(error);
        else resolve();
      });
    });
    const out = this.#out;
    this.#out = [];
    return out.length === 1 && out[0] ? out[0] : Buffer.concat(out);
  }
}
