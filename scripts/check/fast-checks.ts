import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { changedSince, commitOf, mergeBaseOf } from "../git/changed-files.ts";
import type { Check } from "./run-checks.ts";

/**
 * Files that differ from the merge base with origin/main, or from HEAD where there is none; deleted ones are left out.
 *
 * @throws Error when git knows no commit
 */
export function changedFiles(root: string): { readonly base: string; readonly files: readonly string[] } {
  const base = mergeBaseOf(root) ?? commitOf(root, "HEAD", "HEAD");
  const files = base === undefined ? undefined : changedSince(root, base);
  if (base === undefined || files === undefined) throw new Error("git knows no commit to compare with: run `npm run check` without --fast");
  return { base: base.name, files: files.filter((file) => existsSync(join(root, file))) };
}

/** Format, lint, types and unit tests of so many files; a check that has nothing to look at is left out. @param files relative to the root */
export function fastChecks(root: string, files: readonly string[]): readonly Check[] {
  const bin = (name: string): string => join(root, "node_modules", ".bin", name);
  const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  const tests = unitTestsOf(root, sources);
  const packages = packagesOf(root, sources);
  const checks: readonly (Check & { readonly isNeeded: boolean })[] = [
    {
      title: `unit tests in ${tests.length} files`,
      command: bin("vitest"),
      args: ["run", "--project", "unit", "--reporter=dot", ...tests],
      isNeeded: tests.length > 0,
    },
    {
      title: "types",
      command: bin("turbo"),
      // With all that import them: a change of what is exported shows there.
      args: ["run", "typecheck", "--output-logs=errors-only", ...packages.map((name) => `--filter=...${name}`)],
      isNeeded: packages.length > 0,
    },
    {
      title: "types of scripts",
      command: bin("tsc"),
      args: ["-p", "scripts/tsconfig.json"],
      isNeeded: sources.some((file) => file.startsWith("scripts/") || file === "vitest.config.ts"),
    },
    {
      title: "formatting",
      command: bin("prettier"),
      args: ["--check", "--log-level", "warn", "--ignore-unknown", ...files],
      isNeeded: files.length > 0,
    },
    { title: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings", ...sources], isNeeded: sources.length > 0 },
  ];
  return checks.filter(({ isNeeded }) => isNeeded);
}

/** Unit tests that changed, and those beside a source that changed: `x.test.ts` and `x.*.test.ts` for `x.ts`. */
function unitTestsOf(root: string, sources: readonly string[]): readonly string[] {
  const tests = sources.flatMap((file) => {
    if (/\.test\.tsx?$/.test(file)) return [file];
    const [stem = ""] = file.split(/\.[cm]?[jt]sx?$/);
    return globSync(`${stem}{.test,.*.test}.{ts,tsx}`, { cwd: root });
  });
  return [...new Set(tests)].sort();
}

/** Names of the packages that have the files. */
function packagesOf(root: string, sources: readonly string[]): readonly string[] {
  const folders = new Set(sources.flatMap((file) => /^(?:apps\/[^/]+|packages\/[^/]+|e2e)(?=\/)/.exec(file)?.[0] ?? []));
  return [...folders].flatMap((folder) => {
    const file = join(root, folder, "package.json");
    if (!existsSync(file)) return [];
    const { name } = JSON.parse(readFileSync(file, "utf8")) as { readonly name: string };
    return [name];
  });
}
