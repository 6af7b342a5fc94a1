"use client";
import { MetricKind } from "@binnacle/proto/dashboard-enums";
import { useEffect, type ReactNode } from "react";
import { figuresOf } from "./metric-figures.ts";
import { MetricRows } from "./metric-rows.tsx";
import { MetricsSource } from "./metrics-source.tsx";
import styles from "./metrics.module.css";
import { useMetrics, type MetricsSubject } from "./use-metrics.ts";

const KINDS = [MetricKind.CPU, MetricKind.MEMORY] as const;

/** CPU and memory of what a card shows. Nothing until there is a number: what opens by itself has something to say. */
export function CardMetrics({ subject, onShown }: { readonly subject: MetricsSubject; readonly onShown: () => void }): ReactNode {
  const { answer } = useMetrics(subject, KINDS, true);
  const isShown = answer !== undefined && figuresOf(answer).length > 0;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown, onShown]);
  if (!isShown) return null;
  return (
    <div className={styles["card"]}>
      <MetricRows answer={answer} />
      <p className={styles["source"]}>
        <MetricsSource answer={answer} />
      </p>
    </div>
  );
}
