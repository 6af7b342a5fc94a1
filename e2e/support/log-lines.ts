import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Sandbox } from "./sandbox.ts";

/** What a program of the sandbox has logged, a record per line. @param program "agentk", "kas-1", … */
export function logLines(sandbox: Sandbox, program: string): readonly Readonly<Record<string, unknown>>[] {
  const text = readFileSync(join(sandbox.endpoints.logDir, `${program}.log`), "utf8");
  // The last line may be half written; others may not be ours.
  return text.split("\n").flatMap((line) => {
    try {
      // Our loggers write one object a line.
      return line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });
}
