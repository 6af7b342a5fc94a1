import { markInvisible } from "@binnacle/words";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExportScope } from "@binnacle/presentation/export/export-scope";
import { fileNameOf } from "../export-panel.tsx";
import { csvOf, jsonOf, type Table, csvCell, csvLine } from "@binnacle/presentation/export/table-files";

const SCOPE: ExportScope = {
  subject: "list",
  project: "harbor/shop",
  environment: "review/née #1",
  part: "",
  filters: ["Only problems"],
  asOfMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  asOf: "",
  connection: "Agent north was connected",
  gaps: ["secrets not visible to you"],
};

const TABLE: Table<{ readonly name: string; readonly count: number }> = {
  columns: [
    { key: "name", title: "Name", textOf: ({ name }) => name },
    { key: "count", title: "Count", textOf: ({ count }) => count },
  ],
  rows: [
    { name: '=HYPERLINK("http://evil.example";"x")', count: 1 },
    { name: "a, b", count: 2 },
  ],
};

test("a cell that a spreadsheet would compute is text", () => {
  for (const begin of ["=", "+", "-", "@", "\t", "\r", "\n"]) expect(csvCell(`${begin}cmd|' /C calc'!A0`)).toMatch(/^"?'/);
  expect(csvCell("web-7d9c")).toBe("web-7d9c");
});

test("R11: a cell has marks for its invisible characters", () => {
  expect(csvCell("a\u202Egnp.exe\r")).toBe("a⟨U+202E⟩gnp.exe⟨U+000D⟩");
});

test("any cells come back as they were, but for the guard and marks", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 }), (cells) => {
      const line = csvLine(cells);
      expect(parsedLine(line)).toEqual(cells.map((cell) => (/^[=+\-@\t\r\n]/.test(cell) ? "'" : "") + markInvisible(cell)));
    }),
  );
});

test("CSV is UTF-8 that spreadsheets know as such, with heads and every row", async () => {
  const { content, extension } = await csvOf(TABLE, { filters: [] });
  expect(new Uint8Array(await content.arrayBuffer()).slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
  expect(await content.text()).toBe(`Name,Count\r\n"'=HYPERLINK(""http://evil.example"";""x"")",1\r\n"a, b",2\r\n`);
  expect(extension).toBe("csv");
});

test("CSV that is filtered says in its head by what, and its rows stay as they are", async () => {
  const { content } = await csvOf({ ...TABLE, rows: TABLE.rows.slice(1) }, { filters: ["Search: a, b", "Newest first"] });
  expect(await content.text()).toBe(`Name,Count,"Filter: Search: a, b; Newest first"\r\n"a, b",2,\r\n`);
});

test("JSON says what it is, of when and what it lacks", async () => {
  const { content } = await jsonOf(TABLE, SCOPE);
  expect(JSON.parse(await content.text())).toEqual({
    format: "binnacle.list",
    version: 1,
    project: "harbor/shop",
    environment: "review/née #1",
    part: "",
    filters: ["Only problems"],
    asOf: "2026-01-02T03:04:05.000Z",
    connection: "Agent north was connected",
    gaps: ["secrets not visible to you"],
    rows: [
      { name: '=HYPERLINK("http://evil.example";"x")', count: 1 },
      { name: "a, b", count: 2 },
    ],
  });
});

test("a table without rows is JSON too", async () => {
  expect(JSON.parse(await (await jsonOf({ ...TABLE, rows: [] }, SCOPE)).content.text())).toMatchObject({ rows: [] });
});

test("a file's name tells where, what and when, and leads nowhere else", () => {
  expect(fileNameOf(SCOPE, "csv")).toBe("review-née-1-list-2026-01-02T03-04-05Z.csv");
  expect(fileNameOf({ ...SCOPE, environment: "../../.." }, "csv")).toBe("environment-list-2026-01-02T03-04-05Z.csv");
  expect(fileNameOf({ ...SCOPE, environment: `${"x".repeat(300)}\u202E` }, "json").length).toBeLessThan(130);
});

/** One line of CSV as RFC 4180 has it. */
function parsedLine(line: string): string[] {
  const body = line.replace(/\r\n$/, "");
  const cells: string[] = [];
  let [cell, quoted] = ["", false];
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] ?? "";
    if (quoted && sign === '"' && body[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
    else if (sign === '"') quoted = !quoted;
    else if (sign === "," && !quoted) [cell] = ["", cells.push(cell)];
    else cell += sign;
  }
  return [...cells, cell];
}
