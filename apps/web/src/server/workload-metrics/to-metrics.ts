import {
  GetMetricsResponseSchema,
  MetricSchema,
  MetricSeriesSchema,
  MetricsSource,
  type GetMetricsResponse,
  type Metric,
  type MetricKind,
} from "@binnacle/proto/dashboard";
import { durationField, timeField } from "@binnacle/proto/wire-values";
import type { Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { toSentWords } from "../base/sent-words.ts";
import { summedLines, type Measured } from "./measured.ts";
import type { TimeGrid } from "./time-grid.ts";

/** What was answered about one metric, namespace by namespace. */
export interface MetricAnswers {
  readonly kind: MetricKind;
  readonly measured: readonly Measured[];
}

/** What a viewer is told of figures. */
export interface ToldMetrics {
  readonly namespaces: readonly string[];
  readonly moreNamespaces: number;
  readonly answers: readonly MetricAnswers[];
  /** Absent: nobody has measured. */
  readonly source?: MetricsSource;
  readonly service?: string;
  readonly grid?: TimeGrid;
  /** Why nobody, or not Prometheus. */
  readonly why?: Words;
}

/** As a message. */
export function toMetrics(told: ToldMetrics): GetMetricsResponse {
  const { namespaces, moreNamespaces, answers, source = MetricsSource.UNSPECIFIED, service = "", grid, why } = told;
  return create(GetMetricsResponseSchema, {
    metrics: answers.map(toMetric),
    source,
    service,
    namespaces: [...namespaces],
    moreNamespaces,
    ...timeField("begin", grid && grid.start * 1_000),
    ...durationField("step", grid && grid.step > 0 ? grid.step * 1_000 : undefined),
    ...(why && { words: toSentWords(why) }),
  });
}

function toMetric({ kind, measured }: MetricAnswers): Metric {
  const lines = measured.flatMap((each) => (each.kind === "measured" ? each.lines : []));
  const series = summedLines(lines).map(({ name, queries, values }) =>
    create(MetricSeriesSchema, { name, queries: [...queries], values: [...values] }),
  );
  const refused = measured.find((each) => each.kind === "refused");
  return create(MetricSchema, { kind, series, ...(refused && { words: toSentWords(refused.why) }) });
}
