import { spawn } from "node:child_process";

import type { TestResult } from "./report.ts";

/** Arguments of Node for one child process, and what it finds in its environment besides ours. */
export interface Command {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** One child process of the test run. Without a report only its exit code counts. */
export interface Step extends Command {
  readonly title: string;
  readonly report?: string;
  /** Title of a step that must have ended before; one that does not run is not waited for. */
  readonly after?: string;
  /** How a test that failed is run once more; without it that never happens. */
  readonly secondRun?: SecondRun;
}

/** A second run of failed tests: each test by itself, or the whole file, where later tests build on earlier ones. */
interface SecondRun {
  readonly scope: "test" | "file";
  /** @param report where the second run writes its report */
  readonly command: (test: TestResult, report: string) => Command;
}

/** Where and with what child processes are started. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** File descriptor that gets the output; without one it is printed as it comes. */
  readonly log?: number;
}

/** Of a process that could not start or that a signal ended. */
const DIED = 128;

/** Runs a command to its end. @returns its exit code; 128 when it could not start or a signal ended it */
export function runCommand({ command, env }: Command, { cwd, environment, log }: ProcessOptions): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...command], {
      cwd,
      stdio: log === undefined ? ["ignore", "inherit", "inherit"] : ["ignore", log, log],
      env: { ...environment, ...env },
    });
    child.on("exit", (code) => resolve(code ?? DIED));
    child.on("error", () => resolve(DIED));
  });
}
