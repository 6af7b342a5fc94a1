"use client";
import type { GetMetricsResponse, Metric, MetricSeries } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { useCopy } from "../../ui/use-copy.ts";
import { metricName } from "./metric-figures.ts";
import styles from "./metrics.module.css";

const LINES = new Map<string, "metrics/line-usage" | "metrics/line-requests" | "metrics/line-limits">([
  ["usage", "metrics/line-usage"],
  ["requests", "metrics/line-requests"],
  ["limits", "metrics/line-limits"],
]);

/** The PromQL queries, to read and to copy. Renders nothing for a source without queries. */
export function MetricQueries({ answer }: { readonly answer: GetMetricsResponse }): ReactNode {
  const queries = answer.metrics.flatMap((metric) =>
    metric.series.flatMap((series) => series.queries.map((query) => ({ line: lineName(metric, series), query }))),
  );
  if (queries.length === 0) return null;
  return (
    <details className={styles["queries"]}>
      <summary>{tLater("metrics/queries", { count: queries.length })}</summary>
      <dl>
        {queries.map(({ line, query }) => (
          <div key={query}>
            <dt>{line}</dt>
            <dd>
              <code>{query}</code>
              <CopyQuery line={line} query={query} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function lineName(metric: Metric, { name }: MetricSeries): string {
  const known = LINES.get(name);
  if (known !== undefined) return tLater("metrics/query-of", { metric: metricName(metric), line: tLater(known) });
  return metricName(metric, name);
}

function CopyQuery({ line, query }: { readonly line: string; readonly query: string }): ReactNode {
  const [copied, copy] = useCopy(() => query);
  const label = copied ? tLater("metrics/copied") : tLater("metrics/copy", { line });
  return (
    <button type="button" className="btn ghost icon sm" aria-label={label} title={label} onClick={copy}>
      <Icon name={copied ? "check" : "copy"} size={14} />
    </button>
  );
}
