import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface PackageJson {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Folder → package.json of every package of the workspace. */
function readWorkspace(root: string): ReadonlyMap<string, PackageJson> {
  const files = globSync("{apps/*,packages/*,e2e}/package.json", { cwd: root });
  return new Map(files.map((file) => [dirname(file), JSON.parse(readFileSync(join(root, file), "utf8")) as PackageJson]));
}

/**
 * The folder of a package and those of all packages of the workspace that it runs with, directly or not. What only its tests use
 * (devDependencies) is not among them.
 *
 * @param folder relative to the root
 */
export function workspaceFolders(root: string, folder: string): readonly string[] {
  const workspace = readWorkspace(root);
  const folderOf = new Map([...workspace].map(([path, { name }]) => [name, path]));
  const folders = new Set([folder]);
  // The set grows while it is walked.
  for (const each of folders) {
    for (const name of Object.keys(workspace.get(each)?.dependencies ?? {})) {
      const dependency = folderOf.get(name);
      if (dependency !== undefined) folders.add(dependency);
    }
  }
  return [...folders];
}
