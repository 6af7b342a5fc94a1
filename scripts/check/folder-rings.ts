import type { SourceTree } from "./source-tree.ts";

const SOURCE = /\.(?:ts|tsx)$/;
const IMPORT = /\bfrom "(\.{1,2}\/[^"]+)"|\bimport\("(\.{1,2}\/[^"]+)"\)|new URL\("(\.{1,2}\/[^"]+)", import\.meta\.url\)/g;

/**
 * Folders directly under `base` whose files import each other in a ring: imports go in one direction, so that a folder can be understood with
 * those below it alone. Tests count like sources.
 *
 * @returns a line for each pair that imports in both directions, directly or over others
 */
export function folderRings(tree: SourceTree, base: string): string[] {
  const arrows = new Map<string, Map<string, string>>();
  for (const [path, text] of tree.texts()) {
    const from = folderOf(path, base);
    if (from === undefined || !SOURCE.test(path)) continue;
    for (const match of text.matchAll(IMPORT)) {
      const to = folderOf(resolve(path, match[1] ?? match[2] ?? match[3] ?? ""), base);
      if (to === undefined || to === from) continue;
      const seen = arrows.get(from) ?? new Map<string, string>();
      arrows.set(from, seen.set(to, seen.get(to) ?? path));
    }
  }
  const problems: string[] = [];
  for (const [from, targets] of arrows)
    for (const [to, path] of targets)
      if (reaches(arrows, to, from)) problems.push(`${path}: ${base}/${from} imports ${to}, which leads back to ${from}`);
  return problems.toSorted();
}

function folderOf(path: string, base: string): string | undefined {
  if (!path.startsWith(`${base}/`)) return undefined;
  const [folder, file] = path.slice(base.length + 1).split("/");
  return file === undefined ? undefined : folder;
}

function resolve(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function reaches(arrows: ReadonlyMap<string, ReadonlyMap<string, string>>, from: string, target: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (folder === target) return true;
    if (seen.has(folder)) continue;
    seen.add(folder);
    open.push(...(arrows.get(folder)?.keys() ?? []));
  }
  return false;
}
