import { existsSync, readdirSync, readFileSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";

import type { Command } from "./endpoints.ts";

/** A process, and how to end it. */
export interface Started {
  readonly child: ChildProcess;
  /** SIGTERM. */
  readonly stop: () => void;
}

/** Starts a process of the sandbox again, as `endpoints.json` says; end it with the returned function. */
export function startCommand(command: Command): Started {
  const [program, ...args] = command.argv;
  if (program === undefined) throw new Error("the command has no program");
  const child = spawn(program, args, { cwd: command.cwd, env: { ...process.env, ...command.env }, stdio: "ignore" });
  return { child, stop: () => void child.kill("SIGTERM") };
}

/** Sends a signal to one process. @throws without a pid: to the system 0 is this process and all of its group */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || pid <= 0) throw new Error(`there is no process for ${signal}`);
  process.kill(pid, signal);
}

/** Processes that a process has started and that have not ended; none when it has ended itself. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    // It, or one of its threads, has ended between two reads.
    return existsSync(`/proc/${pid}`) ? childrenOf(pid) : [];
  }
}

/** Stops a process and all that it has started, as a machine that sleeps does. @returns wakes them. @throws when there is no such process */
export function haltProcesses(root: number): () => void {
  const all = [root];
  for (const pid of all) all.push(...childrenOf(pid));
  for (const pid of all) signalProcess(pid, "SIGSTOP");
  return () => {
    for (const pid of all) signalProcess(pid, "SIGCONT");
  };
}
