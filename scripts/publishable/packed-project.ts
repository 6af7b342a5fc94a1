import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { exampleOf, type ReadmeExample } from "../readme/readme-example.ts";
import { manifestOf, publishablePackagesOf } from "./workspace-packages.ts";
import { packFolders, writePublishable } from "./write-publishable.ts";

const run = promisify(execFile);

/** A published package in the project of a user. */
export interface InstalledPackage {
  readonly name: string;
  /** Its folder below `node_modules`: the files of the tarball. */
  readonly directory: string;
  /** The example of the README that came with it. */
  readonly example: ReadmeExample;
  /** The example as a file of the project. */
  readonly file: string;
}

/** A project outside of the repository that has nothing but the packed packages, installed from their tarballs without a registry. */
export interface PackedProject {
  readonly directory: string;
  readonly packages: readonly InstalledPackage[];
  remove(): Promise<void>;
}

/**
 * Packs everything that is published, and installs it in an empty folder. What it depends on of others is packed from `node_modules` of the
 * repository. @param root of the repository
 */
export async function openPackedProject(root: string): Promise<PackedProject> {
  const base = await mkdtemp(join(tmpdir(), "binnacle-packed-"));
  const remove = (): Promise<void> => rm(base, { recursive: true, force: true });
  try {
    const [packed, foreign] = [join(base, "packed"), join(base, "foreign")];
    const ours = await writePublishable(root, packed);
    const tarballs = [...ours.map(({ name, tarball }) => [name, tarball] as const), ...(await packForeign(root, foreign))];
    const directory = join(base, "project");
    await install(directory, tarballs);
    const packages = await Promise.all(ours.map(({ name }) => installed(directory, name)));
    return { directory, packages, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Tarballs of the packages of others that ours depend on, and that these depend on, by name. */
async function packForeign(root: string, into: string): Promise<readonly (readonly [string, string])[]> {
  await mkdir(into);
  const folders = new Map<string, string>();
  const waiting = publishablePackagesOf(root).map(({ directory }) => directory);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { dependencies } = manifestOf(join(folder, "package.json"));
    for (const [name, range] of Object.entries(dependencies ?? {})) {
      if (range === "*" || folders.has(name)) continue;
      const found = [join(folder, "node_modules", name), join(root, "node_modules", name)].find((place) => existsSync(place));
      if (found === undefined) throw new Error(`${name} is not installed`);
      folders.set(name, found);
      waiting.push(found);
    }
  }
  await packFolders([...folders.values()], into);
  return [...folders].map(([name, folder]) => {
    const { version } = manifestOf(join(folder, "package.json"));
    return [name, join(into, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)] as const;
  });
}

/** A cache of its own and no registry: whatever is not among the tarballs fails. */
async function install(directory: string, tarballs: readonly (readonly [string, string])[]): Promise<void> {
  await mkdir(directory);
  const dependencies = Object.fromEntries(tarballs.map(([name, tarball]) => [name, `file:${tarball}`]));
  await writeFile(join(directory, "package.json"), JSON.stringify({ name: "project", private: true, type: "module", dependencies }));
  const flags = ["--offline", "--cache", join(directory, "../cache"), "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  await run("npm", ["install", ...flags], { cwd: directory });
}

async function installed(project: string, name: string): Promise<InstalledPackage> {
  const directory = join(project, "node_modules", name);
  const example = exampleOf(await readFile(join(directory, "README.md"), "utf8"));
  if (example === undefined) throw new Error(`${name} has no example that says what it prints`);
  const file = join(project, `${name.replace(/^.*\//, "")}.ts`);
  await writeFile(file, example.code);
  return { name, directory, example, file };
}
