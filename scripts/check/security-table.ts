import type { SourceTree } from "./source-tree.ts";

/** While tests are being written a row may say `open` instead of naming one. Set to `false` when none is open: then `open` is a mistake. */
const OPEN_ALLOWED = false;

const numbered = (letters: string, last: number): string[] => Array.from({ length: last }, (_, index) => `${letters}${index + 1}`);

/** Threats and findings that the tables must answer. */
export const SECURITY_IDS: readonly string[] = [
  ...numbered("T", 47),
  "T49",
  "T50",
  "T51",
  "T52",
  "T53",
  "T54",
  "T57",
  "T59",
  "T64",
  "T66",
  "T67",
  "T89",
  "T78",
  "T79",
  "T80",
  "T91",
  "T73",
  "T74",
  "T75",
  "T90",
  "T81",
  "T82",
  "T83",
  "T84",
  "T85",
  "T86",
  "T87",
  "T88",
  "T70",
  "T71",
  "T72",
  "T76",
  "T77",
  ...numbered("KB", 6),
  ...numbered("KS", 9),
  ...numbered("M", 15),
  ...numbered("XB", 2),
  ...numbered("XS", 11),
  ...numbered("XM", 15),
  ...numbered("I", 14),
];

/** What the check of docs/security.md found. */
export interface SecurityTable {
  /** One sentence each. */
  readonly problems: readonly string[];
  /** Ids whose test is still to be written. */
  readonly open: readonly string[];
}

interface Row {
  readonly id: string;
  readonly cells: readonly string[];
}

/**
 * A row of the tables begins with its id and ends with its test: no cell is empty, every id has one row, and each named test file exists and has a
 * test whose title names the id.
 *
 * @param page path of the page
 */
export function securityTable(
  tree: SourceTree,
  page: string,
  options: { readonly ids?: readonly string[]; readonly openAllowed?: boolean } = {},
): SecurityTable {
  const { ids = SECURITY_IDS, openAllowed = OPEN_ALLOWED } = options;
  const rows = rowsOf(tree.textOf(page) ?? "");
  const problems = ids.flatMap((id) => {
    const count = rows.filter((row) => row.id === id).length;
    return count === 1 ? [] : [`${id} has ${count === 0 ? "no row" : `${count} rows`}`];
  });
  const open: string[] = [];
  for (const row of rows) {
    if (!ids.includes(row.id)) problems.push(`"${row.id}" is no known id`);
    const test = row.cells.at(-1) ?? "";
    if (row.cells.length < 3 || row.cells.includes("")) problems.push(`${row.id} has an empty cell, or too few`);
    else if (openAllowed && test === "open") open.push(row.id);
    else problems.push(...testProblems(tree, row.id, test));
  }
  return { problems: problems.map((problem) => `${page}: ${problem}`), open };
}

function rowsOf(markdown: string): Row[] {
  return markdown
    .split("\n")
    .filter((line) => /^\| *[A-Z]+\d/.test(line))
    .map((line) => {
      // The first and the last piece are what stands outside of the bars.
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { id: cells[0] ?? "", cells };
    });
}

function testProblems(tree: SourceTree, id: string, cell: string): string[] {
  const files = [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
  if (files.length === 0) return [`${id} names no test file`];
  return files.flatMap((file) => {
    const text = tree.textOf(file);
    if (text === undefined) return [`${id}: ${file} does not exist`];
    return titlesOf(text).some((title) => namesId(title, id)) ? [] : [`${id}: no test of ${file} has it in its title`];
  });
}

function namesId(title: string, id: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${id}(?![\w-])`).test(title);
}

/** Titles of `test("…")` and `describe("…")`, and of their forms with a table, `test.each(…)("…")`; what is skipped or a comment is none. */
export function titlesOf(source: string): string[] {
  const pattern = /(?:\b(?:test|it|describe)(?:\.(?!todo|skip|fails)\w+)*|\))\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
  return [...source.replaceAll(/^\s*\/\/.*$/gm, "").matchAll(pattern)].map((match) => match[2] ?? "");
}
