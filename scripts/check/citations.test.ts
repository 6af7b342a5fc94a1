import { describe, expect, test } from "vitest";

import { citationProblems } from "./citations.ts";
import { SourceTree } from "./source-tree.ts";

const PAGES = {
  "docs/design/routing.md": "# Routing\n\n## Waits and answers\n\n### A `name` in it\n",
  "docs/adr/0001-first.md": "# 1. First\n",
  "README.md": "# Product\n",
};

/** Problems of one more file with this text. */
function problemsOf(text: string, path = "apps/kas/src/a.ts"): string[] {
  return citationProblems(new SourceTree({ ...PAGES, [path]: text }));
}

describe("what leads somewhere", () => {
  test.each([
    ["a page", "// see docs/design/routing.md"],
    ["a heading", '/** How (docs/design/routing.md "Waits and answers"). */'],
    ["a heading with code in it", '// docs/design/routing.md "A name in it"'],
    ["a heading in JSON", String.raw`{ "source": "docs/design/routing.md \"Waits and answers\"" }`],
    ["a heading on the next line of a comment", '/**\n * Text (docs/design/routing.md\n * "Waits and answers").\n */'],
    ["a heading that a line breaks", '/**\n * docs/design/routing.md "Waits\n * and answers"\n */'],
    ["a string that ends with a page", 'const page = "README.md";\nconst other = "x";'],
    ["a page in the web", "see https://example.org/docs/nowhere.md"],
    ["a pattern", "globSync(`packages/*/README.md`)"],
    ["a decision", "why not: ADR 1"],
    ["a section of a standard", "(RFC 9110 §7.6.1)"],
    ["two sections of one standard", "no path (RFC 9112 §3.2; we are no proxy), two hosts (§3.2), RFC 4632 §3.1, RFC 4291 §2.3"],
  ])("%s", (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test("a page beside or above the one that names it", () => {
    expect(problemsOf("[routing](routing.md), [start](../../README.md)", "docs/design/limits.md")).toEqual([]);
  });
});

describe("what leads nowhere", () => {
  test.each([
    ["a page that does not exist", "// docs/design/tunnels.md", "docs/design/tunnels.md does not exist"],
    ["a page without its folder", "// routing.md, T7", "routing.md does not exist"],
    ["a page outside of the repository", "// ../shared/docs/decisions.md", "../shared/docs/decisions.md does not exist"],
    ["a heading that does not exist", '// docs/design/routing.md "Waits"', 'docs/design/routing.md has no heading "Waits"'],
    [
      "such a heading in JSON",
      String.raw`{ "source": "docs/design/routing.md \"Waits\"" }`,
      'docs/design/routing.md has no heading "Waits"',
    ],
    ["a section of another document", "// by the table of decisions §1", "a section of a document that is not in this repository"],
    ["such a section behind a standard", "// RFC 9112 §3.2 and decisions §1", "a section of a document that is not in this repository"],
    ["a decision that was never made", "// ADR 12", "ADR 12 does not exist"],
  ])("%s", (_, text, problem) => {
    expect(problemsOf(`\n${text}`)).toEqual([`apps/kas/src/a.ts:2: ${problem}`]);
  });

  test("every mistake of a file is reported with its line", () => {
    expect(problemsOf("a.md\nb.md ADR 9\n", "docs/x.md")).toEqual([
      "docs/x.md:1: a.md does not exist",
      "docs/x.md:2: b.md does not exist",
      "docs/x.md:2: ADR 9 does not exist",
    ]);
  });
});
