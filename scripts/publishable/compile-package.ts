import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { WorkspacePackage } from "./workspace-packages.ts";

const run = promisify(execFile);

/** A thread is started from a file of its own, which no import names. */
const THREAD = /(?<=new URL\("\.\/[\w-]+)\.ts(?=", import\.meta\.url\))/g;
/** TypeScript rewrites relative imports of what it emits, but not those in declarations. */
const DECLARED_IMPORT = /(?<=(?:\bfrom |\bimport |\bimport\()"\.{1,2}\/[^"\n]+)\.ts(?=")/g;

/**
 * Compiles what a package exports, and what that reaches, to JavaScript and declarations: what only tests import is not among it. There are
 * no source maps, as no sources are published, and JavaScript is the source without its types.
 *
 * @param into an absent folder @throws when it does not compile
 */
export async function compilePackage(root: string, { directory, manifest }: WorkspacePackage, into: string): Promise<void> {
  const source = join(directory, "src");
  const scratch = await mkdtemp(join(tmpdir(), "binnacle-compile-"));
  try {
    const files = Object.values(manifest.exports ?? {}).map((file) => join(directory, file));
    const config = {
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        rootDir: source,
        outDir: into,
        typeRoots: [join(root, "node_modules/@types")],
      },
      files: [...files, ...(await threadsOf(source))],
    };
    await writeFile(join(scratch, "tsconfig.json"), JSON.stringify(config));
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", scratch]);
  } catch (error) {
    // The compiler says on its standard output what is wrong.
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`${manifest.name} does not compile:\n${output}`, { cause: error });
  } finally {
    await rm(scratch, { recursive: true });
  }
  await Promise.all(globSync("**/*.{js,d.ts}", { cwd: into }).map((file) => nameCompiled(join(into, file))));
}

/** Files of sources that a source starts as a thread. */
async function threadsOf(source: string): Promise<readonly string[]> {
  const files = globSync("**/*.ts", { cwd: source }).filter((file) => !/\.i?test\.ts$/.test(file));
  const found = files.map(async (file) => {
    const text = await readFile(join(source, file), "utf8");
    const names = [...text.matchAll(/new URL\("(\.\/[\w-]+\.ts)", import\.meta\.url\)/g)].map(([, name]) => name ?? "");
    return names.map((name) => join(source, file, "..", name));
  });
  return (await Promise.all(found)).flat();
}

/** Names of sources become names of what was made of them. */
async function nameCompiled(file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  const named = text.replaceAll(file.endsWith(".js") ? THREAD : DECLARED_IMPORT, ".js");
  if (named !== text) await writeFile(file, named);
}
