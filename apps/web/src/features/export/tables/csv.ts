import { markInvisible } from "@binnacle/words";

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"): it must not compute what a cluster has named so. */
const FORMULA = /^[=+\-@\t\r\n]/;

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
