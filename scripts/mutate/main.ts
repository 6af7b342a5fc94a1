/**
 * `npm run mutate -- <package> [file …] [--sample N] [--seed S]`: changes the sources of a package in every way Stryker knows and
 * says which changes no test of the package notices. Not part of CI: all of it takes a quarter of an hour and more.
 * `--sample` looks at N lines only, chosen by the seed. Files are relative to the package.
 */
import { globSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

import { Stryker } from "@stryker-mutator/core";

import { readArguments } from "../../packages/testing/src/read-arguments.ts";
import { sampleLines } from "./line-sample.ts";

const root = join(import.meta.dirname, "..", "..");
const USAGE = "usage: npm run mutate -- <package> [file of the package …] [--sample N] [--seed S]";
const { values, positionals } = readArguments(USAGE, {
  options: { sample: { type: "string" }, seed: { type: "string", default: "1" } },
  allowPositionals: true,
});
const [name, ...only] = positionals;
const sources = globSync(`packages/${name}/src/**/*.ts`, { cwd: root }).filter((file) => !/\.(?:test|itest|conformance)\.ts$/.test(file));
const files = sources.filter((file) => only.length === 0 || only.some((each) => file === `packages/${name}/${each}`)).sort();
if (name === undefined || files.length === 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const mutate = values.sample === undefined ? files : sampleLines({ root, files, count: Number(values.sample), seed: Number(values.seed) });

/** A place that git and every tool ignore, from where node_modules is found. */
const TEMPORARY = ".turbo/mutation";

process.chdir(root);
const results = await new Stryker({
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  mutate: [...mutate],
  // Only what the unit tests of the package read is copied; the code of other packages is found in node_modules.
  ignorePatterns: [
    "/*",
    "!/packages",
    "/packages/*/*",
    "!/packages/*/fixtures",
    `!/packages/${name}/**`,
    "*.itest.ts",
    "!/scripts",
    "/scripts/*",
    "!/scripts/test",
    "!/vitest.config.ts",
    "!/tsconfig.base.json",
  ],
  vitest: { configFile: "vitest.config.ts", related: false },
  tempDirName: TEMPORARY,
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ["progress-append-only"],
}).runMutationTest();
rmSync(join(root, TEMPORARY), { recursive: true, force: true });

const counts = new Map<string, number>();
for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
const unnoticed = results.filter(({ status }) => status === "Survived" || status === "NoCoverage");
unnoticed.sort((left, right) =>
  left.fileName === right.fileName ? left.location.start.line - right.location.start.line : left.fileName < right.fileName ? -1 : 1,
);
for (const { fileName, location, mutatorName, replacement, status } of unnoticed) {
  const words = replacement?.replaceAll(/\s+/g, " ").slice(0, 100) ?? "";
  process.stdout.write(
    `${relative(root, fileName)}:${location.start.line}:${location.start.column} ${mutatorName} → ${words}${status === "NoCoverage" ? " (no test comes here)" : ""}\n`,
  );
}
const noticed = (counts.get("Killed") ?? 0) + (counts.get("Timeout") ?? 0);
const all = noticed + unnoticed.length;
process.stdout.write(`${name}: ${noticed} of ${all} mutants noticed, score ${all === 0 ? "–" : ((100 * noticed) / all).toFixed(1)} %\n`);
