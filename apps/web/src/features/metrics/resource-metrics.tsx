"use client";
import type { ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import type { LiveNode } from "../live/live-node.ts";
import { figuresOf } from "./metric-figures.ts";
import { metricsOfKind } from "./measured-kinds.ts";
import { MetricQueries } from "./metric-queries.tsx";
import { MetricRows } from "./metric-rows.tsx";
import styles from "./metrics.module.css";
import { MetricsSource } from "./metrics-source.tsx";
import { useMetrics, type MetricsState } from "./use-metrics.ts";

/** Figures of a resource that something is measured of; nothing for any other. @param props.present it exists and can be queried */
export function ResourceMetrics({ node, present }: { readonly node: LiveNode; readonly present: boolean }): ReactNode {
  const { ref, id, life } = node;
  if (ref === undefined || metricsOfKind(ref).length === 0) return null;
  return <QueriedMetrics subject={{ ref, id, life }} present={present} />;
}

const ALL = [] as const;

function QueriedMetrics({
  subject,
  present,
}: {
  readonly subject: Parameters<typeof useMetrics>[0];
  readonly present: boolean;
}): ReactNode {
  const state = useMetrics(subject, ALL, present);
  return present || state.answer !== undefined ? <MetricsSection state={state} /> : null;
}

/** A section of the drawer: rows, source and queries; or in one line why there is nothing. */
export function MetricsSection({ state }: { readonly state: MetricsState }): ReactNode {
  return (
    <section className={styles["section"]} aria-label={tLater("metrics/title")} data-metrics="">
      <h3>{tLater("metrics/title")}</h3>
      <Body {...state} />
    </section>
  );
}

function Body({ answer, problem }: MetricsState): ReactNode {
  if (answer === undefined) {
    return <p className="muted">{problem === undefined ? tLater("metrics/loading") : tLater("metrics/failed", { said: problem })}</p>;
  }
  if (figuresOf(answer).length === 0) {
    return (
      <p className="muted" data-no-metrics="">
        {messageText(answer.words)}
      </p>
    );
  }
  return (
    <>
      <MetricRows answer={answer} />
      <p className={styles["source"]}>
        <MetricsSource answer={answer} />
      </p>
      <MetricQueries answer={answer} />
    </>
  );
}
