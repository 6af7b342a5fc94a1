import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Sandbox } from "./sandbox.ts";

const run = promisify(execFile);
const FILE = ".gitlab/agents/demo/config.yaml";

/** Changes the agent's configuration as its owner does: clone, edit, commit, push. @returns the text before the change */
export async function pushConfiguration(sandbox: Sandbox, change: (text: string) => string): Promise<string> {
  const clone = mkdtempSync(join(tmpdir(), "binnacle-clone-"));
  const git = (...args: string[]) => run("git", ["-C", clone, "-c", "user.name=Owner", "-c", "user.email=owner@example.com", ...args]);
  try {
    await run("git", ["clone", "--quiet", join(sandbox.endpoints.mainApplication.gitRoot, "group/app.git"), clone]);
    const before = readFileSync(join(clone, FILE), "utf8");
    writeFileSync(join(clone, FILE), change(before));
    await git("commit", "--quiet", "--all", "--message", "Change the agent's configuration");
    await git("push", "--quiet", "origin", "HEAD");
    return before;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}
