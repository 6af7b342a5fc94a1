import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { runGit } from "../gitaly/git-command.ts";
import { installPushHook } from "../gitaly/push-hook.ts";

const IDENTITY = ["-c", "user.name=Sandbox", "-c", "user.email=sandbox@example.test"];

/** A bare repository to make. */
export interface DemoRepository {
  /** Directory of all repositories. */
  readonly gitRoot: string;
  /** "group/app" */
  readonly fullPath: string;
  /** Files that replace those of the folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folder whose files are copied first, and what of it the first of two commits has. */
  readonly from?: { readonly dir: string; readonly first: readonly string[] };
}

/** Makes the bare repository with a commit on `main`, that of a folder with two; an old one is replaced. */
export async function createDemoRepository(repository: DemoRepository): Promise<string> {
  const bare = join(repository.gitRoot, `${repository.fullPath}.git`);
  const work = `${bare}.work`;
  for (const dir of [bare, work]) rmSync(dir, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const { from } = repository;
  if (from) cpSync(from.dir, work, { recursive: true });
  for (const [path, content] of Object.entries(repository.files ?? {})) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  await runGit(["init", "-q", "-b", "main"], { dir: work });
  if (from) await commit(work, "Describe what is deployed and who may use the agent", from.first);
  await commit(work, "Describe the environments and who may use the agent");
  await runGit(["clone", "-q", "--bare", "--no-hardlinks", work, bare], { dir: repository.gitRoot });
  await runGit(["remote", "remove", "origin"], { dir: bare });
  await installPushHook(bare);
  rmSync(work, { recursive: true, force: true });
  return bare;
}

async function commit(work: string, message: string, paths: readonly string[] = ["."]): Promise<void> {
  await runGit(["add", "-A", "--", ...paths], { dir: work });
  await runGit([...IDENTITY, "commit", "-q", "--allow-empty", "-m", message], { dir: work });
}
