// `npm run deployable -- --out DIR`: writes the dashboard as a folder that runs on Node alone. It needs the build of apps/web.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { readArguments } from "../../packages/testing/src/read-arguments.ts";
import { writeDeployable } from "./write-deployable.ts";

const USAGE = "usage: npm run deployable -- --out DIR (an absent or empty directory)";
const root = join(import.meta.dirname, "../..");

const { values } = readArguments(USAGE, { options: { out: { type: "string" } } });
if (values.out === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
if (!existsSync(join(root, "apps/web/.next/BUILD_ID"))) {
  process.stderr.write("There is no build: make it with `npx turbo run build --filter=@binnacle/web`.\n");
  process.exit(1);
}
const { directory, files, bytes } = await writeDeployable(root, resolve(values.out));
process.stdout.write(`${directory}: ${files} files, ${(bytes / 1024 / 1024).toFixed(1)} MiB\n`);
