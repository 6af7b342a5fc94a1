import { GitError, runGit } from "./git-command.ts";
import { GitRepository } from "./git-repository.ts";

/** A commit, as its page shows it. */
export interface ReadCommit {
  readonly sha: string;
  readonly title: string;
  readonly authorName: string;
}

/**
 * The commit of an id, whole or begun, in a bare repository.
 *
 * @param fullPath "group/app"
 * @returns `undefined` when there is no such commit, or no such repository
 */
export async function readCommit(gitRoot: string, fullPath: string, id: string): Promise<ReadCommit | undefined> {
  const repository = GitRepository.find(gitRoot, `${fullPath}.git`);
  if (repository === undefined || !/^[0-9a-f]{7,64}$/.test(id)) return undefined;
  try {
    const signal = AbortSignal.timeout(10_000);
    const printed = await runGit(["log", "-1", "--format=%H%x00%an%x00%s", `${id}^{commit}`, "--"], { dir: repository.dir, signal });
    const [sha = "", authorName = "", title = ""] = printed.toString("utf8").trimEnd().split("\0");
    return { sha, title, authorName };
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
