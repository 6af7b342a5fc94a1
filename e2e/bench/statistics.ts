/** The value below which `share` (0 to 1) of the samples lie; NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The middle value; NaN without samples. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Prints rows as a table with a heading. */
export function printTable(heading: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  process.stdout.write(`\n${heading}\n`);
  const columns = Object.keys(rows[0] ?? {});
  const text = (value: string | number | undefined): string => (typeof value === "number" ? formatNumber(value) : (value ?? ""));
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => text(row[column]).length)));
  const line = (cells: readonly string[]): string => cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("  ");
  process.stdout.write(`${line(columns)}\n`);
  for (const row of rows) process.stdout.write(`${line(columns.map((column) => text(row[column])))}\n`);
}

/** A number with about three digits; "–" when there is none. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
