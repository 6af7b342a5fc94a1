const WIDTH = 120;
const HEIGHT = 32;
/** The line is not cut at the edges. */
const MARGIN = 2;
/** What lies farther above all that was measured is not drawn: the line itself would be flat. */
const FAR = 8;

/** Paths of a line in a box of 120 by 32. */
export interface SparkPaths {
  readonly line: string;
  /** Below the line. */
  readonly area: string;
  /** Moments between two gaps: a line of one point is none. */
  readonly dots: string;
}

/** The number at the upper edge: the greatest that was measured, or of what it is compared with that lies near. */
export function topOf(values: readonly number[], compared: readonly (readonly number[])[]): number {
  const greatest = Math.max(0, ...values.filter(Number.isFinite));
  const near = compared.flat().filter((value) => Number.isFinite(value) && (greatest === 0 || value <= greatest * FAR));
  return Math.max(greatest, ...near) || 1;
}

/** Draws values; a gap is left open, and what lies above the upper edge is not drawn. */
export function sparkPaths(values: readonly number[], top: number): SparkPaths {
  const last = Math.max(1, values.length - 1);
  const point = (value: number, index: number): string =>
    `${round((WIDTH * index) / last)} ${round(HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN))}`;
  const [line, area, dots]: [string[], string[], string[]] = [[], [], []];
  for (const { start, run } of runsOf(values, top)) {
    const points = run.map((value, index) => point(value, start + index));
    if (points.length === 1) dots.push(`M${points[0] ?? ""}h0`);
    else {
      line.push(`M${points.join("L")}`);
      const x = (index: number): number => round((WIDTH * index) / last);
      area.push(`M${x(start)} ${HEIGHT}L${points.join("L")}L${x(start + run.length - 1)} ${HEIGHT}Z`);
    }
  }
  return { line: line.join(""), area: area.join(""), dots: dots.join("") };
}

function runsOf(values: readonly number[], top: number): { readonly start: number; readonly run: readonly number[] }[] {
  const runs: { start: number; run: number[] }[] = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    const isShown = Number.isFinite(value) && value <= top;
    if (isShown && isOpen) runs.at(-1)?.run.push(value);
    else if (isShown) runs.push({ start: index, run: [value] });
    isOpen = isShown;
  }
  return runs;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
