import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";

import { expect } from "@playwright/test";

import type { Command } from "../support/endpoints.ts";
import { signalProcess } from "../support/process-control.ts";

/** A process of a sandbox that a test kills and starts again. The sandbox must leave it dead (`--restart never`). */
export class Program {
  readonly #logFile: string;
  #command: Command;
  #pid: number | undefined;

  /** @param pid of the process that the sandbox has started; `logFile`: what it prints is appended there */
  constructor(command: Command, { pid, logFile }: { readonly pid: number | undefined; readonly logFile: string }) {
    this.#command = command;
    this.#pid = pid;
    this.#logFile = logFile;
  }

  /** SIGKILL. @returns when it is gone */
  async kill(): Promise<void> {
    const pid = this.#pid;
    signalProcess(pid, "SIGKILL");
    this.#pid = undefined;
    await expect.poll(() => isRunning(pid ?? 0), { intervals: [20] }).toBe(false);
  }

  /** Starts it, from now on with other flags where some are given. @returns when it says that it is ready */
  async start(flags: Readonly<Record<string, string>> = {}): Promise<void> {
    const argv = this.#command.argv.map((each, at, all) => flags[all[at - 1] ?? ""] ?? each);
    this.#command = { ...this.#command, argv };
    const readyFile = this.flag("--ready-file");
    rmSync(readyFile, { force: true });
    const [program = "", ...args] = argv;
    const log = openSync(this.#logFile, "a");
    const { cwd, env } = this.#command;
    this.#pid = spawn(program, args, { cwd, env: { ...process.env, NODE_OPTIONS: "", ...env }, stdio: ["ignore", log, log] }).pid;
    closeSync(log);
    await expect.poll(() => existsSync(readyFile), { intervals: [50] }).toBe(true);
  }

  /** The value of a flag that it is started with. */
  flag(name: string): string {
    const { argv } = this.#command;
    return argv[argv.indexOf(name) + 1] ?? "";
  }

  /** It does nothing until `thaw`, and nothing of it ends. */
  freeze(): void {
    signalProcess(this.#pid, "SIGSTOP");
  }

  thaw(): void {
    signalProcess(this.#pid, "SIGCONT");
  }

  /** SIGKILL where it runs: a frozen process takes nothing else. */
  end(): void {
    if (this.#pid !== undefined && isRunning(this.#pid)) signalProcess(this.#pid, "SIGKILL");
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
