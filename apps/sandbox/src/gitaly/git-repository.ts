import { existsSync } from "node:fs";
import { join, sep } from "node:path";

import { GitError, runGit } from "./git-command.ts";

/** One line of `git ls-tree`. */
export interface TreeLine {
  readonly mode: number;
  readonly type: "blob" | "tree" | "commit";
  readonly oid: string;
  readonly path: string;
}

/** Reads one bare repository through the git program. */
export class GitRepository {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /**
   * The repository at a path below the root.
   *
   * @returns `undefined` when there is none, or the path leads outside
   */
  static find(root: string, relativePath: string): GitRepository | undefined {
    const dir = join(root, relativePath);
    if (!dir.startsWith(root + sep) || !existsSync(join(dir, "objects"))) return undefined;
    return new GitRepository(dir);
  }

  /** Object id of the commit a revision names; `undefined` when it names none. */
  async commitOf(revision: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const printed = await runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`], {
        dir: this.dir,
        signal,
      });
      return printed.toString("utf8").trim().split("\n").at(-1);
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  /** Author and message of a commit. */
  async messageOf(
    commit: string,
    signal: AbortSignal,
  ): Promise<{
    readonly subject: Buffer;
    readonly body: Buffer;
    readonly author: { readonly name: Buffer; readonly email: Buffer; readonly date: { readonly seconds: bigint } };
  }> {
    const printed = await runGit(["show", "--no-patch", "--format=%an%x00%ae%x00%at%x00%s%x00%B", commit], { dir: this.dir, signal });
    const [name = "", email = "", seconds = "0", subject = "", body = ""] = printed.toString("utf8").split("\0");
    const bytes = (text: string): Buffer => Buffer.from(text);
    return {
      subject: bytes(subject),
      body: bytes(body.trimEnd()),
      author: { name: bytes(name), email: bytes(email), date: { seconds: BigInt(seconds) } },
    };
  }

  /** Commits that are reachable from commits and not from those with a ^ in front, newest first. @param limit undefined: all */
  async commitsOf(
    walk: readonly string[],
    limit: number | undefined,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly subject: Buffer; readonly author: { readonly name: Buffer } }[]> {
    const count = limit === undefined ? [] : [`--max-count=${limit}`];
    const argv = ["log", "-z", "--topo-order", ...count, "--format=%H%x1f%an%x1f%s", "--end-of-options", ...walk];
    const printed = await runGit(argv, { dir: this.dir, signal });
    return printed
      .toString("utf8")
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => {
        const [id = "", name = "", subject = ""] = line.split("\x1f");
        return { id, subject: Buffer.from(subject), author: { name: Buffer.from(name) } };
      });
  }

  /** Object id of the root tree of a commit. */
  async rootTreeOf(commit: string, signal: AbortSignal): Promise<string> {
    return (await runGit(["rev-parse", "--verify", `${commit}^{tree}`], { dir: this.dir, signal })).toString("utf8").trim();
  }

  /** The entry at a path; `undefined` when it is missing. */
  async entryAt(commit: string, path: string, signal: AbortSignal): Promise<TreeLine | undefined> {
    return parseTree(await runGit(["ls-tree", "-z", commit, "--", path], { dir: this.dir, signal }))[0];
  }

  /** The entries at paths, by path; a path that is missing has none. */
  async entriesAt(commit: string, paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, TreeLine>> {
    const lines = parseTree(await runGit(["ls-tree", "-z", commit, "--", ...paths], { dir: this.dir, signal }));
    return new Map(lines.map((line) => [line.path, line]));
  }

  /** The entries below a directory, with their full paths; `path` "" is the root. */
  async entriesBelow(
    commit: string,
    { path, recursive }: { readonly path: string; readonly recursive: boolean },
    signal: AbortSignal,
  ): Promise<readonly TreeLine[]> {
    const flags = recursive ? ["-r", "-t"] : [];
    const lines = parseTree(
      await runGit(["ls-tree", "-z", "--full-tree", ...flags, commit, ...(path === "" ? [] : ["--", `${path}/`])], {
        dir: this.dir,
        signal,
      }),
    );
    return lines.filter((line) => path === "" || line.path.startsWith(`${path}/`));
  }

  /** Size of an object in bytes. */
  async sizeOf(oid: string, signal: AbortSignal): Promise<number> {
    return Number((await runGit(["cat-file", "-s", oid], { dir: this.dir, signal })).toString("utf8"));
  }

  /** Content of a file. */
  async blob(oid: string, signal: AbortSignal): Promise<Buffer> {
    return runGit(["cat-file", "blob", oid], { dir: this.dir, signal });
  }

  /** Contents of files that are there, in their order. Git is started once for all of them. */
  async *blobs(oids: readonly string[], signal: AbortSignal): AsyncGenerator<Buffer, void> {
    const input = oids.map((oid) => `${oid}\n`).join("");
    const printed = await runGit(["cat-file", "--batch"], { dir: this.dir, input, signal });
    // "<object id> <type> <size>", a line break, the content, a line break.
    for (let at = 0; at < printed.length;) {
      const start = printed.indexOf("\n", at) + 1;
      const size = Number(printed.toString("utf8", at, start).trim().split(" ")[2]);
      yield printed.subarray(start, start + size);
      at = start + size + 1;
    }
  }

  /** Content of a file as a commit or branch has it; `undefined` when there is none. @param ref no option of git's: not from outside as it is */
  async fileAt(ref: string, path: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      return await runGit(["cat-file", "blob", `${ref}:${path}`], { dir: this.dir, signal });
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  /** The refs as `git upload-pack` advertises them over smart HTTP, without the service line. */
  async advertisement(protocol: string, signal: AbortSignal): Promise<Buffer> {
    const env = /^[a-z0-9=:]+$/i.test(protocol) ? { GIT_PROTOCOL: protocol } : {};
    return runGit(["upload-pack", "--stateless-rpc", "--advertise-refs", this.dir], { dir: this.dir, env, signal });
  }
}

function parseTree(printed: Buffer): readonly TreeLine[] {
  return printed
    .toString("utf8")
    .split("\0")
    .flatMap((line): TreeLine[] => {
      const found = /^(\d+) (blob|tree|commit) ([0-9a-f]+)\t(.+)$/s.exec(line);
      const [, mode, type, oid, path] = found ?? [];
      if (mode === undefined || oid === undefined || path === undefined) return [];
      if (type !== "blob" && type !== "tree" && type !== "commit") return [];
      return [{ mode: Number.parseInt(mode, 8), type, oid, path }];
    });
}
