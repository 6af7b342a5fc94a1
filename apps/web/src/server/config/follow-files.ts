import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigFile } from "./config-files.ts";

/** How often files are looked at. They are read, not watched: secrets of Kubernetes change by a link that is laid anew. */
const LOOK_MS = 10_000;

/** What is followed, and what becomes of it. */
export interface FollowedFiles {
  /** As they were read at the start; what belongs together is followed together. */
  readonly files: readonly ConfigFile<unknown>[];
  /** Their key in the configuration, for the log: "session.secret_file". */
  readonly key: string;
  /** Takes the new texts in the order of `files`, all or nothing. @throws Error that says what they must be, and nothing of what they hold */
  readonly use: (texts: readonly string[]) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Reads files again every 10 s and hands them on when one has changed. What cannot be used changes nothing; it is logged once, when it is
 * still there at the next look: two files that belong together, or a long one, are not replaced in one step. @returns ends it
 */
export function followFiles(options: FollowedFiles): () => void {
  const follower = new FileFollower(options);
  return () => follower.close();
}

class FileFollower {
  readonly #options: FollowedFiles;
  /** Of what is in use. */
  #used: string;
  /** Why the last look found nothing to use. */
  #problem: { readonly name: string; isLogged: boolean } | undefined;
  #cancel: () => void;
  #isClosed = false;

  constructor(options: FollowedFiles) {
    this.#options = options;
    this.#used = nameOf(options.files.map(({ digest }) => digest));
    this.#cancel = options.clock.after(LOOK_MS, () => void this.#look());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const texts = await Promise.all(this.#options.files.map(({ file }) => readFile(file, "utf8"))).catch((error: unknown) => textOf(error));
    if (this.#isClosed) return;
    if (typeof texts === "string") this.#failed(texts, `cannot be read: ${texts}`);
    else this.#take(texts);
    this.#cancel = this.#options.clock.after(LOOK_MS, () => void this.#look());
  }

  #take(texts: readonly string[]): void {
    const { use, log, key } = this.#options;
    const name = nameOf(texts.map(digestOf));
    if (name === this.#used) return void (this.#problem = undefined);
    try {
      use(texts);
    } catch (error) {
      return this.#failed(name, textOf(error));
    }
    this.#used = name;
    this.#problem = undefined;
    log.info({ key, files: this.#names }, "a file of the configuration has changed and is in use");
  }

  #failed(name: string, why: string): void {
    const before = this.#problem?.name === name ? this.#problem : undefined;
    this.#problem = before ?? { name, isLogged: false };
    if (before === undefined || before.isLogged) return;
    before.isLogged = true;
    const { key, log } = this.#options;
    log.error(
      { key, files: this.#names, why },
      "a file of the configuration cannot be used, what it held before stays; put a good one there",
    );
  }

  get #names(): string[] {
    return this.#options.files.map(({ file }) => file);
  }
}

/** Names a text without telling it. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function nameOf(digests: readonly string[]): string {
  return digests.join(" ");
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
