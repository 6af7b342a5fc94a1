import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { Fault } from "@binnacle/rpc";

/** One of the shell scripts of this package with its variables. */
export interface ScriptOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Runs a script to its end and gives what it printed. Progress (stderr) goes to `log` line by line.
 *
 * @throws Fault `cluster_unavailable` with the script's last words, or the signal's reason
 */
export async function runScript(argv: readonly [string, ...string[]], options: ScriptOptions): Promise<string> {
  options.signal?.throwIfAborted();
  const child = spawn("bash", [...argv], {
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    options.log?.(line);
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Fault("cluster_unavailable", `the control plane did not start: ${lines.slice(-12).join("\n")}`);
  return printed.trim();
}
