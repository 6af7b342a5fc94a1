import { GitError, runGit } from "./git-command.ts";
import { GitRepository } from "./git-repository.ts";
import type { ReadCommit } from "./read-commit.ts";

const MAX_COMMITS = 1_000;

/** A commit between two others. */
export interface ComparedCommit extends ReadCommit {
  /** RFC 3339. */
  readonly committedAt: string;
}

/**
 * Commits that `to` has and `from` lacks, oldest first, at most 1,000 of them.
 *
 * @param fullPath "group/app"
 * @param range ids of commits, whole or begun
 * @returns `undefined` when one of them is not there
 */
export async function compareCommits(
  gitRoot: string,
  fullPath: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly ComparedCommit[] | undefined> {
  const repository = GitRepository.find(gitRoot, `${fullPath}.git`);
  if (repository === undefined || ![from, to].every((id) => /^[0-9a-f]{7,64}$/.test(id))) return undefined;
  const argv = [
    "log",
    "--reverse",
    `--max-count=${MAX_COMMITS}`,
    "--format=%H%x00%an%x00%s%x00%cI",
    `${from}^{commit}..${to}^{commit}`,
    "--",
  ];
  try {
    const printed = await runGit(argv, { dir: repository.dir, signal: AbortSignal.timeout(10_000) });
    const lines = printed.toString("utf8").split("\n").filter(Boolean);
    return lines.map((line) => {
      const [sha = "", authorName = "", title = "", committedAt = ""] = line.split("\0");
      return { sha, authorName, title, committedAt };
    });
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
