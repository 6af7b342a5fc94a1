/** A cell: what is measured, and how it is written where that differs. */
export interface Cell {
  readonly text: string;
  readonly styled?: string;
}

/** Columns with two spaces between them; the last one is as long as it is. Widths count characters of ISO 10646, wide ones once. */
export function textTable(titles: readonly string[], rows: readonly (readonly (string | Cell)[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map((cell) => (typeof cell === "string" ? { text: cell } : cell)));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column]?.text ?? ""))));
  return cells
    .map((row) =>
      row
        .map(({ text, styled = text }, column) =>
          column === row.length - 1 ? styled : `${styled}${" ".repeat((widths[column] ?? 0) - lengthOf(text) + 2)}`,
        )
        .join("")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
