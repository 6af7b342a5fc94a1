import type { Values } from "@binnacle/proto/prototool";

import { ServiceRefusal } from "../service-refusal.ts";
import { isSubject, METRICS, queriesOf, SUBJECTS, type CataloguedQuery, type Metric, type MetricSubject } from "./metric-catalogue.ts";

/** A span of time with so many points in it; times in seconds of the epoch. */
export interface MetricsRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** A request for metrics that was validated. */
export interface MetricsRequest {
  readonly metric: Metric;
  readonly subject: MetricSubject;
  /** Absent: now. */
  readonly range?: MetricsRange;
  readonly queries: readonly CataloguedQuery[];
}

/** Points of a line: more than a screen shows. */
const MAX_POINTS = 1_000;
const LONGEST_S = 31 * 24 * 3_600;

/**
 * Reads `metric`, `namespace`, `kind`, `name`, and `start`, `end`, `step` in seconds or none of the three.
 *
 * @throws ServiceRefusal 400 that says what is wrong
 */
export function metricsRequestOf(query: Readonly<Record<string, Values>>): MetricsRequest {
  const known = new Set(["metric", "namespace", "kind", "name", "start", "end", "step"]);
  const strange = Object.keys(query).find((key) => !known.has(key) || query[key]?.value.length !== 1);
  if (strange !== undefined) throw wrong(`${JSON.stringify(strange)} is no key of a question for metrics, or stands there twice`);
  const text = (key: string): string => query[key]?.value[0] ?? "";
  const metric = oneOf(METRICS, text("metric"), "metric");
  const kind = oneOf(SUBJECTS, text("kind") || (text("name") === "" ? "namespace" : "pod"), "kind");
  const subject = { namespace: text("namespace"), kind, name: text("name") };
  if (!isSubject(subject)) throw wrong("namespace and name must be names of Kubernetes");
  const queries = queriesOf(metric, subject);
  if (queries.length === 0) throw wrong(`there is no metric ${metric} of a ${kind}`);
  const range = rangeOf(text("start"), text("end"), text("step"));
  return { metric, subject, queries, ...(range && { range }) };
}

function rangeOf(...texts: readonly [string, string, string]): MetricsRange | undefined {
  if (texts.every((text) => text === "")) return undefined;
  if (!texts.every((text) => /^\d{1,12}(?:\.\d{1,3})?$/.test(text))) throw wrong("start, end and step must be seconds, all three of them");
  const [start, end, step] = texts.map(Number) as [number, number, number]; // as many as there are texts
  if (step <= 0 || end < start || end - start > LONGEST_S || (end - start) / step > MAX_POINTS)
    throw wrong(`start to end is 31 days at most, and ${MAX_POINTS} steps`);
  return { start, end, step };
}

function oneOf<T extends string>(all: readonly T[], text: string, key: string): T {
  const found = all.find((one) => one === text);
  if (found === undefined) throw wrong(`${key} must be one of ${all.join(", ")}`);
  return found;
}

function wrong(message: string): ServiceRefusal {
  return new ServiceRefusal("service_request_refused", message, { code: 400 });
}
