import drawer from "../../src/features/resource-detail/drawer.module.css";
import { MetricsPanel } from "../../src/features/metrics/environment-metrics.tsx";
import { MetricsSection } from "../../src/features/metrics/resource-metrics.tsx";
import type { MetricsState } from "../../src/features/metrics/use-metrics.ts";
import { fixtureMetrics, metricsWithGaps, noMetrics, presentMetrics } from "../fixture-metrics.ts";
import type { SpecimenGroup } from "./specimen.ts";

const STATES: readonly (readonly [string, MetricsState])[] = [
  ["of Prometheus", { answer: fixtureMetrics(1), problem: undefined }],
  ["with gaps", { answer: metricsWithGaps(), problem: undefined }],
  ["of metrics.k8s.io", { answer: presentMetrics(), problem: undefined }],
  ["none", { answer: noMetrics(), problem: undefined }],
  ["failed", { answer: undefined, problem: "kas does not answer" }],
  ["awaited", { answer: undefined, problem: undefined }],
];

/** Figures in the drawer and in the summary, each in its states. */
export const metricsSpecimens: SpecimenGroup = {
  title: "Metrics",
  specimens: STATES.flatMap(([title, state]) => [
    {
      title: `in the drawer, ${title}`,
      body: (
        <div className={drawer["drawer"]} style={{ width: 400 }}>
          <div className={drawer["body"]}>
            <MetricsSection state={state} />
          </div>
        </div>
      ),
    },
    { title: `in the summary, ${title}`, body: <MetricsPanel state={state} /> },
  ]),
};
