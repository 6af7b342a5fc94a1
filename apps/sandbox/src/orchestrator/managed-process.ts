import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";

import { Fault, sleep, systemClock } from "@binnacle/rpc";
import { withoutProxies } from "@binnacle/rpc/outgoing-proxy";

/** How a process is started; enough to start it again. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** One process of the sandbox. */
export interface ManagedProcessOptions {
  /** "kas-1" */
  readonly name: string;
  readonly command: Command;
  /** Its output is appended there. */
  readonly logFile: string;
  /** Written by the process once it serves. */
  readonly readyFile: string;
  /** Delay before it is started again after it died; `undefined`: never. */
  readonly restartMs: number | undefined;
  readonly say: (line: string) => void;
  /** Called after every start, and with `undefined` after every death. */
  readonly onChange: (pid: number | undefined) => void;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Keeps one process running. States: `idle` → `starting` → `running` ⇄ `waiting` (died, will be started again) → `stopped`.
 */
export class ManagedProcess {
  readonly name: string;
  readonly command: Command;
  readonly #options: ManagedProcessOptions;
  #child: ChildProcess | undefined;
  #stopped = false;
  #ready = false;
  #cancelRestart: (() => void) | undefined;

  constructor(options: ManagedProcessOptions) {
    this.name = options.name;
    this.command = options.command;
    this.#options = options;
  }

  /** Process id; `undefined` while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts it and waits for its ready file. Only from then on it is started again when it dies.
   *
   * @throws Fault `internal` with the last lines of its log when it ends before, or takes longer than a minute
   */
  async start(signal: AbortSignal): Promise<void> {
    const { readyFile } = this.#options;
    rmSync(readyFile, { force: true });
    this.#spawn();
    const deadline = systemClock.now() + READY_TIMEOUT_MS;
    while (!existsSync(readyFile)) {
      signal.throwIfAborted();
      if (this.#child === undefined) throw this.#failure("ended before it was ready");
      if (systemClock.now() > deadline) throw this.#failure("was not ready in time");
      await sleep(systemClock, 50, signal);
    }
    this.#ready = true;
  }

  /** Ends it: SIGTERM, and SIGKILL after ten seconds. It is not started again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRestart?.();
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
    });
    child.kill("SIGTERM");
    const cancel = systemClock.after(STOP_TIMEOUT_MS, () => {
      this.#options.say(`${this.name} did not end by itself, killing it`);
      child.kill("SIGKILL");
    });
    // A stopped process gets SIGTERM only when it goes on.
    child.kill("SIGCONT");
    await ended;
    cancel();
  }

  #spawn(): void {
    const { command, logFile } = this.#options;
    const [program, ...argv] = command.argv;
    const log = openSync(logFile, "a");
    // Its own process group: Ctrl-C reaches the sandbox alone, which stops everything in order.
    const child = spawn(program, argv, {
      cwd: command.cwd,
      // Everything is on this machine, which no proxy knows.
      env: { ...withoutProxies(process.env), ...command.env },
      stdio: ["ignore", log, log],
      detached: true,
    });
    closeSync(log);
    this.#child = child;
    child.once("error", () => this.#ended(child, "could not be started"));
    child.once("exit", (code, signal) => this.#ended(child, signal === null ? `ended with code ${code}` : `was ended by ${signal}`));
    this.#options.onChange(this.pid);
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#options.onChange(this.pid);
    if (this.#stopped || !this.#ready) return;
    const { restartMs, say } = this.#options;
    say(`${this.name} ${how}${restartMs === undefined ? "" : `; it is started again in ${restartMs / 1000} s`}`);
    if (restartMs === undefined) return;
    this.#cancelRestart = systemClock.after(restartMs, () => {
      if (!this.#stopped) this.#spawn();
    });
  }

  #failure(what: string): Fault {
    const { logFile } = this.#options;
    const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-15).join("\n");
    return new Fault("internal", `${this.name} ${what} (${basename(logFile)}):\n${tail}`);
  }
}
