import { expect, test } from "vitest";

import { SourceTree } from "../check/source-tree.ts";
import { figuresOf } from "./figures.ts";

/** Figures by title, of which those that are zero are left out. */
function figures(texts: Readonly<Record<string, string>>): Record<string, number> {
  const found = figuresOf(new SourceTree(texts));
  return Object.fromEntries(found.filter(({ value }) => value > 0).map(({ title, value }) => [title, value]));
}

test("short product files with one importer are counted, tests and generated files are no product", () => {
  expect(
    figures({
      "apps/kas/src/a.ts": 'import "./b.ts";\nimport { c } from "./c/c.ts";\nimport { d } from "./d.ts";\n',
      "apps/kas/src/b.ts": "\n".repeat(60),
      "apps/kas/src/c/c.ts": 'const d = await import("../d.ts");\n',
      "apps/kas/src/d.ts": "\n",
      "apps/kas/src/d.test.ts": 'import "./c/c.ts";\n',
      "packages/proto/gen/x.ts": "\n".repeat(500),
      "README.md": "told\n",
    }),
  ).toEqual({
    files: 7,
    "TypeScript files, generated ones aside": 5,
    "product files": 4,
    "product lines": 65,
    "product files under 60 lines with a single importer": 1,
  });
});

test("vague words count in code and comments, distinct identifiers and file names, and messages that are fragments", () => {
  expect(
    figures({
      "packages/words/src/en/said.ts": '// nobody\nconst told = { "a/b": "ends, ", "a/c": "Whole." };\nvoid told;\n',
      "scripts/x.ts": "const told = 1;\n",
    }),
  ).toMatchObject({
    "vague words in apps and packages": 3,
    "identifiers with a vague word": 1,
    "file names with a vague word": 1,
    messages: 2,
    "messages that are a fragment": 1,
  });
});
