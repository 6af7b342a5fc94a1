import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

import { Fault, sleep, systemClock, type FaultReason } from "@binnacle/rpc";

const START_MS = 30_000;

/** A program of this machine that serves the sandbox. */
export interface StartedProgram {
  readonly pid: number | undefined;
  /** SIGTERM, and it has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program and waits until it serves.
 *
 * @throws Fault of the reason `failure` that names the log when it ends before, or takes longer than 30 s
 */
export async function startProgram(
  [program, ...argv]: readonly [string, ...string[]],
  options: {
    /** Its output is appended there. */
    readonly logFile: string;
    readonly isReady: () => Promise<boolean>;
    readonly failure: FaultReason;
    readonly signal: AbortSignal;
  },
): Promise<StartedProgram> {
  const { logFile, isReady, failure, signal } = options;
  const log = openSync(logFile, "a");
  const child = spawn(program, argv, { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  const deadline = systemClock.now() + START_MS;
  while (!(await isReady())) {
    if (signal.aborted || child.exitCode !== null || systemClock.now() > deadline) {
      await stop();
      throw new Fault(failure, `${program} did not start, see ${logFile}`);
    }
    await sleep(systemClock, 50, signal);
  }
  return { pid: child.pid, stop };
}
