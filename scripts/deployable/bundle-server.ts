import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { build, type Plugin } from "esbuild";

/** They read files beside their own: they stay packages (`traced-files.ts`). */
const PACKAGES = ["next", "wasmoon"];

/** Modules of CommonJS that are bundled ask for Node's own by `require`. */
const REQUIRE =
  'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);';

/**
 * Makes plain JavaScript of the server and of its threads, `main.js` among them, each in one file: Node strips no types below
 * `node_modules`, where the packages of the workspace are in a deployment.
 */
export async function bundleServer(web: string, into: string): Promise<void> {
  const threads = new Map<string, string>();
  await bundle([join(web, "src/main.ts")], { into, threads });
  for (let done = 0; done < threads.size;) {
    const added = [...threads.values()].slice(done);
    done = threads.size;
    await bundle(added, { into, threads });
  }
}

async function bundle(entries: string[], { into, threads }: { into: string; threads: Map<string, string> }): Promise<void> {
  await build({
    entryPoints: entries.map((file) => ({ in: file, out: nameOf(file) })),
    outdir: into,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    external: [...PACKAGES, ...PACKAGES.map((name) => `${name}/*`)],
    banner: { js: REQUIRE },
    legalComments: "eof",
    logLevel: "warning",
    plugins: [threadFiles(threads)],
  });
}

/** A thread is started from a file of its own, which bundlers do not see: its URL leads to the bundle that is made of it. */
function threadFiles(threads: Map<string, string>): Plugin {
  return {
    name: "thread-files",
    setup: (made) =>
      made.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replaceAll(/new URL\("(\.\/[\w-]+\.ts)", import\.meta\.url\)/g, (_all, file: string) => {
          const thread = join(dirname(path), file);
          threads.set(nameOf(thread), thread);
          return `new URL("./${nameOf(thread)}.js", import.meta.url)`;
        });
        return { contents, loader: "ts" };
      }),
  };
}

/** `main` of the server; a thread is called after its package too. */
function nameOf(file: string): string {
  const [, of, name] = /\/packages\/([^/]+)\/src\/(.+)\.ts$/.exec(file) ?? [];
  return of === undefined || name === undefined ? "main" : `${of}-${name.replaceAll("/", "-")}`;
}
