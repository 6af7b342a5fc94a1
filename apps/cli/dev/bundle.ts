/** `npm run build -w apps/cli`: makes one file of the program, `dist/binnacle.js`, which needs Node alone, and the package to publish beside it. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { bundleCli } from "./bundle-cli.ts";

const root = join(import.meta.dirname, "..");
const into = process.argv[2] ?? join(root, "dist");
mkdirSync(into, { recursive: true });
await bundleCli(join(into, "binnacle.js"));
chmodSync(join(into, "binnacle.js"), 0o755);
const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { version, description, license } = manifest as Readonly<Record<string, string>>;
const published = {
  name: "@binnacle/cli",
  version,
  description,
  license,
  type: "module",
  bin: { binnacle: "./binnacle.js" },
  engines: { node: ">=20" },
};
writeFileSync(join(into, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
