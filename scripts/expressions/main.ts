/**
 * `node scripts/expressions/main.ts`: no regular expression that sees texts of others takes more than linear time. Part of
 * `npm run check`. With `--write` it records which ones are proven, so that the proof is not repeated.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readSourceTree } from "../check/source-tree.ts";
import { ALLOWED } from "./allowed.ts";
import { expressionsOf } from "./expressions-of.ts";
import { prove } from "./prove.ts";
import { slowExpressions } from "./slow-expressions.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PROVEN = join(import.meta.dirname, "proven.json");
const SOURCE = /\.(?:ts|tsx|mjs)$/;
/** Tests, tools and benchmarks read what we wrote ourselves. */
const OURS =
  /^(?:e2e|scripts|packages\/testing)\/|\/(?:testing|dev|hostile|scripts|conformance)\/|\.(?:test|itest|conformance|fixture)\.tsx?$/;

// The file is ours: a list of expressions as written.
const proven = new Set(JSON.parse(readFileSync(PROVEN, "utf8")) as readonly string[]);
const expressions = [...readSourceTree(ROOT).texts()]
  .filter(([path]) => SOURCE.test(path) && !OURS.test(path))
  .flatMap(([path, text]) => expressionsOf(path, text));
const { problems, linear } = await slowExpressions(expressions, { proven, allowed: ALLOWED, prove });

for (const problem of problems) process.stdout.write(`${problem}\n`);
if (process.argv.includes("--write")) writeFileSync(PROVEN, `${JSON.stringify(linear, null, 2)}\n`);
process.stdout.write(`${expressions.length} regular expressions, ${ALLOWED.size} of them allowed to be slow\n`);
// The prover's own process would keep this one.
process.exit(problems.length === 0 ? 0 : 1);
