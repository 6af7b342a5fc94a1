/**
 * `node scripts/literals/main.ts`: compares the texts that other programs, stored data and addresses depend on with the committed list; part
 * of `npm run check`. With `--write` the list is renewed, which belongs into a commit that means to change one of them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readSourceTree } from "../check/source-tree.ts";
import { fixedLiterals, formatLiterals, LIST, literalChanges, type LiteralList } from "./fixed-literals.ts";

const root = join(import.meta.dirname, "..", "..");
const found = fixedLiterals(readSourceTree(root));

if (process.argv.includes("--write")) writeFileSync(join(root, LIST), formatLiterals(found));
const changes = literalChanges(JSON.parse(readFileSync(join(root, LIST), "utf8")) as LiteralList, found);
for (const change of changes) process.stdout.write(`${change}\n`);
if (changes.length > 0) process.stdout.write(`These are read elsewhere. If the change is meant: node scripts/literals/main.ts --write\n`);
const kinds = Object.values(found);
process.stdout.write(`${kinds.flat().length} literals of ${kinds.length} kinds, ${changes.length} changes\n`);
process.exitCode = changes.length === 0 ? 0 : 1;
