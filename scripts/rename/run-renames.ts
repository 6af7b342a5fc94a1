import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { readSourceTree } from "../check/source-tree.ts";
import { renamedMentions } from "./mentions.ts";
import { movedText, Moves } from "./move-paths.ts";
import { renameNames } from "./rename-names.ts";
import type { RenameList } from "./rename-list.ts";

const BIN = join(import.meta.dirname, "..", "..", "node_modules", ".bin");

/** What a run did. */
export interface Renamed {
  /** Files whose text differs, by their paths now. */
  readonly changed: readonly string[];
  /** What a person should look at, a line each: names that clash, mentions of old names that were not changed. */
  readonly left: readonly string[];
}

/**
 * Moves files with `git mv`, changes all paths to them, then changes names, in comments and documents too where nothing
 * else is called so; files that differ are formatted. A second run changes nothing.
 *
 * @param root folder of a git working tree
 * @throws Error when a path is there neither by its old nor by its new name, or a name is declared by neither
 */
export async function runRenames(root: string, { paths, names }: RenameList): Promise<Renamed> {
  const changed = new Set<string>();
  const write = (path: string, text: string): void => {
    writeFileSync(join(root, path), text);
    changed.add(path);
  };
  const open = Object.entries(paths).filter(([from, to]) => {
    if (existsSync(join(root, from))) return true;
    if (existsSync(join(root, to))) return false;
    throw new Error(`there is neither ${from} nor ${to}`);
  });
  if (open.length > 0) move(root, new Moves(Object.fromEntries(open)), write);
  const moves = new Moves(paths);
  const renames = names.map((name) => ({ ...name, file: moves.pathOf(name.file) }));
  const run = { root, tsc: join(BIN, "tsc"), tree: readSourceTree(root) };
  const renamed = await renameNames(run, renames);
  for (const [path, text] of renamed.texts) write(path, text);
  const mentions = renamedMentions(readSourceTree(root), { paths, names });
  for (const [path, text] of mentions.texts) write(path, text);
  if (changed.size > 0)
    execFileSync(join(BIN, "prettier"), ["--write", "--log-level", "warn", "--ignore-unknown", ...changed], { cwd: root });
  return { changed: [...changed].toSorted(), left: [...renamed.clashes, ...mentions.left] };
}

function move(root: string, moves: Moves, write: (path: string, text: string) => void): void {
  const tree = readSourceTree(root);
  const texts = [...tree.texts()].map(([path, text]) => ({
    path,
    before: text,
    after: movedText(path, text, { moves, has: (target) => tree.has(target) }),
  }));
  for (const path of tree.files()) {
    const to = moves.pathOf(path);
    if (to === path) continue;
    mkdirSync(dirname(join(root, to)), { recursive: true });
    execFileSync("git", ["mv", path, to], { cwd: root });
  }
  for (const { path, before, after } of texts) if (after !== before) write(moves.pathOf(path), after);
}
