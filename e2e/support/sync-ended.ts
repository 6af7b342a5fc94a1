import { expect } from "@playwright/test";

import { logLines } from "./log-lines.ts";
import type { Sandbox } from "./sandbox.ts";

/** agentk's last word about a commit, once there is one. @param options.program whose log it stands in, "agentk" */
export async function syncEnded(
  sandbox: Sandbox,
  commit: string,
  { program = "agentk", timeoutMs = 60_000 }: { readonly program?: string; readonly timeoutMs?: number } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const found = () => logLines(sandbox, program).find(({ msg, commit_id: id }) => msg === "sync ended" && id === commit);
  await expect.poll(found, { timeout: timeoutMs }).toBeDefined();
  return found() ?? {};
}
