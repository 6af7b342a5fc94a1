import { readdirSync, readFileSync } from "node:fs";
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

/** Stops a process and all that it has started, as a machine that sleeps does. @returns wakes them */
export function haltProcesses(root: number): () => void {
  const all = [root];
  for (const pid of all) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
      all.push(...children.split(" ").filter(Boolean).map(Number));
    }
  }
  for (const pid of all) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of all) process.kill(pid, "SIGCONT");
  };
}
