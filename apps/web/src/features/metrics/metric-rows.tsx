import type { GetMetricsResponse } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Sparkline } from "../../ui/sparkline.tsx";
import { figuresOf, type Figure } from "./metric-figures.ts";
import styles from "./metrics.module.css";

/** One row for each metric: its name, its line, and how much it is now. */
export function MetricRows({ answer }: { readonly answer: GetMetricsResponse }): ReactNode {
  return (
    <ul className={styles["rows"]}>
      {figuresOf(answer).map((figure) => (
        <li key={figure.key} data-metric={figure.key}>
          <span className={styles["metric"]} aria-hidden="true">
            {figure.metric}
          </span>
          <span className={styles["line"]}>
            <FigureLine figure={figure} />
          </span>
          <FigureText figure={figure} />
        </li>
      ))}
    </ul>
  );
}

/** The line of a figure; its name says all that stands beside it. */
export function FigureLine({ figure }: { readonly figure: Figure }): ReactNode {
  const { name, values, requested, limit } = figure;
  return <Sparkline label={name} values={values} requested={requested} limit={limit} />;
}

/** How much it is now, and what it is compared with; the line bears it as its name. */
export function FigureText({ figure }: { readonly figure: Figure }): ReactNode {
  const { value, requestedText, limitText } = figure;
  return (
    <span className={styles["text"]} aria-hidden="true">
      <b className="num">{value}</b>
      {requestedText !== "" && <small className={styles["requested"]}>{requestedText}</small>}
      {limitText !== "" && <small className={styles["limit"]}>{limitText}</small>}
    </span>
  );
}
