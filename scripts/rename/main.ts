/**
 * `node scripts/rename/main.ts LIST.json`: moves files and changes names as the list says (`rename-list.ts`), in sources, planted faults,
 * configuration and documents. What is done already is left as it is, so that a list may be run again. Ends with 1 when the list does not
 * fit the sources.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parseRenameList } from "./rename-list.ts";
import { runRenames } from "./run-renames.ts";

const [list] = process.argv.slice(2);
if (list === undefined) {
  process.stderr.write("usage: node scripts/rename/main.ts LIST.json\n");
  process.exitCode = 2;
} else {
  const root = join(import.meta.dirname, "..", "..");
  const { changed, left } = await runRenames(root, parseRenameList(readFileSync(list, "utf8")));
  for (const path of changed) process.stdout.write(`changed ${path}\n`);
  for (const mention of left) process.stdout.write(`by hand: ${mention}\n`);
  process.stdout.write(`${changed.length} files changed, ${left.length} mentions left\n`);
}
