import { copyFile, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { servedFilesOf } from "../../apps/web/src/server/pages/stamp-build.ts";
import { bundleServer } from "./bundle-server.ts";
import { tracedFilesOf } from "./traced-files.ts";

/** What was written. */
export interface Deployable {
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
}

/** Files of a build that hold settings of the machine that built it. */
const SETTINGS = /^required-server-files\.js(on)?$/;

const README = `# Binnacle's dashboard

This folder needs nothing but Node 24 and a directory for temporary files (TMPDIR, about 8 MB):

    node server/main.js --configuration-file web.yaml

\`external_url\` in web.yaml may have a path: it is the prefix of every address, and the same folder serves any. SIGTERM ends the process
when what runs has ended. \`/healthz\` and \`/readyz\` are for probes.
`;

/**
 * Writes web as a folder that runs without the workspace: the server as one bundle, the build of the pages, and of `node_modules` what
 * Next's own traces name.
 *
 * @param root of the repository @throws when the directory holds something already, or there is no build
 */
export async function writeDeployable(root: string, directory: string): Promise<Deployable> {
  await mkdir(directory, { recursive: true });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  const web = join(root, "apps/web");
  await bundleServer(web, join(directory, "server"));
  for (const file of await servedFilesOf(join(web, ".next")))
    await copyBuilt(join(web, ".next", file), join(directory, ".next", file), root);
  for (const file of await tracedFilesOf(root)) await copy(join(root, file), join(directory, file));
  await copy(join(root, "LICENSE"), join(directory, "LICENSE"));
  await writeFile(join(directory, "README.md"), README);
  await writeFile(join(directory, "package.json"), await packageJson(web));
  return { directory, ...(await sizeOf(directory)) };
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

/** The path of the build is private, and the server does not use it. */
async function copyBuilt(from: string, to: string, root: string): Promise<void> {
  if (!SETTINGS.test(to.slice(to.lastIndexOf("/") + 1))) return copy(from, to);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, (await readFile(from, "utf8")).replaceAll(root.replace(/\/$/, ""), "/binnacle"));
}

async function packageJson(web: string): Promise<string> {
  // The package's own file: name and version are texts.
  const { version, license } = JSON.parse(await readFile(join(web, "package.json"), "utf8")) as { version: string; license: string };
  const start = "node server/main.js --configuration-file web.yaml";
  const content = { name: "binnacle-web", version, private: true, license, type: "module", engines: { node: ">=24" }, scripts: { start } };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

async function sizeOf(directory: string): Promise<Pick<Deployable, "files" | "bytes">> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const sizes = await Promise.all(files.map(async (entry) => (await lstat(join(entry.parentPath, entry.name))).size));
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
