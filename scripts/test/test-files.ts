import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every test file below a root, relative to it and sorted. */
export function testFiles(root: string): readonly string[] {
  return globSync("{apps,packages,scripts,e2e}/**/*.{test.ts,test.tsx,itest.ts,spec.ts}", {
    cwd: root,
    exclude: (path) => path.includes("node_modules") || path.includes(".next"),
  }).sort();
}

/** Test files that take long and rarely fail, marked by `// long: why` in their first lines: they run with `npm test -- long`, or by their names. */
export function longTestFiles(root: string): readonly string[] {
  return testFiles(root).filter(
    (file) => /\.(?:itest|spec)\.ts$/.test(file) && /^\/\/ long: \S/m.test(readFileSync(join(root, file), "utf8")),
  );
}

/** Projects of vitest.config.ts, and the parts of `npm test` that run them. */
export type VitestProject = "unit" | "integration" | "chaos" | "foreign-clients";

/** Which part of `npm test` has the file; nothing: a project of the browsers, which Playwright knows. */
export function vitestProjectOf(file: string): VitestProject | undefined {
  if (file.endsWith(".itest.ts")) {
    if (file.startsWith("e2e/foreign-clients/")) return "foreign-clients";
    return file.startsWith("e2e/chaos/") ? "chaos" : "integration";
  }
  return file.endsWith(".spec.ts") ? undefined : "unit";
}
