import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { runGit } from "./git-command.ts";
import { GitRepository } from "./git-repository.ts";

const NO_COMMIT = "0".repeat(40);
const LIMIT_MS = 10_000;

/** One file that a user commits over the API. */
export interface CommittedFile {
  readonly branch: string;
  /** Where a new branch begins; `undefined`: the branch is there. */
  readonly startBranch: string | undefined;
  readonly path: string;
  readonly content: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly username: string };
  /** The commit that changed the file last, as the user has read it; `undefined`: not compared. */
  readonly lastCommitId: string | undefined;
  /** There is to be no such file yet. */
  readonly isNew: boolean;
}

/** The new commit, or why there is none. */
export type CommittedResult = { readonly sha: string } | { readonly refused: "no-branch" | "changed" | "exists" };

/** The commit that changed a path last, on the default branch; `undefined` where there is none. */
export async function lastCommitOf(gitRoot: string, fullPath: string, path: string): Promise<string | undefined> {
  const repository = GitRepository.find(gitRoot, `${fullPath}.git`);
  return repository && lastChange(repository, "HEAD", path);
}

/** Commits one file into a bare repository. The branch moves only if it is where it was read. @throws GitError */
export async function commitFile(gitRoot: string, fullPath: string, file: CommittedFile): Promise<CommittedResult> {
  const repository = GitRepository.find(gitRoot, `${fullPath}.git`);
  if (repository === undefined) return { refused: "no-branch" };
  const { branch, startBranch, path, content, message, author, lastCommitId, isNew } = file;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const parent = await repository.commitOf(`refs/heads/${startBranch ?? branch}`, signal);
  if (parent === undefined) return { refused: "no-branch" };
  const changed = await lastChange(repository, parent, path);
  if (lastCommitId !== undefined && lastCommitId !== changed) return { refused: "changed" };
  if (isNew && (await repository.entryAt(parent, path, signal)) !== undefined) return { refused: "exists" };
  const { dir } = repository;
  const identity = { name: author.name, email: `${author.username}@example.test` };
  const env = {
    GIT_INDEX_FILE: join(dir, `index-${randomBytes(6).toString("hex")}`),
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
  const git = async (argv: readonly string[], input?: string): Promise<string> =>
    (await runGit(argv, { dir, env, signal, ...(input === undefined ? {} : { input }) })).toString("utf8").trim();
  const blob = await git(["hash-object", "-w", "--stdin"], content);
  await git(["read-tree", parent]);
  await git(["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`]);
  const tree = await git(["write-tree"]);
  const sha = await git(["commit-tree", tree, "-p", parent, "-F", "-"], message);
  await git(["update-ref", `refs/heads/${branch}`, sha, startBranch === undefined ? parent : NO_COMMIT]);
  return { sha };
}

async function lastChange({ dir }: GitRepository, revision: string, path: string): Promise<string | undefined> {
  const printed = await runGit(["log", "-1", "--format=%H", revision, "--", path], { dir, signal: AbortSignal.timeout(LIMIT_MS) });
  const sha = printed.toString("utf8").trim();
  return sha === "" ? undefined : sha;
}
