import { sleep, type Clock, type Module } from "@binnacle/rpc";

import type { Logger } from "../logger.ts";
import { auditFile, auditStdout, type AuditOutput } from "./audit-output.ts";
import { linesOf, type AuditRecord } from "./audit-record.ts";

/** What the log needs. */
export interface AuditLogOptions {
  readonly output: AuditOutput;
  readonly clock: Clock;
  readonly log: Logger;
  /** Counts records by what became of them. */
  readonly count: (outcome: "written" | "dropped", records: number) => void;
}

/** Records that may wait, at most: some 10 MiB. */
export const MAX_WAITING_RECORDS = 10_000;
/** So long the first record waits for others to be written with it. */
const BATCH_MS = 100;
/** Made into text in one turn of the event loop: about a millisecond. */
const BATCH_RECORDS = 500;
/** An output that failed is tried again after this. */
const RETRY_MS = 1_000;

/**
 * The audit log that a configuration asks for: into a file, or to standard output; `undefined` when it is switched off.
 *
 * @throws Error of the file system for a file that cannot be opened
 */
export function openAudit(
  { enabled, file }: { readonly enabled: boolean; readonly file?: string | undefined },
  options: Omit<AuditLogOptions, "output">,
): AuditLog | undefined {
  if (!enabled) return undefined;
  const output = file === undefined ? auditStdout(options.clock) : auditFile(file, options.clock);
  return new AuditLog({ output, ...options });
}

/**
 * Records on their way to the output, in batches. Adding one never waits: when the output stalls or fails, records wait up to a
 * number, and further ones are dropped and counted in the next line.
 */
export class AuditLog implements Module {
  readonly name = "audit log";
  readonly #options: AuditLogOptions;
  readonly #closed = new AbortController();
  #waiting: AuditRecord[] = [];
  /** Records that the output has and did not acknowledge. */
  #unwritten = 0;
  #dropped = 0;
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  add(record: AuditRecord): void {
    if (this.#waiting.length >= MAX_WAITING_RECORDS) {
      this.#dropped += 1;
      this.#options.count("dropped", 1);
      return;
    }
    this.#waiting.push(record);
    this.#writeSoon();
  }

  /** Writes what waits. */
  async drain(deadline: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve) => deadline.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([this.#write(), over]);
  }

  close(): Promise<void> {
    this.#closed.abort();
    this.#cancelTimer?.();
    const { log, output } = this.#options;
    const lost = this.#waiting.length + this.#unwritten + this.#dropped;
    if (lost > 0) log.error({ count: lost }, "audit records could not be written before the end");
    // A write that does not come back must not hold the end up.
    void (this.#running ?? Promise.resolve()).then(() => output.close());
    return Promise.resolve();
  }

  #writeSoon(): void {
    if (this.#cancelTimer !== undefined || this.#running !== undefined || this.#closed.signal.aborted) return;
    this.#cancelTimer = this.#options.clock.after(BATCH_MS, () => void this.#write());
  }

  /** Never rejects; one at a time. */
  #write(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = undefined;
      if (this.#waiting.length > 0) this.#writeSoon();
    });
    return this.#running;
  }

  async #writeAll(): Promise<void> {
    const { output, count } = this.#options;
    const { signal } = this.#closed;
    while (this.#waiting.length > 0 && !signal.aborted) {
      const records = this.#waiting.splice(0, BATCH_RECORDS);
      const lines = Buffer.from(linesOf(records, { dropped: this.#dropped, isMarked: output.isShared }), "latin1");
      this.#dropped = 0;
      this.#unwritten = records.length;
      await this.#writeBatch(lines);
      if (signal.aborted) return;
      this.#unwritten = 0;
      count("written", records.length);
    }
  }

  /** Again and again until it is written. */
  async #writeBatch(lines: Buffer): Promise<void> {
    const { output, clock, log } = this.#options;
    const { signal } = this.#closed;
    for (let hasFailed = false; !signal.aborted; hasFailed = true) {
      try {
        await output.write(lines, signal);
        if (hasFailed) log.info({ waiting: this.#waiting.length }, "audit records are written again");
        return;
      } catch (error) {
        if (!hasFailed) log.error({ error }, "audit records cannot be written; they wait, and are dropped when too many do");
        await sleep(clock, RETRY_MS, signal);
      }
    }
  }
}
