import { readFileSync } from "node:fs";

import type { Clock } from "@binnacle/rpc";

/** How long what was read is believed. Mounted secrets are replaced in place (tokens hourly); kubelet itself takes a minute. */
const MAX_AGE_MS = 10_000;

/** A small text file that may be replaced while we run. */
export class CachedFile {
  readonly #path: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #readAt = 0;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /**
   * Text of the file without surrounding white space, at most ten seconds old. While it cannot be read, the last good text.
   *
   * @throws Error of the file system when it never could be read
   */
  read(): string {
    if (this.#text !== undefined && this.#clock.now() - this.#readAt < MAX_AGE_MS) return this.#text;
    this.#readAt = this.#clock.now();
    try {
      this.#text = readFileSync(this.#path, "utf8").trim();
    } catch (error) {
      if (this.#text === undefined) throw error;
    }
    return this.#text;
  }

  /** A server rejected the content of the file: the next `read` reads the file again. */
  expire(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }
}
