import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import type { Sandbox } from "./sandbox.ts";

const run = promisify(execFile);
const FILE = ".gitlab/agents/demo/config.yaml";

/** Changes the agent's configuration as its owner does: clone, edit, commit, push. @returns the text before the change */
export async function pushConfiguration(sandbox: Sandbox, change: (text: string) => string): Promise<string> {
  let before = "";
  await push(sandbox, (clone) => {
    before = readFileSync(join(clone, FILE), "utf8");
    writeFileSync(join(clone, FILE), change(before));
  });
  return before;
}

/** Puts a file into the project's repository, in the place of the one that is there. @param file its path in the repository */
export function pushFile(sandbox: Sandbox, file: string, content: string): Promise<void> {
  return push(sandbox, (clone) => {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    writeFileSync(join(clone, file), content);
  });
}

/** @param edit what is done in a clone of the repository, whose directory it gets */
async function push(sandbox: Sandbox, edit: (clone: string) => void): Promise<void> {
  const clone = mkdtempSync(join(tmpdir(), "binnacle-clone-"));
  const git = (...args: string[]) => run("git", ["-C", clone, "-c", "user.name=Owner", "-c", "user.email=owner@example.com", ...args]);
  try {
    await run("git", ["clone", "--quiet", join(sandbox.endpoints.mainApplication.gitRoot, "group/app.git"), clone]);
    edit(clone);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Change what the project says of itself");
    await git("push", "--quiet", "origin", "HEAD");
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}
