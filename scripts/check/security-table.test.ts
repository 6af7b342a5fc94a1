import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { SECURITY_IDS, securityTable, titlesOf, type SecurityTable } from "./security-table.ts";
import { readSourceTree, SourceTree } from "./source-tree.ts";

const TESTS = `
test("T1: an upgrade is refused", () => {});
describe("streams", () => test("end with their rights (T2, KB1)", () => {}));
test.each([["T9: only a row"]])("XS10: %s", () => {});
`;

/** The table with these rows, of which T1 and T2 must be there. */
function tableOf(rows: string, options: { readonly ids?: readonly string[]; readonly openAllowed?: boolean } = {}): SecurityTable {
  const tree = new SourceTree({
    "docs/security.md": `| Id | What | Test |\n| -- | -- | -- |\n${rows}\n`,
    "a.test.ts": TESTS,
    "b.test.ts": "",
  });
  return securityTable(tree, "docs/security.md", { ids: ["T1", "T2"], openAllowed: true, ...options });
}

const T1 = "| T1 | is refused | `a.test.ts` |";

describe("the table", () => {
  test("is whole when each id has a row with a test that names it", () => {
    expect(tableOf(`${T1}\n| T2 | a threat | ends | \`a.test.ts\` |`)).toEqual({ problems: [], open: [] });
  });

  test.each([
    ["an empty cell", "| T2 |  | `a.test.ts` |", "T2 has an empty cell, or too few"],
    ["an empty last cell", "| T2 | ends | |", "T2 has an empty cell, or too few"],
    ["a cell too few", "| T2 | `a.test.ts` |", "T2 has an empty cell, or too few"],
    ["a test file that does not exist", "| T2 | ends | `c.test.ts` |", "T2: c.test.ts does not exist"],
    ["a file without a test of that id", "| T2 | ends | `a.test.ts`, `b.test.ts` |", "T2: no test of b.test.ts has it in its title"],
    ["words instead of a file", "| T2 | ends | by hand |", "T2 names no test file"],
    ["an id without a row", "", "T2 has no row"],
    ["an id with two rows", "| T2 | ends | `a.test.ts` |\n| T2 | ends | `a.test.ts` |", "T2 has 2 rows"],
    ["an unknown id", "| T2 | ends | `a.test.ts` |\n| KB1 | ends | `a.test.ts` |", '"KB1" is no known id'],
  ])("has no place for %s", (_, rows, problem) => {
    expect(tableOf(`${T1}\n${rows}`).problems).toEqual([`docs/security.md: ${problem}`]);
  });

  test("an id is not found inside of another one", () => {
    expect(tableOf("| XS1 | ends | `a.test.ts` |", { ids: ["XS1"] }).problems).toHaveLength(1);
    expect(tableOf("| XS10 | ends | `a.test.ts` |", { ids: ["XS10"] }).problems).toEqual([]);
  });

  test("a row may be open as long as that is allowed, and is reported", () => {
    const rows = `${T1}\n| T2 | ends | open |`;
    expect(tableOf(rows)).toEqual({ problems: [], open: ["T2"] });
    expect(tableOf(rows, { openAllowed: false })).toEqual({ problems: ["docs/security.md: T2 names no test file"], open: [] });
  });

  test("of this repository is whole", () => {
    const { problems } = securityTable(readSourceTree(join(import.meta.dirname, "..", "..")), "docs/security.md");
    expect(problems).toEqual([]);
  });

  test("must answer 80 threats and 72 findings", () => {
    expect(SECURITY_IDS.filter((id) => id.startsWith("T"))).toHaveLength(80);
    expect(new Set(SECURITY_IDS).size).toBe(152);
  });
});

test("what is skipped, planned or commented out is no test", () => {
  expect(titlesOf('test.skip("T1: a"); it.todo("T2: b"); describe.skip("T3", x);\n  // test("T4: c")\ntest.concurrent("T5: d")')).toEqual([
    "T5: d",
  ]);
});

test("a title is what stands first in test, it and describe, and behind a table of cases", () => {
  expect(titlesOf(TESTS)).toEqual(["T1: an upgrade is refused", "streams", "end with their rights (T2, KB1)", "XS10: %s"]);
  expect(titlesOf("test(`T3: a ${word}`); test('T4: it\\'s'); test.each(ROWS)(\n  \"T5: far below\", () => {});")).toEqual([
    "T3: a ${word}",
    "T4: it\\'s",
    "T5: far below",
  ]);
});
