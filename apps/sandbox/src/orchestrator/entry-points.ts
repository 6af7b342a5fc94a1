import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { SERVER_NODE_ENV, SERVER_NODE_FLAGS, WEB_NODE_FLAGS } from "@binnacle/rpc";

import type { Command } from "./managed-process.ts";

/** Root of the repository. */
export const REPOSITORY_ROOT = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

/** The programs the sandbox starts. They are started, never imported. */
export const ENTRY_POINTS = {
  kas: join(REPOSITORY_ROOT, "apps/kas/src/main.ts"),
  agentk: join(REPOSITORY_ROOT, "apps/agentk/src/main.ts"),
  web: join(REPOSITORY_ROOT, "apps/web/src/main.ts"),
  cluster: join(REPOSITORY_ROOT, "apps/sandbox/src/cluster/embedded-main.ts"),
} as const;

/** What Node compiles stays here from one start to the next: programs start sooner and need no compiler in memory. */
const NODE_COMPILE_CACHE = join(REPOSITORY_ROOT, "node_modules/.cache/node-compile");

/** A command that runs a source file with the very Node that runs the sandbox. */
export function nodeCommand(entryPoint: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return commandOf([entryPoint, ...flags], env);
}

/** The same with the flags and the environment for Node under which kas and agentk run. */
export function serverCommand(entryPoint: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return commandOf([...SERVER_NODE_FLAGS, entryPoint, ...flags], { ...SERVER_NODE_ENV, ...env });
}

/** The same for the dashboard. */
export function webCommand(entryPoint: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return commandOf([...WEB_NODE_FLAGS, entryPoint, ...flags], { ...SERVER_NODE_ENV, ...env });
}

function commandOf(args: readonly string[], env: Readonly<Record<string, string>>): Command {
  return { argv: [process.execPath, ...args], env: { NODE_COMPILE_CACHE, ...env }, cwd: REPOSITORY_ROOT };
}
