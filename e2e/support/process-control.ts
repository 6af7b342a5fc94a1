import { spawn, type ChildProcess } from "node:child_process";

import type { Command } from "./endpoints.ts";

/** Starts a process of the sandbox again, as `endpoints.json` says; end it with the returned function. */
export function startCommand(command: Command): { readonly child: ChildProcess; readonly stop: () => void } {
  const [program, ...args] = command.argv;
  if (program === undefined) throw new Error("the command has no program");
  const child = spawn(program, args, { cwd: command.cwd, env: { ...process.env, ...command.env }, stdio: "ignore" });
  return { child, stop: () => void child.kill("SIGTERM") };
}
