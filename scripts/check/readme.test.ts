import { expect, test } from "vitest";

import { architectureProblems, readmeProblems } from "./readme.ts";
import { SourceTree } from "./source-tree.ts";

const PICTURE = '<img src="docs/images/a.webp" alt="An environment">';

function problemsOf(lines: readonly string[], { bytes = 10, files = ["docs/images/a.webp"] } = {}): string[] {
  return readmeProblems(new SourceTree({ "README.md": `${lines.join("\n")}\n` }, files), () => bytes);
}

/** So many lines, the first of them these. */
function page(lines: number, ...first: readonly string[]): readonly string[] {
  return [...first, ...Array.from({ length: lines - first.length }, () => "text")];
}

test.each([60, 80])("a README of %i lines whose pictures have words is fine", (lines) => {
  expect(problemsOf(page(lines, PICTURE))).toEqual([]);
});

test.each([59, 81])("one of %i lines is not", (lines) => {
  expect(problemsOf(page(lines, PICTURE))).toEqual([`README.md has ${lines} lines, not 60 to 80`]);
});

test.each([
  ["no alt", '<img src="docs/images/a.webp">'],
  ["an empty alt", '<img alt=" " src="docs/images/a.webp">'],
  ["nothing in its brackets", "![](docs/images/a.webp)"],
])("a picture with %s is reported with its line", (_name, picture) => {
  expect(problemsOf(page(60, "# Title", picture))).toEqual(["README.md:2: a picture without a text instead of it"]);
});

test("pictures have 2 MB together", () => {
  const files = ["docs/images/a.webp", "docs/images/b.webp"];
  const both = page(60, PICTURE, "![b](docs/images/b.webp)");
  expect(problemsOf(both, { files, bytes: 1_000_000 })).toEqual([]);
  expect(problemsOf(both, { files, bytes: 1_000_001 })).toEqual(["docs/images has 2000002 bytes, more than 2000000"]);
});

test("a picture that the README does not show is a problem", () => {
  expect(problemsOf(page(60, "# Title"))).toEqual(["docs/images/a.webp is not shown in README.md"]);
});

test("a README that is not there is a problem", () => {
  expect(readmeProblems(new SourceTree({}), () => 0)).toEqual(["README.md does not exist"]);
});

test("ARCHITECTURE.md has at most 8,000 bytes", () => {
  const problemsAt = (text: string): string[] => architectureProblems(new SourceTree({ "ARCHITECTURE.md": text }));
  expect(problemsAt("x".repeat(8_000))).toEqual([]);
  expect(problemsAt("ü".repeat(4_001))).toEqual(["ARCHITECTURE.md has 8002 bytes, more than 8000"]);
  expect(architectureProblems(new SourceTree({}))).toEqual(["ARCHITECTURE.md does not exist"]);
});
