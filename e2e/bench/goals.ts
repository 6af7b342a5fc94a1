import { formatNumber } from "./statistics.ts";

/** One figure of an issue, and what it should be. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** At most this; absent: it stands beside others of the same run. */
  readonly goal?: number;
  /** At least this. */
  readonly least?: number;
}

/** Prints figures with their goals and a verdict each. */
export function printFigures(heading: string, figures: readonly Figure[]): void {
  process.stdout.write(`\n${heading}\n`);
  const width = Math.max(...figures.map(({ figure }) => figure.length));
  for (const { figure, value, unit, goal, least } of figures) {
    const atMost = goal === undefined ? "" : `goal ≤ ${goal} ${unit}: ${value <= goal ? "met" : "MISSED"}`;
    const verdict = least === undefined ? atMost : `goal ≥ ${least} ${unit}: ${value >= least ? "met" : "MISSED"}`;
    process.stdout.write(`${figure.padEnd(width)}  ${formatNumber(value).padStart(8)} ${unit.padEnd(4)}  ${verdict}`.trimEnd() + "\n");
  }
}
