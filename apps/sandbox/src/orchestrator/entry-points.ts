import { join } from "node:path";
import { fileURLToPath } from "node:url";

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

/** A command that runs a source file with the very Node that runs the sandbox. */
export function nodeCommand(entryPoint: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  return { argv: [process.execPath, entryPoint, ...flags], env, cwd: REPOSITORY_ROOT };
}
