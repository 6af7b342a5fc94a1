import { readFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** Modules of CommonJS that are bundled ask for Node's own by `require`. */
const BANNER =
  '#!/usr/bin/env node\nimport { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);';

/** Makes one file of the program for Node 20 and later. */
export async function bundleCli(outfile: string): Promise<void> {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { version } = manifest as { readonly version: string };
  await build({
    entryPoints: [join(ROOT, "src/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // Messages are compiled: nothing that is shown needs the parser.
    alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
    define: { BINNACLE_VERSION: JSON.stringify(version) },
    banner: { js: BANNER },
    minifySyntax: true,
    legalComments: "eof",
    logLevel: "warning",
  });
}
