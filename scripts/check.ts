/**
 * `npm run check`: everything a tool can hold. Runs all steps, prints the output of those that fail, ends with 1 when one did. With
 * `-- --fast` only format, lint, types and unit tests of what differs from the merge base with origin/main, or from HEAD.
 */
import { join } from "node:path";

import { changedFiles, fastChecks } from "./check/fast-checks.ts";
import { runChecks, type Check } from "./check/run-checks.ts";
import { readArguments } from "../packages/testing/src/read-arguments.ts";

const { values } = readArguments("usage: npm run check [-- --fast]", { options: { fast: { type: "boolean", default: false } } });
const root = join(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

const GENERATED = [
  "packages/proto/gen",
  "packages/health/src/all-rules.ts",
  "packages/words/src/english.ts",
  "packages/graph/src/packs",
  "packages/environment-view/src/engine/view-engine.ts",
  "docs/reference",
];

/** One after the other and before the rest: generating rewrites files that the others read. */
const contracts: readonly Check[] = [
  { title: "contracts: lint", command: bin("buf"), args: ["lint"] },
  {
    title: "contracts: nothing breaks",
    command: bin("buf"),
    args: ["breaking", "packages/proto/proto", "--against", "packages/proto/contract.binpb", "--config", "buf.yaml"],
  },
  { title: "contracts: generated code", command: bin("buf"), args: ["generate"] },
  { title: "contracts: generated enums", command: process.execPath, args: [join(root, "scripts", "enums", "main.ts")] },
  { title: "health rules: generated list", command: process.execPath, args: [join(root, "scripts", "rules", "main.ts")] },
  { title: "messages: compiled catalogue", command: process.execPath, args: [join(root, "scripts", "words", "main.ts")] },
  { title: "edge packs", command: process.execPath, args: [join(root, "packages", "graph", "dev", "write-packs.ts")] },
  { title: "the name of what makes views", command: process.execPath, args: [join(root, "scripts", "engine", "main.ts")] },
  {
    title: "generated files are committed",
    command: "git",
    args: ["diff", "--exit-code", "--stat", "--", ...GENERATED],
  },
];

/** In any order, the longest first. */
const independent: readonly Check[] = [
  { title: "unit tests", command: bin("vitest"), args: ["run", "--project", "unit", "--reporter=dot"] },
  { title: "formatting", command: bin("prettier"), args: ["--check", "--log-level", "warn", "."] },
  { title: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  {
    title: "citations, the map and the security table",
    command: process.execPath,
    args: [join(root, "scripts", "check", "main.ts")],
    tells: true,
  },
  {
    title: "regular expressions take linear time",
    command: process.execPath,
    args: [join(root, "scripts", "expressions", "main.ts")],
    tells: true,
  },
  { title: "direction of imports", command: bin("turbo"), args: ["boundaries"] },
  { title: "types", command: bin("turbo"), args: ["run", "typecheck", "--output-logs=errors-only"] },
  { title: "types of scripts", command: bin("tsc"), args: ["-p", "scripts/tsconfig.json"] },
  { title: "unused files, exports and dependencies", command: bin("knip"), args: ["--no-progress"] },
];

if (values.fast) {
  const { base, files } = changedFiles(root);
  process.stdout.write(`${files.length} files differ from ${base}\n`);
  await runChecks(root, { inOrder: [], independent: fastChecks(root, files) });
} else await runChecks(root, { inOrder: contracts, independent });
