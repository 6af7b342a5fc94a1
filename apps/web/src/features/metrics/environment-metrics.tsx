"use client";
import type { GetMetricsResponse } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { useView } from "../live/environment-context.tsx";
import { figuresOf } from "./metric-figures.ts";
import { MetricQueries } from "./metric-queries.tsx";
import { FigureLine, FigureText } from "./metric-rows.tsx";
import styles from "./metrics.module.css";
import { MetricsSource } from "./metrics-source.tsx";
import { useMetrics, type MetricsState } from "./use-metrics.ts";

const ALL = [] as const;

/** Figures of all pods of the environment's namespaces; of a picture that was kept nothing. */
export function EnvironmentMetrics(): ReactNode {
  const { kept } = useView();
  const state = useMetrics(undefined, ALL, !kept);
  return kept ? null : <MetricsPanel state={state} />;
}

/** A row of the summary; in one line why there is nothing, and how it would come. */
export function MetricsPanel({ state: { answer, problem } }: { readonly state: MetricsState }): ReactNode {
  if (answer !== undefined && figuresOf(answer).length > 0) return <MetricsLine answer={answer} />;
  if (answer === undefined && problem === undefined) {
    return <output className={`panel ${styles["awaited"]}`}>{tLater("metrics/loading")}</output>;
  }
  return (
    <p className={styles["none"]} data-no-metrics="">
      {answer === undefined ? tLater("metrics/failed", { said: problem }) : tLater("metrics/how", { why: messageText(answer.words) })}
    </p>
  );
}

function MetricsLine({ answer }: { readonly answer: GetMetricsResponse }): ReactNode {
  const { namespaces, moreNamespaces: more } = answer;
  return (
    <section className="panel" aria-label={tLater("metrics/of-environment")} data-metrics="">
      <header>
        <h3 className="grow">{tLater("metrics/title")}</h3>
        <span className="muted">{tLater("metrics/all-pods-of", { count: namespaces.length, namespaces, ...(more > 0 && { more }) })}</span>
      </header>
      <ul className={styles["cells"]}>
        {figuresOf(answer).map((figure) => (
          <li key={figure.key} data-metric={figure.key}>
            <span className={styles["metric"]} aria-hidden="true">
              {figure.metric}
            </span>
            <FigureText figure={figure} />
            <FigureLine figure={figure} />
          </li>
        ))}
      </ul>
      <footer className={styles["foot"]}>
        <span>
          <MetricsSource answer={answer} />
        </span>
        <MetricQueries answer={answer} />
      </footer>
    </section>
  );
}
