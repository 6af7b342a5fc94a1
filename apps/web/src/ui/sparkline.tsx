/* oxlint-disable jsx-a11y/prefer-tag-over-role -- what is drawn here is no <img> */
import type { ReactNode } from "react";
import styles from "./sparkline.module.css";

/** Values of a line, by moments at equal distances; NaN where nothing was measured. */
type SparkValues = readonly number[];

/** What a small line shows. */
export interface SparklineProps {
  /** What it says, for who does not see it. */
  readonly label: string;
  readonly values: SparkValues;
  /** A thin broken line; empty without one. */
  readonly requested?: SparkValues;
  /** A thin line; empty without one. */
  readonly limit?: SparkValues;
}

const NONE: SparkValues = [];

const WIDTH = 120;
const HEIGHT = 32;
/** The line is not cut at the edges. */
const MARGIN = 2;
/** What lies farther above all that was measured is not drawn: the line itself would be flat. */
const FAR = 8;

/** Paths of a line in a box of 120 by 32. */
interface SparkPaths {
  readonly line: string;
  /** Below the line. */
  readonly area: string;
  /** Moments between two gaps: a line of one point is none. */
  readonly dots: string;
}

/** A small line of what was measured, with the request and the limit. Of one moment alone it is a bar. */
export function Sparkline({ label, values, requested = NONE, limit = NONE }: SparklineProps): ReactNode {
  return values.length === 1 ? (
    <Bar label={label} value={values[0] ?? Number.NaN} requested={requested[0]} limit={limit[0]} />
  ) : (
    <Line label={label} values={values} requested={requested} limit={limit} />
  );
}

function Line({ label, values, requested, limit }: Required<SparklineProps>): ReactNode {
  const top = topOf(values, [requested, limit]);
  const { line, area, dots } = sparkPaths(values, top);
  return (
    <svg className={styles["spark"]} viewBox="0 0 120 32" preserveAspectRatio="none" role="img" aria-label={label}>
      <path className={styles["base"]} d="M0 31.5H120" />
      <path className={styles["area"]} d={area} />
      <path className={styles["limit"]} d={sparkPaths(limit, top).line} />
      <path className={styles["requested"]} d={sparkPaths(requested, top).line} />
      <path className={styles["line"]} d={line} />
      <path className={styles["dot"]} d={dots} />
    </svg>
  );
}

/** Nothing to compare with is nothing to draw: the number says it. */
function Bar(props: {
  readonly label: string;
  readonly value: number;
  readonly requested: number | undefined;
  readonly limit: number | undefined;
}): ReactNode {
  const { label, value, requested, limit } = props;
  if (requested === undefined && limit === undefined) return <span className="visually-hidden">{label}</span>;
  const top = topOf([value], [[requested ?? 0], [limit ?? 0]]);
  const at = (amount: number): number => Math.min(119, (120 * amount) / top);
  return (
    <svg className={styles["bar"]} viewBox="0 0 120 32" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect className={styles["track"]} x="0" y="12" width="120" height="8" />
      <rect className={styles["used"]} x="0" y="12" width={Math.max(1, at(value))} height="8" />
      {limit !== undefined && limit <= top && <path className={styles["limit"]} d={`M${at(limit)} 6V26`} />}
      {requested !== undefined && requested <= top && <path className={styles["requested"]} d={`M${at(requested)} 6V26`} />}
    </svg>
  );
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
