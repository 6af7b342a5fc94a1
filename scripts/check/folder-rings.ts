import { relativeImports } from "./relative-imports.ts";
import type { SourceTree } from "./source-tree.ts";

/** Folders whose parts import each other in one direction. */
export const LAYERED = [
  "apps/agentk/src",
  "apps/kas/src",
  "apps/web/src/features",
  "apps/web/src/features/resource-graph",
  "apps/web/src/server",
  "packages/environment-view/src",
];

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
    if (from === undefined) continue;
    for (const target of relativeImports(path, text)) {
      const to = folderOf(target, base);
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
