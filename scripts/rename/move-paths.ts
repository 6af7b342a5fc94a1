/** What files and folders are called now; a file is known by its path from the root. */
export class Moves {
  readonly #moves: readonly (readonly [string, string])[];

  /** @param paths new path by old path, of files and of folders */
  constructor(paths: Readonly<Record<string, string>>) {
    this.#moves = Object.entries(paths).toSorted(([left], [right]) => right.length - left.length);
  }

  /** Where a file or folder is after the moves; the same path when it stays. */
  pathOf(path: string): string {
    for (const [from, to] of this.#moves) {
      if (path === from) return to;
      if (path.startsWith(`${from}/`)) return `${to}${path.slice(from.length)}`;
    }
    return path;
  }
}

/** Paths that stand in a text, in quotes, in Markdown or in a sentence; each part of a path may be a word, dots or a pattern. */
const PATH = /(?<![\w@./-])(?:\.{0,2}\/)?(?:[\w.{},*<>@[\]-]+\/)*[\w.{},*<>@[\]-]*\w/g;

/**
 * A text after the moves: relative paths lead to where their files are now, from where this file is now; so do paths from the root, from the
 * package of the file, and from a package that the text of a README or of the map is about.
 *
 * @param path of the file that has the text, before the moves
 * @param has whether there is such a file or folder, before the moves
 */
export function movedText(
  path: string,
  text: string,
  { moves, has }: { readonly moves: Moves; readonly has: (path: string) => boolean },
): string {
  const folder = folderOf(path);
  const newFolder = folderOf(moves.pathOf(path));
  const bases = basesOf(path);
  return text.replaceAll(PATH, (written) => {
    if (written.startsWith("./") || written.startsWith("../")) {
      const target = join(folder, written);
      const to = moves.pathOf(target);
      return !has(target) || (to === target && newFolder === folder) ? written : relative(newFolder, to);
    }
    if (!/[./]/.test(written)) return written;
    for (const base of bases) {
      const target = base === "" ? written : `${base}/${written}`;
      const to = moves.pathOf(target);
      const newBase = base === "" ? "" : `${moves.pathOf(base)}/`;
      if (has(target)) return to !== target && to.startsWith(newBase) ? to.slice(newBase.length) : written;
    }
    return written;
  });
}

/** Folders that a path without dots may begin at, in a file. */
function basesOf(path: string): readonly string[] {
  const folder = folderOf(path);
  const [kind = "", name = ""] = path.split("/");
  const special = path.startsWith("e2e/support/one-cluster") ? ["e2e/tests"] : [];
  const subject = folder.endsWith("/faults") ? [folder.slice(0, -"/faults".length)] : [];
  return [...subject, "", `${kind}/${name}`, folder, ...special];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A path with its dots resolved. */
function join(folder: string, path: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The path from a folder, beginning with dots. */
function relative(folder: string, path: string): string {
  const [from, to] = [folder === "" ? [] : folder.split("/"), path.split("/")];
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  const up = "../".repeat(from.length - shared);
  return `${up === "" ? "./" : up}${to.slice(shared).join("/")}`;
}
