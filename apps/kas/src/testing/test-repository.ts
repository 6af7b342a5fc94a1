import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Runs git without the machine's configuration. @throws when it fails */
export function git(dir: string, ...argv: readonly string[]): Buffer {
  return execFileSync("git", [...argv], {
    cwd: dir,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: dir, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
}

/** A real bare repository below a root, and a working tree to push to it from. */
export class TestRepository {
  readonly root = mkdtempSync(join(tmpdir(), "kas-git-"));
  readonly relativePath = "group/app.git";
  readonly #work = join(this.root, "work");

  constructor() {
    const bare = join(this.root, this.relativePath);
    mkdirSync(bare, { recursive: true });
    mkdirSync(this.#work);
    git(bare, "init", "-q", "--bare", "-b", "main");
    git(this.#work, "init", "-q", "-b", "main");
    git(this.#work, "remote", "add", "origin", bare);
  }

  /** Commits files by path and pushes them; null removes one. @returns the commit */
  push(files: Readonly<Record<string, string | null>>, branch = "main"): string {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.#work, path);
      mkdirSync(dirname(file), { recursive: true });
      if (content === null) rmSync(file);
      else writeFileSync(file, content);
    }
    git(this.#work, "add", "-A");
    return this.#publish(branch);
  }

  /** Commits so many times without a change, and pushes once. @returns the newest commit */
  pushEmpty(count: number): string {
    for (let made = 1; made < count; made += 1) this.#commit();
    return this.#publish("main");
  }

  /** The same for a file of the root whose name is any bytes. */
  pushNamed(name: Uint8Array, content: string): string {
    writeFileSync(Buffer.concat([Buffer.from(`${this.#work}/`), name]), content);
    git(this.#work, "add", "-A");
    return this.#publish("main");
  }

  /** The same for a symbolic link. */
  pushLink(path: string, target: string): string {
    symlinkSync(target, join(this.#work, path));
    git(this.#work, "add", "-A");
    return this.#publish("main");
  }

  /** The same for a submodule, which points at the newest commit here. */
  pushSubmodule(path: string): string {
    const commit = git(this.#work, "rev-parse", "HEAD").toString().trim();
    git(this.#work, "update-index", "--add", "--cacheinfo", `160000,${commit},${path}`);
    return this.#publish("main");
  }

  /** Removes the branch. */
  removeBranch(branch = "main"): void {
    git(join(this.root, this.relativePath), "update-ref", "-d", `refs/heads/${branch}`);
  }

  /** Loses every commit, as a storage does that was restored from an old backup. */
  forget(): void {
    const bare = join(this.root, this.relativePath);
    rmSync(join(bare, "objects"), { recursive: true });
    git(bare, "init", "-q", "--bare");
  }

  #publish(branch: string): string {
    this.#commit();
    git(this.#work, "push", "-q", "origin", `HEAD:refs/heads/${branch}`);
    return git(this.#work, "rev-parse", "HEAD").toString().trim();
  }

  #commit(): void {
    git(this.#work, "-c", "user.name=test", "-c", "user.email=test@example.test", "commit", "-q", "--allow-empty", "-m", "change");
  }

  /** Makes the branch point at an older commit, as a forced push does. */
  reset(commit: string, branch = "main"): void {
    git(this.#work, "push", "-q", "--force", "origin", `${commit}:refs/heads/${branch}`);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
