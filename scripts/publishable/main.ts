// `npm run publishable -- --out DIR`: writes the packages that are meant to be published, each as a folder and as a tarball.
import { join, resolve } from "node:path";

import { readArguments } from "../../packages/testing/src/read-arguments.ts";
import { writePublishable } from "./write-publishable.ts";

const USAGE = "usage: npm run publishable -- --out DIR (an absent or empty directory)";
const root = join(import.meta.dirname, "../..");

const { values } = readArguments(USAGE, { options: { out: { type: "string" } } });
if (values.out === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
for (const { name, tarball, bytes } of await writePublishable(root, resolve(values.out))) {
  process.stdout.write(`${name}: ${tarball}, ${(bytes / 1024).toFixed(1)} KiB\n`);
}
