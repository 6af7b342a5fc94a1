import { close, constants, fstat, fstatSync, open, openSync, stat, write, type Stats } from "node:fs";
import { promisify } from "node:util";

import { sleep, type Clock } from "@binnacle/rpc";

/** Where records go. */
export interface AuditOutput {
  /** Whether other lines go there too. */
  readonly isShared: boolean;
  /**
   * Settles when all of it is written. One that failed may be given the same lines again: what was written of them is not written twice.
   *
   * @param lines whole lines
   * @throws Error of the file system
   */
  write(lines: Buffer, signal: AbortSignal): Promise<void>;
  close(): void;
}

const writeSome = promisify(write);
const openFile = promisify(open);
const statOf = promisify(stat);
const statOfOpen = promisify(fstat);
/** A full pipe is tried again after this. */
const FULL_MS = 50;
const NEWLINE = 10;
const STDOUT = 1;
const MODE = 0o640;
/** Never blocking: a thread that waits for a pipe would keep the process from ending. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/** Records in a file, which is opened anew when it was renamed or removed. @throws Error of the file system */
export function auditFile(path: string, clock: Clock): AuditOutput {
  return new DescriptorOutput(openSync(path, FLAGS, MODE), clock, path);
}

/** Records on standard output. */
export function auditStdout(clock: Clock): AuditOutput {
  return new DescriptorOutput(ownStdout(), clock, undefined);
}

/** Standard output that never blocks where it is a pipe: a file description of our own, so that no other process's flags change. */
function ownStdout(): number {
  try {
    if (fstatSync(STDOUT).isFIFO()) return openSync(`/proc/self/fd/${STDOUT}`, O_WRONLY | O_NONBLOCK);
  } catch {
    // Not allowed, or another system: as it is then.
  }
  return STDOUT;
}

class DescriptorOutput implements AuditOutput {
  readonly isShared: boolean;
  readonly #clock: Clock;
  readonly #path: string | undefined;
  #descriptor: number;
  #own: Stats;
  #writing: Buffer | undefined;
  #written = 0;

  constructor(descriptor: number, clock: Clock, path: string | undefined) {
    this.#descriptor = descriptor;
    this.#own = fstatSync(descriptor);
    this.#clock = clock;
    this.#path = path;
    this.isShared = path === undefined;
  }

  async write(lines: Buffer, signal: AbortSignal): Promise<void> {
    if (this.#writing !== lines) {
      this.#writing = lines;
      this.#written = 0;
    }
    await this.#follow();
    while (this.#written < lines.length && !signal.aborted) {
      try {
        const { bytesWritten } = await writeSome(this.#descriptor, lines, this.#written);
        this.#written += bytesWritten;
      } catch (error) {
        if (!isFull(error)) throw error;
        await sleep(this.#clock, FULL_MS, signal);
      }
    }
  }

  close(): void {
    if (this.#descriptor !== STDOUT) close(this.#descriptor, () => undefined); // nothing is left to lose
  }

  /** Log rotation renames the file: the next lines belong into a new one, the one that was cut included. */
  async #follow(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    const there = await statOf(path).catch(() => undefined);
    if (there !== undefined && isSame(this.#own, there)) return;
    const descriptor = await openFile(path, FLAGS, MODE);
    close(this.#descriptor, () => undefined); // the old file keeps what it has
    this.#descriptor = descriptor;
    this.#own = await statOfOpen(descriptor);
    this.#written = this.#written === 0 ? 0 : (this.#writing?.lastIndexOf(NEWLINE, this.#written - 1) ?? -1) + 1;
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EBUSY");
}
