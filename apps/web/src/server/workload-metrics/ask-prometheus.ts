import { KubeClientError, readText } from "@binnacle/environment-view";
import { fieldsOf, listAt, parseJson, parseStatus, textAt } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { KasAccess } from "../kas/kas-access.ts";
import type { MeasuredLine } from "./measured.ts";
import type { MetricName, MetricSubject } from "./metric-subject.ts";
import { REFUSAL_HEADER, refusalOf, refusalOfError, type ServiceRefusal } from "./service-refusal.ts";
import { endOf, valuesOn, type TimeGrid } from "./time-grid.ts";

/** Three lines of sixty numbers weigh a hundredth of it. */
const MAX_BYTES = 512 * 1024;
/** Usage, requests and limits; more no metric has. */
const MAX_LINES = 8;
const MAX_QUERY_CHARS = 4_096;
const MAX_NAME_CHARS = 63;

/** One question for one line of figures. */
export interface PrometheusQuestion {
  readonly service: string;
  readonly metric: MetricName;
  readonly subject: MetricSubject;
  readonly grid: TimeGrid;
}

/** What came of it; `failed`: there was no answer about the service. */
export type PrometheusAnswer =
  | { readonly kind: "measured"; readonly lines: readonly MeasuredLine[] }
  | ({ readonly kind: "refused" } & ServiceRefusal)
  | { readonly kind: "failed"; readonly why: Words };

/** Asks agentk for figures of a workload, as the viewer; agentk writes the queries (docs/design/services.md). Never rejects for a failure. */
export async function askPrometheus(
  { kas, reading }: Pick<KasAccess, "kas" | "reading">,
  question: PrometheusQuestion,
  signal: AbortSignal,
): Promise<PrometheusAnswer> {
  const { service, subject, grid } = question;
  const of = { service, namespace: subject.namespace };
  try {
    const response = await kas.request({ method: "GET", path: pathOf(question), accept: "application/json" }, signal);
    try {
      const text = await readText(response, { mostBytes: MAX_BYTES, budget: reading });
      const value = parseJson(text);
      const reason = response.header(REFUSAL_HEADER);
      if (response.status === 200 && reason === undefined) {
        const lines = linesOf(value, grid);
        return lines ? { kind: "measured", lines } : { kind: "failed", why: words("metrics/no-answer", { service }) };
      }
      const refusal = refusalOf({ reason, status: parseStatus(value), code: response.status }, of);
      return refusal ? { kind: "refused", ...refusal } : { kind: "failed", why: words("metrics/no-answer", { service }) };
    } finally {
      response.close();
    }
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    const refusal = refusalOfError(error, of);
    if (refusal) return { kind: "refused", ...refusal };
    return { kind: "failed", why: signal.aborted ? words("request/no-answer-in-time") : error.words };
  }
}

function pathOf({ service, metric, subject, grid }: PrometheusQuestion): string {
  const query = new URLSearchParams({ metric, namespace: subject.namespace, kind: subject.kind });
  if (subject.name !== "") query.set("name", subject.name);
  for (const [key, value] of [
    ["start", grid.start],
    ["end", endOf(grid)],
    ["step", grid.step],
  ] as const)
    query.set(key, String(value));
  return `/-/services/${service}/-/metrics?${query.toString()}`;
}

/** `undefined` when it is no answer of agentk's. */
function linesOf(value: unknown, grid: TimeGrid): readonly MeasuredLine[] | undefined {
  if (!Array.isArray(fieldsOf(value)["lines"])) return undefined;
  return listAt(value, "lines")
    .slice(0, MAX_LINES)
    .map((line) => ({
      name: textAt(line, "of").slice(0, MAX_NAME_CHARS),
      query: textAt(line, "query").slice(0, MAX_QUERY_CHARS),
      values: valuesOn(grid, listAt(line, "samples")),
    }));
}
