import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A clone of a repository that is deployed from, as an author of manifests has it. */
export class ManifestClone {
  readonly #dir: string;
  readonly #repository: string;

  private constructor(repository: string, dir: string) {
    this.#repository = repository;
    this.#dir = dir;
  }

  /** @param repository path of the bare repository */
  static async of(repository: string): Promise<ManifestClone> {
    const clone = new ManifestClone(repository, mkdtempSync(join(tmpdir(), "binnacle-manifests-")));
    await run("git", ["clone", "--quiet", repository, clone.#dir]);
    return clone;
  }

  /** Puts a file where it belongs; it is not visible before the push. */
  write(file: string, content: string): void {
    mkdirSync(dirname(join(this.#dir, file)), { recursive: true });
    writeFileSync(join(this.#dir, file), content);
  }

  /** Puts another text in the place of one in a file. @throws when the file does not have it */
  replace(file: string, text: string, other: string): void {
    const content = readFileSync(join(this.#dir, file), "utf8");
    if (!content.includes(text)) throw new Error(`${file} has no ${text}`);
    this.write(file, content.replace(text, other));
  }

  /** The line of a file that has a text, from 1; 0 when none has. */
  lineOf(file: string, text: string): number {
    const lines = readFileSync(join(this.#dir, file), "utf8").split("\n");
    return lines.findIndex((line) => line.includes(text)) + 1;
  }

  /** Takes a file or a directory away, "." for all. */
  async remove(path: string): Promise<void> {
    await this.#git("rm", "--quiet", "-r", path);
  }

  /** Brings back what a commit had. */
  async restore(commit: string): Promise<void> {
    await this.#git("checkout", commit, "--", ".");
  }

  /** Commits what has changed and pushes it to a branch. @returns the commit's id */
  async push(message: string, branch = "main"): Promise<string> {
    await this.#git("add", "--all");
    await this.#git("commit", "--quiet", "--message", message);
    await this.#git("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
    return this.head();
  }

  /** Id of the commit that the clone is at. */
  async head(): Promise<string> {
    return (await this.#git("rev-parse", "HEAD")).stdout.trim();
  }

  /** Deletes a branch; without `main` the repository is as empty as on its first day. */
  async deleteBranch(branch = "main"): Promise<void> {
    // Which a server that people share would refuse.
    await run("git", ["-C", this.#repository, "config", "receive.denyDeleteCurrent", "ignore"]);
    await this.#git("push", "--quiet", "origin", `:refs/heads/${branch}`);
  }

  dispose(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #git(...args: string[]) {
    return run("git", ["-C", this.#dir, "-c", "user.name=Owner", "-c", "user.email=owner@example.com", ...args]);
  }
}
