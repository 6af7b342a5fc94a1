import { statSync } from "node:fs";
import { join } from "node:path";

import { GitRepository } from "./git-repository.ts";

const MAX_FILES = 1_000;

interface HeadFile {
  readonly version: string;
  readonly content: Promise<Buffer | undefined>;
}

/** Files on the default branches of repositories. Each is read from Git once as long as no branch moves, because thousands of pages request the same. */
export class HeadFiles {
  readonly #gitRoot: string;
  readonly #files = new Map<string, HeadFile>();

  /** @param gitRoot directory of the bare repositories */
  constructor(gitRoot: string) {
    this.#gitRoot = gitRoot;
  }

  /** @param fullPath "group/app" @returns `undefined` when there is no such file, or no such repository */
  async read(fullPath: string, path: string): Promise<Buffer | undefined> {
    const repository = GitRepository.find(this.#gitRoot, `${fullPath}.git`);
    if (repository === undefined) return undefined;
    const key = `${fullPath}\0${path}`;
    const version = ["HEAD", "packed-refs", "refs/heads/main"].map((name) => changedAt(join(repository.dir, name))).join(" ");
    const known = this.#files.get(key);
    if (known?.version === version) return known.content;
    if (this.#files.size >= MAX_FILES) this.#files.clear();
    const content = repository.fileAt("HEAD", path, AbortSignal.timeout(10_000));
    this.#files.set(key, { version, content });
    content.catch(() => this.#files.delete(key));
    return content;
  }
}

function changedAt(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "" : `${stat.mtimeNs}-${stat.ino}`;
}
