import { markInvisible } from "@binnacle/words";

import type { ExportScope } from "./export-scope.ts";
import { inTurns } from "./in-turns.ts";
import type { MadeFile } from "./made-file.ts";
import { tLater } from "../text/messages.ts";

/** A column of a table that leaves the page. */
export interface TableColumn<Row> {
  /** Its name in JSON: "createdAt". */
  readonly key: string;
  readonly title: string;
  /** What stands in a cell: for times the exact one in UTC. */
  readonly textOf: (row: Row) => string | number;
}

/** A table, whole: every row of the filter and in its order, whatever is on the screen. */
export interface Table<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
}

/** Spreadsheets take a file without it for whatever encoding their machine has. */
const BYTE_ORDER_MARK = "\uFEFF";

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"): it must not compute what a cluster has named so. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** CSV of a table: rows alone, so that programs can read it. What it is filtered by is the title of a last column, which is empty. */
export async function csvOf<Row>({ columns, rows }: Table<Row>, { filters }: Pick<ExportScope, "filters">): Promise<MadeFile> {
  const filter = filters.length === 0 ? [] : [tLater("export/filters", { names: filters.join("; ") })];
  const lines = [BYTE_ORDER_MARK, csvLine([...columns.map(({ title }) => title), ...filter])];
  await inTurns(rows, (row) => lines.push(csvLine([...columns.map(({ textOf }) => String(textOf(row))), ...filter.map(() => "")])));
  return { content: new Blob(lines, { type: "text/csv;charset=utf-8" }), extension: "csv" };
}

/** JSON of a table, in the shape that docs/design/export.md describes. */
export async function jsonOf<Row>({ columns, rows }: Table<Row>, scope: ExportScope): Promise<MadeFile> {
  const lines: string[] = [];
  await inTurns(rows, (row) => lines.push(JSON.stringify(Object.fromEntries(columns.map(({ key, textOf }) => [key, textOf(row)])))));
  const head = JSON.stringify({ format: `binnacle.${scope.subject}`, version: 1, ...scopeFields(scope) }, undefined, 2);
  const body = `,\n  "rows": [\n    ${lines.join(",\n    ")}\n  ]\n}\n`;
  return { content: new Blob([head.slice(0, head.lastIndexOf("\n")), body], { type: "application/json" }), extension: "json" };
}

/** What a JSON file says of itself. */
export function scopeFields({ project, environment, part, filters, asOfMs, connection, gaps }: ExportScope) {
  return { project, environment, part, filters, asOf: new Date(asOfMs).toISOString(), connection, gaps };
}

/** One cell, its invisible characters marked: guarded by an apostrophe where a spreadsheet would compute it, quoted where it holds what divides cells (RFC 4180). */
export function csvCell(text: string): string {
  const shown = markInvisible(text);
  const guarded = FORMULA.test(text) ? `'${shown}` : shown;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** One line, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
