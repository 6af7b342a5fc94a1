import { expect, test } from "vitest";

import { fileRuleProblems, fileRulesOf } from "./file-rules.ts";
import { SourceTree } from "./source-tree.ts";

test("a short product file with one importer counts; tests, generated files and two importers do not", () => {
  const tree = new SourceTree({
    "apps/kas/src/a.ts": 'import "./b.ts";\nimport "./c.ts";\nimport "./d.ts";\n',
    "apps/kas/src/b.ts": 'import "./c.ts";\n',
    "apps/kas/src/c.ts": "\n",
    "apps/kas/src/d.ts": "\n".repeat(60),
    "apps/kas/src/b.test.ts": 'import "./b.ts";\n',
    "packages/proto/gen/x.ts": "\n".repeat(500),
  });
  expect(fileRulesOf(tree).singleImporters).toEqual(["apps/kas/src/b.ts"]);
  expect(fileRuleProblems(tree)).toEqual([expect.stringMatching(/^1 of 4 product files have under 60 lines and a single importer/)]);
});

test("a file may have 400 lines and not one more, also a test", () => {
  const tree = (lines: number) => new SourceTree({ "apps/kas/src/a.test.ts": "\n".repeat(lines) });
  expect(fileRuleProblems(tree(400))).toEqual([]);
  expect(fileRuleProblems(tree(401))).toEqual(["apps/kas/src/a.test.ts has over 400 lines: split it along a concept"]);
});
