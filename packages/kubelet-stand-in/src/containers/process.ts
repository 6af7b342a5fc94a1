import { posix } from "node:path";

import { sleep, type Clock } from "@binnacle/rpc";

import { NO_INPUT, NO_OUTPUT, type ByteSink, type ByteSource } from "../streams/byte-streams.ts";
import { FileError, type FileSystem } from "./file-system.ts";
import type { Terminal } from "./terminal.ts";

/** What all processes of a container share. */
export interface Machine {
  readonly hostname: string;
  readonly files: FileSystem;
  readonly clock: Clock;
}

/** One simulated process. */
export interface Process {
  readonly machine: Machine;
  /** Name it was started by, then its arguments. */
  readonly args: readonly string[];
  readonly env: Map<string, string>;
  readonly cwd: string;
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly terminal: Terminal | undefined;
  /** Aborts when the process is interrupted or its caller is gone. */
  readonly signal: AbortSignal;
  /** Starts a program of the image by name or path, as `execvp` does. Resolves to its exit code. */
  run(args: readonly string[], changes?: ProcessChanges): Promise<number>;
}

/** What a started process has instead of its parent's. */
export type ProcessChanges = Partial<Pick<Process, "env" | "cwd" | "stdin" | "stdout" | "stderr" | "signal">>;

/** Runs to an exit code. A thrown `UsageError` or `FileError` is printed and becomes 1. */
export type Program = (process: Process) => Promise<number>;

/** Arguments that a program does not take. */
export class UsageError extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.name = "UsageError";
    this.code = code;
  }
}

/** Exit code of a process that SIGINT ended. */
export const INTERRUPTED = 130;

/** The absolute path of an argument. */
export function pathOf(process: Pick<Process, "cwd">, argument: string): string {
  return posix.resolve(process.cwd, argument);
}

const ZEROS = Buffer.alloc(64 * 1024);

/** Opens a path for reading; devices of `/dev` are simulated. @throws FileError */
export function openForReading(process: Process, argument: string): ByteSource {
  const path = pathOf(process, argument);
  if (path === "/dev/null") return NO_INPUT;
  if (path === "/dev/stdin") return process.stdin;
  // A turn of the event loop between chunks keeps an endless device from blocking everything else.
  if (path === "/dev/zero" || path === "/dev/urandom") return { read: () => turn(ZEROS) };
  const file = process.machine.files.file(path);
  const chunks = [...file.chunks];
  let next = 0;
  return {
    read() {
      const chunk = chunks[next];
      next += 1;
      return turn(chunk);
    },
  };
}

function turn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(() => resolve(value)));
}

/** Opens a path for writing. @throws FileError */
export function openForWriting(process: Process, argument: string, append = false): ByteSink {
  const path = pathOf(process, argument);
  if (path === "/dev/null") return NO_OUTPUT;
  if (path === "/dev/stdout" || path === "/dev/tty") return process.stdout;
  if (path === "/dev/stderr") return process.stderr;
  const { files } = process.machine;
  const file = files.open(path, { append });
  return {
    write(chunk) {
      // The caller may use its memory again.
      files.append(file, Buffer.from(chunk));
      return Promise.resolve();
    },
  };
}

/** Copies until the end of the source or the signal. */
export async function copy(source: ByteSource, sink: ByteSink, signal: AbortSignal): Promise<void> {
  for (let chunk = await source.read(); chunk !== undefined && !signal.aborted; chunk = await source.read()) await sink.write(chunk);
}

/** Waits on the machine's clock; false when interrupted. */
export async function pause(process: Process, ms: number): Promise<boolean> {
  await sleep(process.machine.clock, ms, process.signal);
  return !process.signal.aborted;
}

/** Calls a program and turns what it throws into the exit code and message a real one would give. */
export async function runProgram(program: Program, process: Process): Promise<number> {
  try {
    const code = await program(process);
    return process.signal.aborted ? INTERRUPTED : code;
  } catch (error) {
    if (process.signal.aborted) return INTERRUPTED;
    // SIGPIPE ends a program without a word.
    if (!(error instanceof FileError) && !(error instanceof UsageError)) return 141;
    await process.stderr.write(`${process.args[0] ?? ""}: ${error.message}\n`).catch(() => undefined);
    return error instanceof UsageError ? error.code : 1;
  }
}
