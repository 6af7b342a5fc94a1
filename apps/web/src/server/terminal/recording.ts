import { randomUUID } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";

import type { Clock } from "@binnacle/rpc";

import type { TerminalDimensions } from "./exec.ts";
import type { TerminalClaims } from "./terminal-tickets.ts";

/** What waits for the disk; the terminal is not read meanwhile. */
const MAX_WAITING_BYTES = 64 * 1024;

/** Where a recording goes, and its callbacks. */
export interface RecordingOptions {
  readonly directory: string;
  readonly claims: Pick<TerminalClaims, "projectPath" | "environment" | "namespace" | "pod" | "container" | "viewer">;
  readonly size: TerminalDimensions;
  readonly clock: Clock;
  /** Too much waits for the disk, or no longer does. */
  readonly slow: (isSlow: boolean) => void;
  /** It cannot be written any more. */
  readonly failed: (error: unknown) => void;
}

/**
 * The output of one terminal as an asciicast v2 file (docs.asciinema.org, "asciicast v2"): a header, then one line for each piece of output and each
 * new size. What was typed is not recorded; a shell's echo of it is output.
 */
export class Recording {
  readonly #file: FileHandle;
  readonly #options: RecordingOptions;
  readonly #startedMs: number;
  readonly #decoder = new StringDecoder("utf8");
  #writing = Promise.resolve();
  #waitingBytes = 0;
  #isBroken = false;

  private constructor(file: FileHandle, options: RecordingOptions) {
    this.#file = file;
    this.#options = options;
    this.#startedMs = options.clock.now();
  }

  /** A new file, which only this process's user can read. @throws Error of the file system */
  static async start(options: RecordingOptions): Promise<Recording> {
    const { directory, claims, size, clock } = options;
    const { projectPath, environment, namespace, pod, container, viewer } = claims;
    const startedMs = clock.now();
    const stamp = new Date(startedMs).toISOString().replaceAll(/[:.]/g, "-");
    const file = await open(join(directory, `${stamp}-${randomUUID()}.cast`), "wx", 0o600);
    const title = `${viewer} in ${namespace}/${pod}/${container} (${projectPath}, ${environment})`;
    const header = { version: 2, width: size.columns, height: size.rows, timestamp: Math.floor(startedMs / 1_000), title };
    try {
      await file.appendFile(`${JSON.stringify(header)}\n`);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new Recording(file, options);
  }

  output(bytes: Buffer): void {
    const text = this.#decoder.write(bytes);
    if (text !== "") this.#append("o", text);
  }

  resize({ columns, rows }: TerminalDimensions): void {
    this.#append("r", `${columns}x${rows}`);
  }

  /** Writes what waits, and closes the file. Never rejects. */
  async end(): Promise<void> {
    const rest = this.#decoder.end();
    if (rest !== "") this.#append("o", rest);
    await this.#writing;
    await this.#file.close().catch(() => undefined);
  }

  #append(type: "o" | "r", text: string): void {
    if (this.#isBroken) return;
    const seconds = Math.max(0, this.#options.clock.now() - this.#startedMs) / 1_000;
    const line = Buffer.from(`${JSON.stringify([seconds, type, text])}\n`);
    const wasSlow = this.#waitingBytes > MAX_WAITING_BYTES;
    this.#waitingBytes += line.length;
    if (!wasSlow && this.#waitingBytes > MAX_WAITING_BYTES) this.#options.slow(true);
    this.#writing = this.#writing.then(() => this.#write(line));
  }

  async #write(line: Buffer): Promise<void> {
    if (this.#isBroken) return;
    try {
      await this.#file.appendFile(line);
    } catch (error) {
      this.#isBroken = true;
      this.#options.failed(error);
      return;
    }
    const wasSlow = this.#waitingBytes > MAX_WAITING_BYTES;
    this.#waitingBytes -= line.length;
    if (wasSlow && this.#waitingBytes <= MAX_WAITING_BYTES) this.#options.slow(false);
  }
}
