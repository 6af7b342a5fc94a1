import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

import { compilePackage } from "./compile-package.ts";
import { publishedManifestOf } from "./published-manifest.ts";
import { publishablePackagesOf, type WorkspacePackage } from "./workspace-packages.ts";

const run = promisify(execFile);

/** A package as it is published. */
export interface PackedPackage {
  readonly name: string;
  /** The folder that was packed: what `npm publish` wants. */
  readonly directory: string;
  readonly tarball: string;
  /** Size of the tarball. */
  readonly bytes: number;
}

/**
 * Writes every package that is meant to be published as a folder, and as the tarball that npm makes of it. Nothing is published, and no
 * registry is queried.
 *
 * @param root of the repository
 * @param directory of folders and tarballs @throws when it holds something already, or a package does not compile
 */
export async function writePublishable(root: string, directory: string): Promise<readonly PackedPackage[]> {
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  const packages = publishablePackagesOf(root);
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  const folders: string[] = [];
  // One after the other: when one does not compile, nothing is left running that still writes.
  for (const each of packages) folders.push(await writeFolder({ root, each, versions, into: join(directory, nameOf(each)) }));
  await packFolders(folders, directory);
  return Promise.all(
    packages.map(async (each) => {
      const { name, version } = each.manifest;
      const tarball = join(directory, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
      return { name, directory: join(directory, nameOf(each)), tarball, bytes: (await stat(tarball)).size };
    }),
  );
}

/** Makes tarballs of folders that hold a `package.json`, with npm. No script of a package is run. @param into a folder */
export async function packFolders(folders: readonly string[], into: string): Promise<void> {
  await run("npm", ["pack", ...folders, "--pack-destination", into, "--ignore-scripts", "--loglevel", "error"], { cwd: into });
}

interface Folder {
  readonly root: string;
  readonly each: WorkspacePackage;
  readonly versions: ReadonlyMap<string, string>;
  readonly into: string;
}

async function writeFolder({ root, each, versions, into }: Folder): Promise<string> {
  await mkdir(into);
  const manifest = publishedManifestOf(each.manifest, versions);
  await writeFile(join(into, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await copyFile(join(each.directory, "README.md"), join(into, "README.md"));
  await copyFile(join(root, "LICENSE"), join(into, "LICENSE"));
  await compilePackage(root, each, join(into, "dist"));
  return into;
}

function nameOf({ directory }: WorkspacePackage): string {
  return basename(directory);
}
