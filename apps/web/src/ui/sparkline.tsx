/* oxlint-disable jsx-a11y/prefer-tag-over-role -- what is drawn here is no <img> */
import type { ReactNode } from "react";
import { sparkPaths, topOf } from "./spark-paths.ts";
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

/** A small line of what was measured, with what was asked for and what is allowed. Of one moment alone it is a bar. */
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
