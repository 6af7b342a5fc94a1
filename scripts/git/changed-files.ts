import { spawnSync } from "node:child_process";

/** A commit that the working tree is compared with, and which one it is. */
export interface BaseCommit {
  readonly commit: string;
  /** For the print-out: `the merge base with origin/main 1234567890ab`. */
  readonly name: string;
}

function git(root: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : undefined;
}

/** The commit that a name stands for. Nothing: there is none, or no history at all. */
export function commitOf(root: string, name: string, title: string): BaseCommit | undefined {
  const commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`)?.trim();
  return commit === undefined ? undefined : { commit, name: `${title} ${commit.slice(0, 12)}` };
}

/** Where this branch left `origin/main`. Nothing: there is no such branch, or HEAD is in it. */
export function mergeBaseOf(root: string): BaseCommit | undefined {
  const commit = git(root, "merge-base", "HEAD", "origin/main")?.trim();
  if (commit === undefined || commit === commitOf(root, "HEAD", "")?.commit) return undefined;
  return commitOf(root, commit, "the merge base with origin/main");
}

/**
 * Files that differ from a commit: committed since, not committed yet, or not tracked.
 *
 * @returns paths relative to the root; deleted files are among them. Nothing: git cannot compare
 */
export function changedSince(root: string, { commit }: BaseCommit): readonly string[] | undefined {
  const changed = git(root, "diff", "--name-only", "--no-renames", "-z", commit, "--");
  const untracked = git(root, "ls-files", "--others", "--exclude-standard", "-z");
  if (changed === undefined || untracked === undefined) return undefined;
  return [...new Set(`${changed}${untracked}`.split("\0").filter((path) => path !== ""))].sort();
}
