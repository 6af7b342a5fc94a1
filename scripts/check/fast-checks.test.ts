import { join } from "node:path";

import { expect, test } from "vitest";

import { fastChecks } from "./fast-checks.ts";

const root = join(import.meta.dirname, "..", "..");
const argsOf = (files: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(fastChecks(root, files).map(({ title, args }) => [title, args]));

test("a source brings its format, its lint, the types of its package and of those that import it, and the tests beside it", () => {
  const checks = argsOf(["packages/graph/src/resource-graph.ts"]);
  expect(Object.keys(checks)).toEqual(["unit tests in 2 files", "types", "formatting", "lint"]);
  expect(checks["unit tests in 2 files"]).toEqual(
    expect.arrayContaining(["packages/graph/src/resource-graph.property.test.ts", "packages/graph/src/resource-graph.test.ts"]),
  );
  expect(checks["types"]).toContain("--filter=...@binnacle/graph");
  expect(checks["lint"]).toContain("packages/graph/src/resource-graph.ts");
});

test("a test brings itself, once, also with its source", () => {
  const checks = argsOf(["scripts/test/plan.test.ts", "scripts/test/plan.ts"]);
  expect(Object.keys(checks)).toEqual(["unit tests in 1 files", "types of scripts", "formatting", "lint"]);
});

test("a document brings its format alone, and nothing brings nothing", () => {
  expect(Object.keys(argsOf(["README.md"]))).toEqual(["formatting"]);
  expect(fastChecks(root, [])).toEqual([]);
});
