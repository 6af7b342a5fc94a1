import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

const TRACER = "next/dist/compiled/@vercel/nft";

/** The tracer that Next uses for its own output: the one that knows its ways of asking for modules. */
interface Tracer {
  nodeFileTrace(entries: readonly string[], options: object): Promise<{ readonly fileList: ReadonlySet<string> }>;
}

/** What the server's bundle imports, and what Next's own `output: "standalone"` begins with. */
const ENTRIES = ["next/dist/server/next", "next/dist/server/lib/start-server", "next/dist/server/require-hook", "wasmoon"];

/** A file that is read and not imported. */
const READ = ["node_modules/wasmoon/dist/glue.wasm"];

/** As in Next's `collect-build-traces`: what only a build or a server for developers needs. */
const NEVER = [
  "**/next/dist/compiled/next-server/**/*.dev.js",
  "**/next/dist/compiled/webpack/*",
  "**/next/dist/compiled/babel/**",
  "**/next/dist/compiled/babel-packages/**",
  "**/next/dist/compiled/@mswjs/**",
  "**/next/dist/server/dev/next-dev-server*",
  "**/next/dist/server/lib/router-utils/setup-dev-bundler*",
  "**/next/dist/build/swc/**",
  "**/next/dist/server/lib/route-resolver*",
  "**/next/dist/lib/upgrade/**/*",
  "**/next/dist/pages/**/*",
  "**/react{,-dom,-dom-server-turbopack}/**/*.development.js",
  "**/*.d.ts",
  "**/*.map",
];

/** Sharp shrinks pictures, of which we have none, with a library of 18 MB; the compilers are for builds. */
const UNUSED = /^node_modules\/(?:sharp|@img|detect-libc|semver|typescript|@next\/swc[\w-]*|esbuild|@esbuild)\//;

/**
 * Files below `node_modules` that the server and its pages need: what Next has traced for each page, and what is traced here for the server.
 * Relative to the repository, sorted. @throws when there is no build
 */
export async function tracedFilesOf(root: string): Promise<readonly string[]> {
  const files = new Set([...READ, ...(await filesOfPages(root)), ...(await filesOfServer(root))]);
  return [...files].filter((file) => file.startsWith("node_modules/") && !UNUSED.test(file)).toSorted();
}

async function filesOfPages(root: string): Promise<readonly string[]> {
  const app = join(root, "apps/web/.next/server/app");
  const traces = (await readdir(app, { recursive: true })).filter((file) => file.endsWith(".nft.json")).map((file) => join(app, file));
  const lists = await Promise.all(
    traces.map(async (trace) => {
      // Next has written it: paths relative to the trace.
      const { files } = JSON.parse(await readFile(trace, "utf8")) as { files: readonly string[] };
      return files.map((file) => relative(root, join(dirname(trace), file)));
    }),
  );
  return lists.flat();
}

async function filesOfServer(root: string): Promise<readonly string[]> {
  const require = createRequire(join(root, "apps/web/package.json"));
  // Next brings it without types.
  const tracer = require(TRACER) as Tracer;
  const entries = ENTRIES.map((entry) => require.resolve(entry));
  const { fileList } = await tracer.nodeFileTrace(entries, {
    base: root,
    processCwd: join(root, "apps/web"),
    mixedModules: true,
    ignore: NEVER,
  });
  return [...fileList];
}
